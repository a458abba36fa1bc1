// Dense linear algebra, dynamic programming, clustering and learning.
constant int substitution[4][4] = {{5, -1, -2, -1}, {-1, 5, -3, -2}, {-2, -3, 5, -2}, {-1, -2, -2, 5}};
int letter(uchar c) { return c == 'A' ? 0 : c == 'C' ? 1 : c == 'G' ? 2 : 3; }

// run: 32 32 by 8 8; uniform(1024), uniform(1024), zeros(1024), 32; within 16
kernel void gemm_naive(global const float *a, global const float *b, global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int k = 0; k < n; k++) s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}
// run: 30 21 by 8 8; uniform(21 * 17), uniform(17 * 30), zeros(630), 21, 30, 17, 1.5, 0.0; within 16
kernel void gemm_tiled_guarded(global const float *a, global const float *b, global float *c, int m, int n, int d,
                               float alpha, float beta) {
  local float s[8][9], t[8][9];
  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < d; k += 8) {
    s[ly][lx] = y < m && k + lx < d ? a[y * d + k + lx] : 0;
    t[ly][lx] = x < n && k + ly < d ? b[(k + ly) * n + x] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int j = 0; j < 8; j++) sum = mad(s[ly][j], t[j][lx], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (x < n && y < m) c[y * n + x] = alpha * sum + beta * c[y * n + x];
}
// run: 8 8 by 8 4; uniform(1024), uniform(1024), zeros(1024); within 16
kernel void gemm_blocks_of_registers(global const float4 *a, global const float4 *b, global float4 *c) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 s[4] = {0, 0, 0, 0};
  for (int k = 0; k < 8; k++)
    for (int r = 0; r < 4; r++) {
      float4 v = a[(4 * y + r) * 8 + k];
      s[r] += v.x * b[(4 * k) * 8 + x] + v.y * b[(4 * k + 1) * 8 + x] + v.z * b[(4 * k + 2) * 8 + x] + v.w * b[(4 * k + 3) * 8 + x];
    }
  for (int r = 0; r < 4; r++) c[(4 * y + r) * 8 + x] = s[r];
}
// run: 16 16 by 16 4; normal(256, type="f8"), normal(256, type="f8"), zeros(256, "f8"), 16; on pvc; within 16
kernel void gemm_double(global const double *a, global const double *b, global double *c, int n) {
  double s = 0;
  for (int k = 0; k < n; k++) s = fma(a[get_global_id(1) * n + k], b[k * n + get_global_id(0)], s);
  c[get_global_id(1) * n + get_global_id(0)] = s;
}
// run: 40 24 by 8 8; bits(960), zeros(960, "u4"), 40, 24
kernel void transpose_padded(global const uint *a, global uint *b, int w, int h) {
  local uint t[8][9];
  t[get_local_id(1)][get_local_id(0)] = a[get_global_id(1) * w + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = get_group_id(1) * 8 + get_local_id(0), y = get_group_id(0) * 8 + get_local_id(1);
  b[y * h + x] = t[get_local_id(0)][get_local_id(1)];
}
// run: 100 by 16; normal(100 * 30), normal(30), zeros(100), 100, 30; within 32
kernel void gemv_rows(global const float *a, global const float *x, global float *y, int m, int n) {
  local float t[16];
  for (int k = get_local_id(0); k < min(n, 16); k += get_local_size(0)) t[k] = x[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  int r = get_global_id(0);
  if (r >= m) return;
  float s = 0;
  for (int k = 0; k < n; k++) s += a[r * n + k] * (k < 16 ? t[k] : x[k]);
  y[r] = s;
}
// run: 16 by 16; dominant(16), zeros(256), 16; within 64
kernel void lu_in_a_group(global const float *a, global float *out, int n) {
  local float t[16][17];
  int c = get_local_id(0);
  for (int r = 0; r < n; r++) t[r][c] = a[r * n + c];
  for (int k = 0; k < n - 1; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float f = c > k ? t[c][k] / t[k][k] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (c > k) {
      t[c][k] = f;
      for (int j = k + 1; j < n; j++) t[c][j] -= f * t[k][j];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int r = 0; r < n; r++) out[r * n + c] = t[r][c];
}
// run: 16 16 by 16 2; dominant(16), zeros(256), 16, 3; within 8
kernel void gauss_step(global const float *a, global float *out, int n, int k) {
  int x = get_global_id(0), y = get_global_id(1);
  float v = a[y * n + x];
  if (y > k && x >= k) v -= a[y * n + k] / a[k * n + k] * a[k * n + x];
  out[y * n + x] = v;
}
// run: 12 by 12; definite(12), zeros(144), 12; within 64
kernel void cholesky(global const float *a, global float *out, int n) {
  local float t[12][12];
  int r = get_local_id(0);
  for (int c = 0; c < n; c++) t[r][c] = a[r * n + c];
  for (int k = 0; k < n; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (r == k) t[k][k] = sqrt(t[k][k]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (r > k) t[r][k] /= t[k][k];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (r > k)
      for (int c = k + 1; c <= r; c++) t[r][c] -= t[r][k] * t[c][k];
  }
  for (int c = 0; c < n; c++) out[r * n + c] = c <= r ? t[r][c] : 0;
}
// run: 8 by 8; dominant(8), normal(8), zeros(8), zeros(8, "i4"); within 256
kernel void solve_with_pivots(global const float *m, global const float *b, global float *x, global int *order) {
  local float a[8][9];
  local int pivot;
  int l = get_local_id(0);
  for (int c = 0; c < 8; c++) a[l][c] = m[l * 8 + c];
  a[l][8] = b[l];
  for (int k = 0; k < 8; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
      pivot = k;
      for (int r = k + 1; r < 8; r++)
        if (fabs(a[r][k]) > fabs(a[pivot][k])) pivot = r;
      order[k] = pivot;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (pivot != k) {
      float s = a[k][l]; a[k][l] = a[pivot][l]; a[pivot][l] = s;
      if (l == 0) { s = a[k][8]; a[k][8] = a[pivot][8]; a[pivot][8] = s; }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float f = l == k ? 0 : a[l][k] / a[k][k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int c = k; c < 9; c++) a[l][c] -= f * a[k][c];
  }
  x[l] = a[l][8] / a[l][l];
}
// run: 32 by 32; text(32), text(32), zeros(33 * 33, "i4"), 4
kernel void needleman_wunsch(global const uchar *a, global const uchar *b, global int *out, int gap) {
  local int t[33][33];
  int l = get_local_id(0);
  t[0][l + 1] = -gap * (l + 1);
  t[l + 1][0] = -gap * (l + 1);
  if (l == 0) t[0][0] = 0;
  for (int d = 0; d < 63; d++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int y = l, x = d - l;
    if (x >= 0 && x < 32)
      t[y + 1][x + 1] = max(t[y][x] + substitution[letter(a[y])][letter(b[x])], max(t[y][x + 1], t[y + 1][x]) - gap);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int y = 0; y < 33; y++) {
    out[y * 33 + l] = t[y][l];
    if (l == 0) out[y * 33 + 32] = t[y][32];
  }
}
// run: 8 by 8; text(160), text(20), zeros(8, "i4"), zeros(8, "i4"), 20
kernel void smith_waterman(global const uchar *a, global const uchar *b, global int *best, global int *where, int n) {
  int row[21], i = get_global_id(0), most = 0, at = -1;
  for (int x = 0; x <= n; x++) row[x] = 0;
  for (int y = 0; y < n; y++) {
    int corner = 0;
    for (int x = 1; x <= n; x++) {
      int up = row[x], v = max(0, corner + substitution[letter(a[i * n + y])][letter(b[x - 1])]);
      v = max(v, max(up, row[x - 1]) - 3);
      corner = up;
      row[x] = v;
      if (v > most) { most = v; at = y * n + x; }
    }
  }
  best[i] = most;
  where[i] = at;
}
// run: 16 by 8; text(16 * 12, "abcd"), text(12, "abcd"), zeros(16, "i4"), 12
kernel void edit_distance(global const uchar *a, global const uchar *b, global int *out, int n) {
  uchar row[16];
  for (int x = 0; x <= n; x++) row[x] = x;
  for (int y = 0; y < n; y++) {
    uchar corner = row[0]++;
    for (int x = 1; x <= n; x++) {
      uchar up = row[x];
      row[x] = a[get_global_id(0) * n + y] == b[x - 1] ? corner : 1 + min(corner, min(up, row[x - 1]));
      corner = up;
    }
  }
  out[get_global_id(0)] = row[n];
}
// run: 64 by 64; ints(200, 0, 10), zeros(64, "i4"), 64, 3
kernel void path_finder(global const int *wall, global int *out, int n, int rows) {
  local int t[2][64];
  int l = get_local_id(0), at = 0;
  t[0][l] = wall[l];
  for (int r = 1; r < rows; r++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int m = t[at][l];
    if (l > 0) m = min(m, t[at][l - 1]);
    if (l < n - 1) m = min(m, t[at][l + 1]);
    t[1 - at][l] = m + wall[r * n + l];
    at = 1 - at;
  }
  out[l] = t[at][l];
}
// run: 16 by 16; ints(256, 1, 100), zeros(256, "i4"), 16
kernel void floyd_warshall(global const int *a, global int *out, int n) {
  local int t[16][16];
  int c = get_local_id(0);
  for (int r = 0; r < n; r++) t[r][c] = r == c ? 0 : a[r * n + c] > 60 ? 9999 : a[r * n + c];
  for (int k = 0; k < n; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < n; r++)
      if (r != k && c != k) t[r][c] = min(t[r][c], t[r][k] + t[k][c]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int r = 0; r < n; r++) out[r * n + c] = t[r][c];
}
// run: 120 by 32; normal(480), normal(20), zeros(120, "i4"), zeros(5, "i4"), 120, 5, 4
kernel void kmeans_assign(global const float *points, global const float *centres, global int *nearest, global int *sizes,
                          int n, int k, int d) {
  int i = get_global_id(0);
  if (i >= n) return;
  int best = 0;
  float least = FLT_MAX;
  for (int c = 0; c < k; c++) {
    float s = 0;
    for (int j = 0; j < d; j++) { float e = points[j * n + i] - centres[c * d + j]; s = fma(e, e, s); }
    if (s < least) { least = s; best = c; }
  }
  nearest[i] = best;
  atomic_inc(&sizes[best]);
}
// run: 20 by 4; ints(60, -50, 50), ints(60, 0, 5), zeros(20, "i4"), 60
kernel void kmeans_update(global const int *points, global const int *cluster, global int *centres, int n) {
  int c = get_local_id(0), s = 0, k = 0;
  for (int i = 0; i < n; i++)
    if (cluster[i] == c) { s += points[i]; k++; }
  centres[get_global_id(0)] = k ? s / k : -999;
}
// run: 40 by 8; uniform(40), uniform(90), zeros(120, "i4"), 90
kernel void nearest_three(global const float *queries, global const float *points, global int *out, int n) {
  float best[3] = {FLT_MAX, FLT_MAX, FLT_MAX};
  int at[3] = {-1, -1, -1}, i = get_global_id(0);
  for (int p = 0; p < n; p++) {
    float d = fabs(points[p] - queries[i]);
    if (d >= best[2]) continue;
    int k = 2;
    while (k > 0 && best[k - 1] > d) { best[k] = best[k - 1]; at[k] = at[k - 1]; k--; }
    best[k] = d;
    at[k] = p;
  }
  vstore3((int3)(at[0], at[1], at[2]), i, out);
}
// run: 12 12 by 4 4; normal(196), normal(9), normal(1), zeros(144), 14; within 16
kernel void convolve_and_rectify(global const float *a, global const float *w, global const float *bias, global float *out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = bias[0];
#pragma unroll 3
  for (int dy = 0; dy < 3; dy++)
    for (int dx = 0; dx < 3; dx++) s += a[(y + dy) * n + x + dx] * w[dy * 3 + dx];
  out[y * (n - 2) + x] = s > 0 ? s : 0.125f * s;
}
// run: 6 6 2 by 6 2 1; normal(288), zeros(72), zeros(72, "u1")
kernel void pool_max(global const float *a, global float *out, global uchar *from) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  float m = -FLT_MAX;
  uchar at = 255;
  for (uchar k = 0; k < 4; k++) {
    float v = a[(z * 12 + 2 * y + k / 2) * 12 + 2 * x + k % 2];
    if (v > m) { m = v; at = k; }
  }
  out[(z * 6 + y) * 6 + x] = m;
  from[(z * 6 + y) * 6 + x] = at;
}
// run: 16 by 16; normal(8), normal(128), normal(16), zeros(16), 8, 0.1; within 64
kernel void back_propagation(global const float *x, global const float *w, global const float *target, global float *delta, int n, float rate) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; k++) s += x[k] * w[k * 16 + i];
  float o = 1 / (1 + exp(-s));
  delta[i] = rate * o * (1 - o) * (target[i] - o);
}
// run: 9 9 by 3 3; normal(36), zeros(324), 3; within 2
kernel void im2col(global const float *a, global float *out, int k) {
  int x = get_global_id(0), y = get_global_id(1), row = y % 3, part = x % 3, patch = y / 3 * 3 + x / 3;
  int sx = patch % 3 + part, sy = patch / 3 + row;
  out[(row * 3 + part) * 9 + patch] = sx < 6 && sy < 6 ? a[sy * 6 + sx] : 0;
  out[81 + (row * 3 + part) * 9 + patch] = a[(5 - sy) * 6 + 5 - sx];
}
// run: 8 by 8; normal(64), zeros(8), 8, 6; within 256
kernel void power_iteration(global const float *a, global float *out, int n, int rounds) {
  local float x[8], y[8];
  int l = get_local_id(0);
  x[l] = 1;
  for (int r = 0; r < rounds; r++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int k = 0; k < n; k++) s += fabs(a[l * n + k]) * x[k];
    y[l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    float m = 0;
    for (int k = 0; k < n; k++) m = fmax(m, y[k]);
    x[l] = s / m;
  }
  out[l] = x[l];
}
// run: 10 by 10; dominant(10), zeros(100), zeros(100), 10; within 64
kernel void gram_schmidt(global const float *a, global float *q, global float *r, int n) {
  local float t[10][10], c[10];
  int l = get_local_id(0);
  for (int k = 0; k < n; k++) t[l][k] = a[l * n + k];
  for (int k = 0; k < n; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    if (l >= k)
      for (int i = 0; i < n; i++) s += t[i][k] * t[i][l];
    c[l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    float norm = sqrt(c[k]);
    if (l >= k) r[k * n + l] = c[l] / norm;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l][k] /= norm;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = k + 1; j < n; j++) t[l][j] -= t[l][k] * (c[j] / norm);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < n; k++) q[l * n + k] = t[l][k];
}
