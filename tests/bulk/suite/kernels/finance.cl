// Finance: closed forms, trees, random paths and differences. Functions of OpenCL may differ by some units, which the
// prices' own bounds contain.
float normal_cdf(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float p = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float c = 0.39894228f * exp(-0.5f * d * d) * p;
  return d > 0 ? 1.0f - c : c;
}
uint xorshift(uint *s) { *s ^= *s << 13; *s ^= *s >> 17; *s ^= *s << 5; return *s; }
float unit(uint *s) { return (xorshift(s) >> 8) * 0x1p-24f; }
float gauss(uint *s) { float u = unit(s) + 0x1p-25f, v = unit(s); return sqrt(-2 * log(u)) * cospi(2 * v); }

// run: 500 by 64; uniform(500, 5, 30), uniform(500, 1, 100), uniform(500, 0.25, 10), zeros(500), zeros(500), 0.02, 0.3, 500; within 64
kernel void black_scholes(global const float *price, global const float *strike, global const float *years,
                          global float *call, global float *put, float r, float v, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float t = sqrt(years[i]), d1 = (log(price[i] / strike[i]) + (r + 0.5f * v * v) * years[i]) / (v * t), d2 = d1 - v * t;
  float x = strike[i] * exp(-r * years[i]), c1 = normal_cdf(d1), c2 = normal_cdf(d2);
  call[i] = price[i] * c1 - x * c2;
  put[i] = x * (1 - c2) - price[i] * (1 - c1);
}
// run: 400 by 64; uniform(400, 5, 30), uniform(400, 1, 100), uniform(400, 0.25, 10), zeros(400), zeros(400), 0.02, 0.3, 400; within 4096; option -cl-fast-relaxed-math
kernel void black_scholes_native(global const float *price, global const float *strike, global const float *years,
                                 global float *call, global float *put, float r, float v, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float t = native_sqrt(years[i]), d1 = (native_log(price[i] / strike[i]) + (r + 0.5f * v * v) * years[i]) / (v * t);
  float x = strike[i] * native_exp(-r * years[i]), c1 = normal_cdf(d1), c2 = normal_cdf(d1 - v * t);
  call[i] = price[i] * c1 - x * c2;
  put[i] = x * (1 - c2) - price[i] * (1 - c1);
}
// run: 50 by 16; uniform(200, 5, 30), uniform(200, 5, 30), zeros(200), 50; within 64
kernel void black_scholes_vectors(global const float4 *price, global const float4 *strike, global float4 *call, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float4 d1 = (log(price[i] / strike[i]) + 0.045f) * 2.5f, d2 = d1 - 0.4f;
  call[i] = price[i] * 0.5f * erfc(-d1 * M_SQRT1_2_F) - strike[i] * exp(-0.02f) * 0.5f * erfc(-d2 * M_SQRT1_2_F);
}
// run: 100 by 32; uniform(100, 50, 150, "f8"), zeros(100, "f8"), 100; on pvc; within 64
kernel void black_scholes_double(global const double *price, global double *call, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  double d1 = (log(price[i] / 100) + 0.06) / 0.2, d2 = d1 - 0.2;
  call[i] = 0.5 * (price[i] * erfc(-d1 * M_SQRT1_2) - 100 * exp(-0.04) * erfc(-d2 * M_SQRT1_2));
}
// run: 512 by 64; uniform(8, 80, 120), zeros(8), 0.02, 0.25, 1.0; within 64
kernel void binomial_american(global const float *price, global float *out, float r, float v, float years) {
  local float t[64];
  int l = get_local_id(0), n = 63;
  float dt = years / n, u = exp(v * sqrt(dt)), d = 1 / u, p = (exp(r * dt) - d) / (u - d), q = exp(-r * dt);
  float s = price[get_group_id(0)] * pow(u, (float)(2 * l - n));
  t[l] = fmax(100 - s, 0.0f);
  for (int step = n - 1; step >= 0; step--) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float next = l <= step ? q * (p * t[l + 1] + (1 - p) * t[l]) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s = price[get_group_id(0)] * pow(u, (float)(2 * l - step));
    if (l <= step) t[l] = fmax(next, 100 - s);
  }
  if (l == 0) out[get_group_id(0)] = t[0];
}
// run: 20 by 20; uniform(20, 80, 120), zeros(20), 40; within 64
kernel void binomial_private(global const float *price, global float *out, int n) {
  float t[41], u = 1.05f, d = 1 / 1.05f, p = (1.001f - d) / (u - d), s = price[get_global_id(0)] * pown(d, n);
  for (int k = 0; k <= n; k++, s *= u * u) t[k] = fmax(s - 100, 0.0f);
  for (int m = n; m > 0; m--)
    for (int k = 0; k < m; k++) t[k] = (p * t[k + 1] + (1 - p) * t[k]) / 1.001f;
  out[get_global_id(0)] = t[0];
}
// run: 128 by 32; bits(128), zeros(128), zeros(4), 100.0, 20; within 256
kernel void paths_asian(global const uint *seeds, global float *each, global float *mean, float s0, int steps) {
  local float t[32];
  int l = get_local_id(0), i = get_global_id(0);
  uint seed = seeds[i] | 1;
  float s = s0, sum = 0;
  for (int k = 0; k < steps; k++) { s *= exp(-0.0005f + 0.03f * gauss(&seed)); sum += s; }
  each[i] = t[l] = fmax(sum / steps - s0, 0.0f);
  for (int d = 16; d; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) t[l] += t[l + d];
  }
  if (l == 0) mean[get_group_id(0)] = t[0] / 32;
}
// run: 100 by 32; bits(100), zeros(100), zeros(100, "i4"), 105.0, 100; within 1024
kernel void paths_with_barrier(global const uint *seeds, global float *end, global int *when, float limit, int n) {
  int i = get_global_id(0), k = 0;
  if (i >= n) return;
  uint seed = seeds[i] | 1;
  float s = 100;
  for (; k < 30; k++) {
    uint up = xorshift(&seed) >> 31;
    s *= up ? 1.015625f : 0.984375f;
    if (s > limit) { s = 0; break; }
  }
  end[i] = s;
  when[i] = k;
}
// run: 256 by 64; bits(256), zeros(1, "i4"), zeros(256, "i4"), 256
kernel void pi_by_darts(global const uint *seeds, global int *hits, global int *mine, int n) {
  uint seed = seeds[get_global_id(0)] | 1;
  int h = 0;
  for (int k = 0; k < 50; k++) {
    float x = unit(&seed), y = unit(&seed);
    h += fma(x, x, y * y) < 0.8125f ? 1 : 0;
  }
  mine[get_global_id(0)] = h / 50;
  atomic_add(hits, h / 50);
}
// run: 64 by 64; zeros(64), zeros(64), 60, 0.02, 0.3; within 512
kernel void explicit_differences(global float *out, global float *early, int steps, float r, float v) {
  local float t[2][64];
  int l = get_local_id(0), at = 0;
  float dt = 1.0f / 2000;
  t[0][l] = fmax(32.0f - l, 0.0f);
  for (int k = 0; k < steps; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float c = t[at][l], next = c;
    if (l > 0 && l < 63) {
      float a = 0.5f * dt * (v * v * l * l - r * l), b = 1 - dt * (v * v * l * l + r), d = 0.5f * dt * (v * v * l * l + r * l);
      next = a * t[at][l - 1] + b * c + d * t[at][l + 1];
    }
    at ^= 1;
    t[at][l] = fmax(next, 32.0f - l);
  }
  out[l] = t[at][l];
  early[l] = t[at][l] == 32.0f - l;
}
// run: 60 by 16; records(60, "f4, f4, i4, f4"), zeros(60), zeros(60), 60; within 32
typedef struct { float coupon, rate; int years; float face; } Bond;
kernel void bonds_and_yields(global const Bond *bonds, global float *price, global float *yield, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  Bond b = bonds[i];
  b.years = b.years % 20 + 1;
  b.rate = 0.01f + 0.1f * b.rate;
  float v = 0, d = 1;
  for (int y = 0; y < b.years; y++) { d /= 1 + b.rate; v += b.coupon * d; }
  price[i] = v + (b.face + 1) * d;
  float lo = 0, hi = 1;
  for (int k = 0; k < 30; k++) {
    float m = 0.5f * (lo + hi), w = 0;
    d = 1;
    for (int y = 0; y < b.years; y++) { d /= 1 + m; w += b.coupon * d; }
    if (w + (b.face + 1) * d > v + 0.25f) lo = m; else hi = m;
  }
  yield[i] = round(hi * 256);
}
// run: 64 by 16; uniform(64, 0.1, 0.6), zeros(64), 64; within 4096
kernel void implied_volatility(global const float *target, global float *out, int n) {
  int i = get_global_id(0);
  float v = 0.3f, price = 100 * (2 * normal_cdf(0.5f * target[i]) - 1);
  for (int k = 0; k < 8; k++) {
    float vega = 100 * 0.39894228f * exp(-0.125f * v * v), error = 100 * (2 * normal_cdf(0.5f * v) - 1) - price;
    if (fabs(error) < 1e-4f) break;
    v -= error / vega;
  }
  out[i] = rint(v * 256);
}
// run: 32 by 32; normal(32 * 8), zeros(64); within 32
kernel void covariance(global const float *returns, global float *out) {
  int i = get_global_id(0) % 8, j = get_global_id(0) / 8;
  float mi = 0, mj = 0, c = 0;
  for (int k = 0; k < 32; k++) { mi += returns[k * 8 + i]; mj += returns[k * 8 + j]; }
  mi /= 32; mj /= 32;
  for (int k = 0; k < 32; k++) c += (returns[k * 8 + i] - mi) * (returns[k * 8 + j] - mj);
  out[j * 8 + i] = c / 31;
}
