// Kernels of language models: norms, softmax, rotations, attention, quantised products, mostly with relaxed mathematics.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
float group_sum(local float *t, float v) {
  int l = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  t[l] = v;
  for (int s = get_local_size(0) / 2; s; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s) t[l] += t[l + s];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return t[0];
}
float group_max(local float *t, float v) {
  int l = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  t[l] = v;
  for (int s = get_local_size(0) / 2; s; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s) t[l] = fmax(t[l], t[l + s]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return t[0];
}
#ifdef cl_khr_fp16
typedef struct { half d; uchar q[16]; } Block4;
typedef struct { half d; char q[32]; } Block8;
typedef struct { half d, m; uchar q[16]; } Block41;
#endif
// PoCL 3.1 has no halfs: models decode them.
float decoded(ushort h) {
  uint e = h >> 10 & 31, m = h & 1023;
  float v = e ? as_float((e + 112) << 23 | m << 13) : m * 0x1p-24f;
  return h >> 15 ? -v : v;
}

// run: 256 by 32; normal(800), uniform(100, 0.5, 1.5), zeros(800), 100, 1e-5; within 16; option -cl-fast-relaxed-math
kernel void rms_norm(global const float *x, global const float *w, global float *y, int n, float eps) {
  local float t[32];
  int row = get_group_id(0);
  float s = 0;
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) s += x[row * n + i] * x[row * n + i];
  float scale = rsqrt(group_sum(t, s) / n + eps);
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) y[row * n + i] = x[row * n + i] * scale * w[i];
}
// run: 128 by 32; normal(512), zeros(512), 32, 1e-5; model rms_plain; within 16; option -cl-fast-relaxed-math
kernel void rms_plain(global const float *x, global float *y, int n, float eps) {
  for (int r = 0; r < 4; r++) {
    float s = 0;
    for (int i = 0; i < 4 * n; i++) s += x[r * 4 * n + i] * x[r * 4 * n + i];
    for (int i = 0; i < 4 * n; i++) y[r * 4 * n + i] = x[r * 4 * n + i] / sqrt(s / (4 * n) + eps);
  }
}
kernel void rms_norm_of_subgroups(global const float4 *x, global float4 *y, int n, float eps) {
  local float sums[8];
  float4 v = x[get_global_id(0)];
  float s = sub_group_reduce_add(dot(v, v));
  if (get_sub_group_local_id() == 0) sums[get_sub_group_id()] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  float all_of = 0;
  for (uint k = 0; k < get_num_sub_groups(); k++) all_of += sums[k];
  y[get_global_id(0)] = v * rsqrt(all_of / (4 * n) + eps);
}
// run: 128 by 32; normal(400), uniform(100), normal(100), zeros(400), 100, 1e-5; within 32; option -cl-fast-relaxed-math
kernel void layer_norm(global const float *x, global const float *w, global const float *b, global float *y, int n, float eps) {
  local float t[32];
  global const float *r = x + get_group_id(0) * n;
  float s = 0, q = 0;
  for (int i = get_local_id(0); i < n; i += 32) s += r[i];
  float mean = group_sum(t, s) / n;
  for (int i = get_local_id(0); i < n; i += 32) q += (r[i] - mean) * (r[i] - mean);
  float k = rsqrt(group_sum(t, q) / n + eps);
  for (int i = get_local_id(0); i < n; i += 32) y[get_group_id(0) * n + i] = fma((r[i] - mean) * k, w[i], b[i]);
}
// run: 128 by 32; normal(240, 4), zeros(240), 60, 0.125; within 64; option -cl-fast-relaxed-math
kernel void softmax_rows(global const float *x, global float *y, int n, float scale) {
  local float t[32];
  int row = get_group_id(0) * n, l = get_local_id(0);
  float m = -INFINITY, s = 0;
  for (int i = l; i < n; i += 32) m = fmax(m, x[row + i] * scale);
  m = group_max(t, m);
  for (int i = l; i < n; i += 32) { float e = exp(x[row + i] * scale - m); y[row + i] = e; s += e; }
  s = group_sum(t, s);
  for (int i = l; i < n; i += 32) y[row + i] /= s;
}
// run: 128 by 16; normal(8 * 40, 3), normal(8), zeros(320), 40, 5; within 64
kernel void softmax_masked(global const float *x, global const float *slopes, global float *y, int n, int past) {
  local float t[16];
  int row = get_group_id(0), l = get_local_id(0), seen = min(n, past + row * 3 + 1);
  float m = -1e30f, s = 0;
  for (int i = l; i < seen; i += 16) m = fmax(m, x[row * n + i] + slopes[row] * (i - past));
  m = group_max(t, m);
  for (int i = l; i < seen; i += 16) s += exp(x[row * n + i] + slopes[row] * (i - past) - m);
  s = group_sum(t, s);
  for (int i = l; i < n; i += 16) y[row * n + i] = i < seen ? exp(x[row * n + i] + slopes[row] * (i - past) - m) / s : 0;
}
// run: 64 by 16; normal(512, 3), zeros(512); model online_plain; within 64
kernel void online_plain(global const float *x, global float *y) {
  for (int r = 0; r < 4; r++) {
    float m = -INFINITY, s = 0;
    for (int i = 0; i < 128; i++) m = fmax(m, x[r * 128 + i]);
    for (int i = 0; i < 128; i++) s += exp(x[r * 128 + i] - m);
    for (int i = 0; i < 128; i++) y[r * 128 + i] = exp(x[r * 128 + i] - m) / s;
  }
}
kernel void softmax_online(global const float *x, global float *y) {
  int row = get_group_id(0) * 128, l = get_local_id(0);
  float m = -INFINITY, s = 0;
  for (int i = l; i < 128; i += 16) {
    float v = x[row + i], next = fmax(m, v);
    s = s * exp(m - next) + exp(v - next);
    m = next;
  }
  float most = work_group_reduce_max(m);
  s = work_group_reduce_add(s * exp(m - most));
  for (int i = l; i < 128; i += 16) y[row + i] = exp(x[row + i] - most) / s;
}
// run: 8 4 by 8 1; normal(4 * 16), zeros(64), ints(4, 0, 100), 16, 10000.0; within 512
kernel void rope_pairs(global const float *x, global float *y, global const int *places, int n, float base) {
  int i = get_global_id(0), t = get_global_id(1);
  float angle = places[t] * pow(base, -2.0f * i / n), c, s = sincos(angle, &c);
  float a = x[t * n + 2 * i], b = x[t * n + 2 * i + 1];
  y[t * n + 2 * i] = a * c - b * s;
  y[t * n + 2 * i + 1] = a * s + b * c;
}
// run: 8 3 by 4 1; normal(3 * 20), zeros(60), 20, 16; within 512
kernel void rope_halves(global const float *x, global float *y, int n, int turned) {
  int i = get_global_id(0), t = get_global_id(1), half_of = turned / 2;
  if (i < half_of) {
    float angle = t * exp2(-13.0f * i / half_of);
    float a = x[t * n + i], b = x[t * n + i + half_of];
    y[t * n + i] = a * cos(angle) - b * sin(angle);
    y[t * n + i + half_of] = a * sin(angle) + b * cos(angle);
  }
  if (i < n - turned) y[t * n + turned + i] = x[t * n + turned + i];
}
// run: 200 by 64; normal(200, 3), normal(200), zeros(200), zeros(200), 200; within 64; option -cl-fast-relaxed-math
kernel void gates(global const float *x, global const float *g, global float *swiglu, global float *gelu, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  swiglu[i] = x[i] / (1 + exp(-x[i])) * g[i];
  gelu[i] = 0.5f * x[i] * (1 + tanh(0.79788456f * x[i] * (1 + 0.044715f * x[i] * x[i])));
}
// run: 256 by 32; records(8 * 3, "f2, (16,)u1"), normal(96), zeros(8), 3; model q4_plain; within 16; option -cl-fast-relaxed-math
kernel void q4_plain(global const ushort *w, global const float *x, global float *y, int blocks) {
  for (int r = 0; r < 8; r++)
    for (int b = 0; b < blocks; b++) {
      global const ushort *p = w + (r * blocks + b) * 9;
      global const uchar *q = (global const uchar *)(p + 1);
      float s = 0;
      for (int k = 0; k < 16; k++) s += ((q[k] & 15) - 8) * x[b * 32 + k] + ((q[k] >> 4) - 8) * x[b * 32 + 16 + k];
      y[r] += s * decoded(*p);
    }
}
kernel void q4_matvec(global const Block4 *w, global const float *x, global float *y, int blocks) {
  local float t[32];
  int row = get_group_id(0), l = get_local_id(0);
  float s = 0;
  for (int i = l; i < 16 * blocks; i += 32) {
    int b = i / 16, k = i % 16;
    global const Block4 *p = w + row * blocks + b;
    float part = ((p->q[k] & 15) - 8) * x[b * 32 + k] + ((p->q[k] >> 4) - 8) * x[b * 32 + 16 + k];
    s += part * vload_half(0, (global const half *)p);
  }
  s = group_sum(t, s);
  if (l == 0) y[row] = s;
}
// run: 128 by 16; records(8 * 2, "f2, (32,)i1"), normal(64), zeros(8), 2; model q8_plain; within 16; option -cl-fast-relaxed-math
kernel void q8_plain(global const ushort *w, global const float *x, global float *y, int blocks) {
  for (int r = 0; r < 8; r++)
    for (int b = 0; b < blocks; b++) {
      global const ushort *p = w + (r * blocks + b) * 17;
      float s = 0;
      for (int k = 0; k < 32; k++) s += ((global const char *)(p + 1))[k] * x[b * 32 + k];
      y[r] += s * decoded(*p);
    }
}
kernel __attribute__((intel_reqd_sub_group_size(16)))
void q8_matvec(global const Block8 *w, global const float *x, global float *y, int blocks) {
  int row = get_group_id(0), l = get_sub_group_local_id();
  float s = 0;
  for (int b = 0; b < blocks; b++) {
    global const Block8 *p = w + row * blocks + b;
    s += p->d * (p->q[l] * x[b * 32 + l] + p->q[l + 16] * x[b * 32 + l + 16]);
  }
  s = sub_group_reduce_add(s);
  if (l == 0) y[row] = s;
}
// run: 10 by 2; records(40, "f2, f2, (16,)u1"), zeros(40 * 32), 4; model q41_plain; within 4
kernel void q41_plain(global const ushort *w, global float *y, int each) {
  for (int i = 0; i < 10 * each; i++)
    for (int k = 0; k < 32; k++) {
      uchar q = ((global const uchar *)(w + i * 10 + 2))[k % 16];
      y[i * 32 + k] = decoded(w[i * 10]) * (k < 16 ? q & 15 : q >> 4) + decoded(w[i * 10 + 1]);
    }
}
kernel void q41_dequantise(global const Block41 *w, global float *y, int each) {
  for (int b = 0; b < each; b++) {
    Block41 k = w[get_global_id(0) * each + b];
    global float *o = y + (get_global_id(0) * each + b) * 32;
    float d = k.d, m = k.m;
    for (int i = 0; i < 16; i++) { o[i] = d * (k.q[i] & 15) + m; o[i + 16] = d * (k.q[i] >> 4) + m; }
  }
}
// run: 12 by 4; normal(384, 2), zeros(384, "i1"), zeros(12)
kernel void quantise_to_bytes(global const float *x, global char *q, global float *scale) {
  int b = get_global_id(0);
  float most = 0;
  for (int k = 0; k < 32; k++) most = fmax(most, fabs(x[b * 32 + k]));
  scale[b] = most * 0.0078125f;
  for (int k = 0; k < 32; k++) q[b * 32 + k] = convert_char_sat_rte(x[b * 32 + k] * 32.0f);
}
// run: 8 by 8; ints(8 * 64, -128, 128, "i1"), ints(64, -128, 128, "i1"), zeros(8, "i4"), 64; except spirv22
// Clang 22's SPIR-V takes signed bytes for unsigned ones in conversions.
kernel void bytes_matvec(global const char4 *a, global const char4 *x, global int *y, int n) {
  int row = get_global_id(0), s = 0;
  for (int k = 0; k < n / 4; k++) {
    int4 p = convert_int4(a[row * n / 4 + k]) * convert_int4(x[k]);
    s += p.x + p.y + p.z + p.w;
  }
  y[row] = s;
}
// run: 64 by 16; normal(64), normal(24 * 16), normal(24 * 16), zeros(64), 24; within 64; option -cl-fast-relaxed-math
kernel void attention_decode(global const float *q, global const float *k, global const float *v, global float *out, int n) {
  local float t[16], w[32];
  int head = get_group_id(0), l = get_local_id(0);
  float m = -INFINITY, s = 0;
  for (int i = l; i < n; i += 16) {
    float a = 0;
    for (int d = 0; d < 16; d++) a += q[head * 16 + d] * k[i * 16 + d];
    w[i] = a * 0.25f;
    m = fmax(m, w[i]);
  }
  m = group_max(t, m);
  for (int i = l; i < n; i += 16) { w[i] = exp(w[i] - m); s += w[i]; }
  s = group_sum(t, s);
  float o = 0;
  for (int i = 0; i < n; i++) o += w[i] * v[i * 16 + l];
  out[head * 16 + l] = o / s;
}
// run: 16 by 16; normal(128), normal(256), normal(256), zeros(128), 32; within 64
kernel void attention_flash(global const float *q, global const float *k, global const float *v, global float *out, int n) {
  local float ks[8][8], vs[8][8];
  int i = get_local_id(0);
  float a[8], o[8], m = -INFINITY, s = 0;
  for (int d = 0; d < 8; d++) { a[d] = q[i * 8 + d] * M_SQRT1_2_F * 0.5f; o[d] = 0; }
  for (int b = 0; b < n; b += 8) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int e = i; e < 64; e += 16) { ks[e / 8][e % 8] = k[b * 8 + e]; vs[e / 8][e % 8] = v[b * 8 + e]; }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 8; j++) {
      if (b + j > i + 16) continue;
      float p = 0;
      for (int d = 0; d < 8; d++) p += a[d] * ks[j][d];
      float next = fmax(m, p), old = exp(m - next), w = exp(p - next);
      s = s * old + w;
      for (int d = 0; d < 8; d++) o[d] = o[d] * old + w * vs[j][d];
      m = next;
    }
  }
  for (int d = 0; d < 8; d++) out[i * 8 + d] = o[d] / s;
}
// run: 32 by 16; normal(2 * 50, 2), zeros(2, "i4"), 50
kernel void greedy_token(global const float *x, global int *token, int n) {
  local float v[16];
  local int p[16];
  int l = get_local_id(0), row = get_group_id(0);
  v[l] = -INFINITY; p[l] = n;
  for (int i = l; i < n; i += 16)
    if (x[row * n + i] > v[l]) { v[l] = x[row * n + i]; p[l] = i; }
  for (int s = 8; s; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s && (v[l + s] > v[l] || (v[l + s] == v[l] && p[l + s] < p[l]))) { v[l] = v[l + s]; p[l] = p[l + s]; }
  }
  if (l == 0) token[row] = p[0];
}
// run: 16 by 16; normal(16, 4), zeros(4), zeros(4, "i4"), 16; within 64; option -cl-fast-relaxed-math
kernel void top_experts(global const float *x, global float *w, global int *chosen, int n) {
  if (get_global_id(0)) return;
  uint used = 0;
  float s = 0, first = 0;
  for (int k = 0; k < 4; k++) {
    int best = -1;
    for (int i = 0; i < n; i++)
      if (!(used >> i & 1) && (best < 0 || x[i] > x[best])) best = i;
    used |= 1u << best;
    if (k == 0) first = x[best];
    chosen[k] = best;
    w[k] = exp(x[best] - first);
    s += w[k];
  }
  for (int k = 0; k < 4; k++) w[k] /= s;
}
// run: 16 5 by 16 1; ints(5, 0, 30), normal(480), zeros(80), 16
kernel void embedding_rows(global const int *tokens, global const float *table, global float *out, int n) {
  out[get_global_id(1) * n + get_global_id(0)] = table[tokens[get_global_id(1)] * n + get_global_id(0)];
}
// run: 8 4 by 8 4; bits(8 * 16, "u2"), normal(64), zeros(32); within 16; option -cl-fast-relaxed-math
kernel void bfloats_matmul(global const ushort *w, global const float *x, global float *y) {
  int r = get_global_id(0), c = get_global_id(1);
  float s = 0;
  for (int k = 0; k < 16; k++) s += as_float((uint)(w[r * 16 + k] & 0xbfff) << 16) * x[k * 4 + c];
  y[r * 4 + c] = s;
}
// run: 64 by 32; normal(64, type="f2"), zeros(64, "f2"), zeros(64); model halves_plain
kernel void halves_plain(global const ushort *a, global ushort *b, global float *f) {
  for (int i = 0; i < 64; i++) {
    f[i] = decoded(a[i]) * 2 + 1;
    b[i] = a[i] >> 15 ? 0 : a[i];
  }
}
kernel void halves_rectified(global const half *a, global half *b, global float *f) {
  int i = get_global_id(0);
  b[i] = fmax(a[i], (half)0);
  f[i] = fma(convert_float(a[i]), 2.0f, 1.0f);
}
