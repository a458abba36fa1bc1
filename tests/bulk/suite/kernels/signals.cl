// Transforms and filters of signals.
typedef float2 Complex;
Complex times(Complex a, Complex b) { return (Complex)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
Complex turn(float k, float n) { float c, s = sincos(-2 * M_PI_F * k / n, &c); return (Complex)(c, s); }

// run: 32 by 32; normal(64), zeros(64), 32; within 64
kernel void dft(global const Complex *a, global Complex *out, int n) {
  Complex s = 0;
  int k = get_global_id(0);
  for (int j = 0; j < n; j++) s += times(a[j], turn(k * j % n, n));
  out[k] = s;
}
// run: 64 by 32; normal(256), zeros(256); within 64
kernel void fft64_local(global const Complex *a, global Complex *out) {
  local Complex t[64];
  int l = get_local_id(0), base = get_group_id(0) * 64;
  for (int k = l; k < 64; k += 32) {
    int r = 0;
    for (int b = 0; b < 6; b++) r |= (k >> b & 1) << (5 - b);
    t[r] = a[base + k];
  }
  for (int h = 1; h < 64; h <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int p = l / h * 2 * h + l % h;
    Complex u = t[p], v = times(t[p + h], turn(l % h, 2 * h));
    t[p] = u + v;
    t[p + h] = u - v;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = l; k < 64; k += 32) out[base + k] = t[k];
}
// run: 16 by 16; normal(128), zeros(128), 16; within 64; except spirv22
// Clang 22 makes SPIR-V of it that spirv-val refuses: operands of 64 bits where the result has 32.
kernel void fft_stockham_radix4(global const Complex *a, global Complex *out, int n) {
  int i = get_global_id(0), k = i & 3;
  Complex v[4];
  for (int r = 0; r < 4; r++) v[r] = times(a[i + r * n], turn(r * k, 16));
  Complex s0 = v[0] + v[2], s1 = v[0] - v[2], s2 = v[1] + v[3], s3 = (v[1] - v[3]).yx * (Complex)(1, -1);
  int o = (i - k) * 4 + k;
  out[o] = s0 + s2;
  out[o + 4] = s1 + s3;
  out[o + 8] = s0 - s2;
  out[o + 12] = s1 - s3;
}
// run: 32 by 16; normal(64, type="f8"), zeros(64, "f8"), 4; on pvc; within 64
kernel void fft_step_double(global const double2 *a, global double2 *out, int h) {
  int i = get_global_id(0), p = i / (2 * h) * 2 * h + i % h;
  double c, s = sincos(-M_PI * (i % h) / h, &c);
  double2 u = a[p], v = (double2)(a[p + h].x * c - a[p + h].y * s, a[p + h].x * s + a[p + h].y * c);
  out[i] = i / h % 2 ? u - v : u + v;
}
// run: 64 by 64; ints(128, 0, 7681), zeros(128, "i4"), 7681, 62
kernel void number_transform(global const int *a, global int *out, int q, int root) {
  local int t[128], w[64];
  int l = get_local_id(0);
  int p = 1;
  for (int k = 0; k < l; k++) p = (long)p * root % q;
  w[l] = p;
  t[l] = a[l];
  t[l + 64] = a[l + 64];
  for (int h = 64; h > 0; h >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int i = l / h * 2 * h + l % h, u = t[i], v = t[i + h];
    t[i] = (u + v) % q;
    t[i + h] = (long)(u - v + q) * w[l % h * (64 / h)] % q;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = t[l];
  out[l + 64] = t[l + 64];
}
// run: 16 16 by 8 8; uniform(256, -128, 128), zeros(256), 16; within 32
constant float cosines[8][8] = {
  {0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f},
  {0.49039264f, 0.41573481f, 0.27778512f, 0.09754516f, -0.09754516f, -0.27778512f, -0.41573481f, -0.49039264f},
  {0.46193977f, 0.19134172f, -0.19134172f, -0.46193977f, -0.46193977f, -0.19134172f, 0.19134172f, 0.46193977f},
  {0.41573481f, -0.09754516f, -0.49039264f, -0.27778512f, 0.27778512f, 0.49039264f, 0.09754516f, -0.41573481f},
  {0.35355339f, -0.35355339f, -0.35355339f, 0.35355339f, 0.35355339f, -0.35355339f, -0.35355339f, 0.35355339f},
  {0.27778512f, -0.49039264f, 0.09754516f, 0.41573481f, -0.41573481f, -0.09754516f, 0.49039264f, -0.27778512f},
  {0.19134172f, -0.46193977f, 0.46193977f, -0.19134172f, -0.19134172f, 0.46193977f, -0.46193977f, 0.19134172f},
  {0.09754516f, -0.27778512f, 0.41573481f, -0.49039264f, 0.49039264f, -0.41573481f, 0.27778512f, -0.09754516f}};
kernel void dct8x8(global const float *a, global float *out, int w) {
  local float t[8][8], u[8][8];
  int x = get_local_id(0), y = get_local_id(1), i = get_global_id(1) * w + get_global_id(0);
  t[y][x] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  for (int k = 0; k < 8; k++) s += cosines[x][k] * t[y][k];
  u[y][x] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  s = 0;
  for (int k = 0; k < 8; k++) s += cosines[y][k] * u[k][x];
  out[i] = s;
}
// run: 8 by 8; ints(64, -999, 999, "i2"), ints(64, 1, 64, "u1"), zeros(64, "i2"), zeros(8, "i4")
kernel void quantise_zigzag(global const short *a, global const uchar *q, global short *out, global int *used) {
  int y = get_global_id(0), n = 0;
  for (int x = 0; x < 8; x++) {
    int d = x + y, i = d < 8 ? d * (d + 1) / 2 + (d & 1 ? y : x) : 63 - ((14 - d) * (15 - d) / 2 + (d & 1 ? 7 - y : 7 - x));
    short v = a[y * 8 + x] / q[y * 8 + x];
    out[i] = v;
    n += v != 0;
  }
  used[y] = n;
}
// run: 64 by 64; normal(64), zeros(64); within 64
kernel void haar_levels(global const float *a, global float *out) {
  local float t[64];
  int l = get_local_id(0);
  t[l] = a[l];
  for (int n = 64; n > 1; n /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float lo = 0, hi = 0;
    if (l < n / 2) { lo = (t[2 * l] + t[2 * l + 1]) * M_SQRT1_2_F; hi = (t[2 * l] - t[2 * l + 1]) * M_SQRT1_2_F; }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < n / 2) { t[l] = lo; t[n / 2 + l] = hi; }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = t[l];
}
// run: 64 by 16; ints(64, -99, 99), zeros(64, "i4")
kernel void lifting_integer(global const int *a, global int *out) {
  int i = get_global_id(0), n = 32;
  if (i < n) {
    int next = a[min(2 * i + 2, 62)], high = a[2 * i + 1] - ((a[2 * i] + next) >> 1);
    int before = i ? a[2 * i - 1] - ((a[2 * i - 2] + a[2 * i]) >> 1) : high;
    out[i] = a[2 * i] + ((before + high + 2) >> 2);
    out[n + i] = high;
  }
}
// run: 64 by 64; bits(64), zeros(64, "i4")
kernel void walsh_hadamard(global const uint *a, global int *out) {
  local int t[64];
  int l = get_local_id(0);
  t[l] = (int)(a[l] & 255) - 128;
  for (int h = 1; h < 64; h *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int u = t[l], v = t[l ^ h];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = l & h ? v - u : u + v;
  }
  out[l] = t[l];
}
// run: 8 by 4; normal(8 * 40), zeros(320), 40, 0.1, 0.2, 0.1, -1.2, 0.5; within 512
kernel void biquad_rows(global const float *x, global float *y, int n, float b0, float b1, float b2, float a1, float a2) {
  int r = get_global_id(0) * n;
  float z1 = 0, z2 = 0;
  for (int k = 0; k < n; k++) {
    float v = x[r + k], o = b0 * v + z1;
    z1 = b1 * v - a1 * o + z2;
    z2 = b2 * v - a2 * o;
    y[r + k] = o;
  }
}
// run: 100 by 32; normal(120), normal(20), zeros(101), 101, 20; within 64
kernel void correlate(global const float *a, global const float *b, global float *out, int n, int m) {
  local float t[52];
  int base = get_group_id(0) * 32;
  for (int k = get_local_id(0); k < 52; k += 32) t[k] = base + k < 120 ? a[base + k] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int i = get_global_id(0);
  if (i >= n) return;
  float s = 0;
  for (int k = 0; k < m; k++) s = fma(t[get_local_id(0) + k], b[k], s);
  out[i] = s;
}
// run: 40 by 8; normal(64), zeros(40), 1.6, 64; within 32
kernel void resample(global const float *a, global float *out, float step, int n) {
  float at = get_global_id(0) * step;
  int i = convert_int_rtz(at);
  float f = at - i, p = a[max(i - 1, 0)], q = a[i], r = a[min(i + 1, n - 1)], s = a[min(i + 2, n - 1)];
  out[get_global_id(0)] = q + 0.5f * f * (r - p + f * (2 * p - 5 * q + 4 * r - s + f * (3 * (q - r) + s - p)));
}
// run: 64 by 16; ints(64, -30000, 30000, "i2"), zeros(64, "u1"), zeros(64, "i2")
kernel void mu_law(global const short *a, global uchar *code, global short *back) {
  int i = get_global_id(0), s = a[i] < 0, m = min((int)abs(a[i]) + 132, 32767), e = 24 - clz(m);
  uchar c = ~(s << 7 | e << 4 | (m >> (e + 3) & 15));
  code[i] = c;
  c = ~c;
  int v = (((c & 15) << 3) + 132 << (c >> 4 & 7)) - 132;
  back[i] = c & 128 ? -v : v;
}
// run: 48 by 16; normal(48), zeros(48, "i4"), 48, 0.5
kernel void peaks(global const float *a, global int *peak, int n, float least) {
  int i = get_global_id(0);
  peak[i] = i > 0 && i < n - 1 && isgreater(a[i], least) && a[i] > a[i - 1] && a[i] >= a[i + 1] ? 1 + signbit(a[i - 1]) : 0;
}
// run: 16 by 16; normal(256), zeros(256), 16; within 64
kernel void window_and_power(global const float *a, global float *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++) {
    float w = 0.5f - 0.5f * cospi(2.0f * k / n), v = a[i * n + k] * w;
    out[i * n + k] = log2(1 + v * v);
  }
}
