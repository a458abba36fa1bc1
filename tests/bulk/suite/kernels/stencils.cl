// Stencils and relaxation on grids; the edges are guarded, copied, clamped or wrapped.
int at(int x, int y, int w) { return y * w + x; }
int wrapped(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }

// run: 70 50 by 16 4; uniform(3500), zeros(3500), 70, 50
kernel void jacobi5(global const float *restrict a, global float *restrict b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  float c = a[at(x, y, w)];
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    c = 0.25f * (a[at(x - 1, y, w)] + a[at(x + 1, y, w)] + a[at(x, y - 1, w)] + a[at(x, y + 1, w)]);
  b[at(x, y, w)] = c;
}
// run: 64 48 by 16 8; uniform(3072), zeros(3072), 64, 48; within 8
kernel void stencil9_local(global const float *a, global float *b, int w, int h) {
  local float t[10][18];
  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  int gx = get_group_id(0) * 16 - 1, gy = get_group_id(1) * 8 - 1;
  for (int i = ly * 16 + lx; i < 180; i += 128) {
    int sx = clamp(gx + i % 18, 0, w - 1), sy = clamp(gy + i / 18, 0, h - 1);
    t[i / 18][i % 18] = a[at(sx, sy, w)];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  for (int dy = 0; dy < 3; dy++)
    for (int dx = 0; dx < 3; dx++) s += (1 + dx + 3 * dy) * t[ly + dy][lx + dx];
  b[at(x, y, w)] = s / 45.0f;
}
// run: 20 12 9 by 8 4 1; uniform(2160), zeros(2160), 20, 12, 9; within 4
kernel void heat3d(global const float *a, global float *b, int nx, int ny, int nz) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x >= nx || y >= ny || z >= nz) return;
  int i = (z * ny + y) * nx + x;
  bool edge = x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1;
  b[i] = edge ? a[i] : a[i] + 0.1f * (a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + a[i - nx * ny] + a[i + nx * ny] - 6 * a[i]);
}
// run: 500 by 64; ints(500, 0, 2, "u1"), zeros(500, "u1"), 500, 110
kernel void rule_automaton(global const uchar *a, global uchar *b, int n, int rule) {
  int i = get_global_id(0);
  if (i < n) b[i] = rule >> (4 * a[wrapped(i - 1, n)] + 2 * a[i] + a[wrapped(i + 1, n)]) & 1;
}
// run: 40 30 by 8 8; ints(1200, 0, 2), zeros(1200, "i4"), 40, 30
kernel void game_of_life(global const int *a, global int *b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1), n = 0;
  if (x < w && y < h) {
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++)
        if (dx || dy) n += a[at(wrapped(x + dx, w), wrapped(y + dy, h), w)];
    b[at(x, y, w)] = n == 3 || (n == 2 && a[at(x, y, w)]);
  }
}
// run: 256 by 64; normal(256), normal(256), zeros(256), record("f4, f4, f4, i4", 0.01, 0.1, 3.0, 20); within 32
typedef struct { float dt, dx, c; int steps; } Wave;
kernel void wave_in_groups(global const float *now, global const float *before, global float *out, Wave p) {
  local float t[3][64];
  int l = get_local_id(0), i = get_global_id(0);
  t[0][l] = before[i];
  t[1][l] = now[i];
  float k = p.c * p.dt / p.dx;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 0; s < p.steps; s++) {
    int a = s % 3, b = (s + 1) % 3, c = (s + 2) % 3;
    float left = l ? t[b][l - 1] : 0, right = l < 63 ? t[b][l + 1] : 0;
    t[c][l] = 2 * t[b][l] - t[a][l] + k * k * (left - 2 * t[b][l] + right);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = t[(p.steps + 1) % 3][l];
}
// run: 1000 by 128; normal(1000), zeros(1000), 1000; within 8
constant float taps[9] = {0.05f, 0.09f, 0.12f, 0.15f, 0.18f, 0.15f, 0.12f, 0.09f, 0.05f};
kernel void convolution_1d(global const float *a, global float *b, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = -4; k <= 4; k++)
    if (i + k >= 0 && i + k < n) s = mad(a[i + k], taps[k + 4], s);
  if (i < n) b[i] = s;
}
// run: 32 32 by 32 4; uniform(1024, type="f8"), zeros(1024, "f8"), 32; on pvc; within 8
kernel void red_black_double(global const double *a, global double *b, int n) {
  int x = get_global_id(0), y = get_global_id(1), i = y * n + x;
  b[i] = a[i];
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1 || (x + y) % 2) return;
  b[i] = (1 - 1.5) * a[i] + 1.5 * 0.25 * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n]);
}
// run: 16 16 by 16 2; uniform(2304, 0.05, 0.2), zeros(2304), 16, 16, 0.6; within 64
typedef struct { float p[9]; } Cell;
constant int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constant float weight[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
kernel void lattice_boltzmann(global const Cell *a, global Cell *b, int w, int h, float tau) {
  int x = get_global_id(0), y = get_global_id(1);
  Cell c = a[at(x, y, w)];
  float rho = 0;
  float2 u = 0;
  for (int k = 0; k < 9; k++) { rho += c.p[k]; u += c.p[k] * (float2)(ex[k], ey[k]); }
  u /= rho;
  for (int k = 0; k < 9; k++) {
    float e = dot((float2)(ex[k], ey[k]), u);
    float q = weight[k] * rho * (1 + 3 * e + 4.5f * e * e - 1.5f * dot(u, u));
    b[at(wrapped(x + ex[k], w), wrapped(y + ey[k], h), w)].p[k] = c.p[k] + (q - c.p[k]) / tau;
  }
}
// run: 60 by 16; uniform(240), zeros(240), 60; within 4
kernel void smooth_vectors(global const float4 *a, global float4 *b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float4 l = i > 0 ? a[i - 1] : (float4)(0), m = a[i], r = i + 1 < n ? a[i + 1] : (float4)(1);
  b[i] = ((float4)(l.w, m.xyz) + m + (float4)(m.yzw, r.x)) / 3;
}
// run: 64 by 64; uniform(64, 0, 10), zeros(64), 40; within 512
kernel void tridiagonal_cyclic(global const float *d, global float *x, int n) {
  local float a[64], b[64], c[64], r[64];
  int l = get_local_id(0);
  // Clang 22 converts conditions to 1 in SPIR-V where integers of -1 would be meant: these are floats.
  a[l] = l ? -1.0f : 0.0f; b[l] = 4; c[l] = l < 63 ? -1.0f : 0.0f; r[l] = l < n ? d[l] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 1; s < 64; s <<= 1) {
    int i = max(l - s, 0), j = min(l + s, 63);
    float k = l >= s ? a[l] / b[i] : 0, m = l + s < 64 ? c[l] / b[j] : 0;
    float na = -a[i] * k, nb = b[l] - c[i] * k - a[j] * m, nc = -c[j] * m, nr = r[l] - r[i] * k - r[j] * m;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = na; b[l] = nb; c[l] = nc; r[l] = nr;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  x[l] = r[l] / b[l];
}
// run: 24 24 by 8 8; uniform(576), zeros(576), 24, 2; within 16
kernel void time_blocked(global const float *a, global float *b, int n, int steps) {
  local float t[2][12][12];
  int lx = get_local_id(0), ly = get_local_id(1), l = ly * 8 + lx, gx = get_group_id(0) * 8 - 2, gy = get_group_id(1) * 8 - 2;
  for (int i = l; i < 144; i += 64) {
    int x = gx + i % 12, y = gy + i / 12;
    t[0][i / 12][i % 12] = t[1][i / 12][i % 12] = x >= 0 && y >= 0 && x < n && y < n ? a[y * n + x] : 0;
  }
  for (int s = 0; s < steps; s++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < 100; i += 64) {
      int x = i % 10 + 1, y = i / 10 + 1;
      t[1 - s % 2][y][x] = 0.2f * (t[s % 2][y][x] + t[s % 2][y][x - 1] + t[s % 2][y][x + 1] + t[s % 2][y - 1][x] + t[s % 2][y + 1][x]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  b[get_global_id(1) * n + get_global_id(0)] = t[steps % 2][ly + 2][lx + 2];
}
// run: 1024 by 64; ints(1024, 0, 256, "i2"), zeros(1024, "i2"), 1024
kernel void median5(global const short *a, global short *b, int n) {
  int i = get_global_id(0);
  short v[5];
  for (int k = 0; k < 5; k++) v[k] = a[clamp(i + k - 2, 0, n - 1)];
  for (int p = 0; p < 4; p++)
    for (int k = 0; k < 4 - p; k++)
      if (v[k] > v[k + 1]) { short s = v[k]; v[k] = v[k + 1]; v[k + 1] = s; }
  b[i] = v[2];
}
// run: 96 by 32; uniform(96, 0, 4), uniform(96, -1, 1), zeros(96), 96, 0.3; within 8
kernel void upwind_advection(global const float *u, global const float *speed, global float *out, int n, float courant) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    float v = speed[i];
    float g = v > 0 ? u[i] - u[wrapped(i - 1, n)] : u[wrapped(i + 1, n)] - u[i];
    out[i] = fma(-courant * v, g, u[i]);
  }
}
