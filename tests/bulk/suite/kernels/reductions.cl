// Reductions and scans of all shapes: trees with guards, strides, groups, subgroups, atomics.

// run: 1000 by 64; ints(1000), zeros(16, "i4"), 1000
kernel void tree_guarded(global const int *a, global int *out, int n) {
  local int t[64];
  uint l = get_local_id(0), i = get_global_id(0);
  t[l] = i < n ? a[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = t[0];
}
// run: 1000 by 32; uniform(1000), zeros(32), scratch(32), 1000; within 16; model sums_plain
// PoCL 3.1 runs the rounds of this loop for the first work-item only.
kernel void sums_plain(global const float *a, global float *out, local float *t, uint n) {
  for (uint i = 0; i < n; i++) out[i / 32] += a[i];
}
kernel void tree_interleaved(global const float *a, global float *out, local float *t, uint n) {
  uint l = get_local_id(0), i = get_global_id(0);
  t[l] = (i < n) ? a[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 1; s < get_local_size(0); s *= 2) {
    if (l % (2 * s) == 0) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = t[0];
}
// run: 256 by 64; normal(5000), zeros(4), 5000; within 64
kernel void grid_stride_sum(global const float *a, global float *out, int n) {
  local float t[64];
  int l = get_local_id(0);
  float s = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) s += a[i];
  t[l] = s;
  for (int k = 32; k; k >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < k) t[l] += t[l + k];
  }
  if (!l) out[get_group_id(0)] = t[0];
}
// run: 300 by 64; normal(300, 100), listed(-1, -1, -1, -1, -1), zeros(5), 300
kernel void arg_max(global const float *a, global int *where, global float *most, int n) {
  local float v[64];
  local int p[64];
  int l = get_local_id(0), i = get_global_id(0);
  v[l] = i < n ? a[i] : -INFINITY;
  p[l] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 32; s > 0; s /= 2) {
    if (l < s && (v[l + s] > v[l] || (v[l + s] == v[l] && p[l + s] < p[l]))) { v[l] = v[l + s]; p[l] = p[l + s]; }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) { where[get_group_id(0)] = p[0]; most[get_group_id(0)] = v[0]; }
}
// run: 512 by 128; ints(512, -50, 50), zeros(512, "i4")
kernel void scan_hillis_steele(global const int *a, global int *out) {
  local int t[2][128];
  int l = get_local_id(0), from = 0;
  t[0][l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 1; s < 128; s <<= 1) {
    t[1 - from][l] = t[from][l] + (l >= s ? t[from][l - s] : 0);
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = t[from][l];
}
// run: 128 by 64; ints(256, 0, 9), zeros(256, "i4"), zeros(2, "i4"), scratch(128, "i4")
kernel void scan_blelloch(global const int *a, global int *out, global int *sums, local int *t) {
  int l = get_local_id(0), base = get_group_id(0) * 128, n = 128, step = 1;
  t[2 * l] = a[base + 2 * l];
  t[2 * l + 1] = a[base + 2 * l + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) t[step * (2 * l + 2) - 1] += t[step * (2 * l + 1) - 1];
    step *= 2;
  }
  if (l == 0) { sums[get_group_id(0)] = t[n - 1]; t[n - 1] = 0; }
  for (int d = 1; d < n; d *= 2) {
    step >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) {
      int i = step * (2 * l + 1) - 1, j = step * (2 * l + 2) - 1, k = t[i];
      t[i] = t[j];
      t[j] += k;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + 2 * l] = t[2 * l];
  out[base + 2 * l + 1] = t[2 * l + 1];
}
// run: 600 by 64; bits(600, "u1"), zeros(256, "u4"), 600
kernel void histogram_local(global const uchar *a, global uint *h, int n) {
  local uint t[256];
  for (int k = get_local_id(0); k < 256; k += get_local_size(0)) t[k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int i = get_global_id(0);
  if (i < n) atomic_inc(&t[a[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = get_local_id(0); k < 256; k += get_local_size(0))
    if (t[k]) atomic_add(&h[k], t[k]);
}
// run: 512 by 32; normal(512), zeros(16, "u4"), 512, -3.0, 3.0
kernel void histogram_of_floats(global const float *a, volatile global uint *h, int n, float low, float high) {
  int i = get_global_id(0);
  if (i >= n || !(a[i] >= low && a[i] < high)) return;
  atomic_add(h + (int)((a[i] - low) * 2.0f), 1u);
}
// run: 256 by 64; bits(1024), zeros(64, "u4"); model replicated_plain
kernel void replicated_plain(global const uint *a, global uint *h) {
  for (int i = 0; i < 1024; i++) h[i / 256 * 16 + (a[i] >> 28)]++;
}
kernel void histogram_replicated(global const uint4 *a, global uint *h) {
  local uchar t[64][16];
  int l = get_local_id(0);
  for (int k = 0; k < 16; k++) t[l][k] = 0;
  uint4 v = a[get_global_id(0)] >> 28;
  t[l][v.x]++; t[l][v.y]++; t[l][v.z]++; t[l][v.w]++;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l >= 16) return;
  uint s = 0;
  for (int k = 0; k < 64; k++) s += t[k][l];
  h[get_group_id(0) * 16 + l] = s;
}
// run: 1000 by 64; ints(1000, -9999, 9999), zeros(2, "i4"), 1000
kernel void extremes_atomic(global const int *a, global int *out, int n) {
  int i = get_global_id(0);
  if (i < n) { atomic_min(out, a[i]); atomic_max(out + 1, a[i]); }
}
// run: 320 by 32; ints(320, 0, 100), zeros(10, "i4"), zeros(320, "i4"); model group_plain
kernel void group_plain(global const int *a, global int *sums, global int *scans) {
  for (int i = 0; i < 320; i++) { sums[i / 32] += a[i]; scans[i] = sums[i / 32]; }
}
kernel void group_functions(global const int *a, global int *sums, global int *scans) {
  int i = get_global_id(0), s = work_group_reduce_add(a[i]);
  scans[i] = work_group_scan_inclusive_add(a[i]);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = s;
}
// run: 128 by 64; uniform(128), zeros(2); model subgroups_plain; within 8
kernel void subgroups_plain(global const float *a, global float *out) {
  for (int i = 0; i < 128; i++) out[i / 64] += a[i];
}
kernel void two_levels_of_subgroups(global const float *a, global float *out) {
  local float t[64];
  float s = sub_group_reduce_add(a[get_global_id(0)]);
  if (get_sub_group_local_id() == 0) t[get_sub_group_id()] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_id() == 0) {
    float v = 0;
    for (uint k = get_sub_group_local_id(); k < get_num_sub_groups(); k += get_sub_group_size()) v += t[k];
    v = sub_group_reduce_add(v);
    if (get_local_id(0) == 0) out[get_group_id(0)] = v;
  }
}
// run: 256 by 64; ints(256, 0, 3), zeros(256, "i4"), zeros(4, "i4"), 256; model compact_plain
kernel void compact_plain(global const int *a, global int *out, global int *counts, int n) {
  for (int i = 0; i < n; i++)
    if (a[i] == 1) out[i / 64 * 64 + counts[i / 64]++] = i;
}
kernel void compact_in_groups(global const int *a, global int *out, global int *counts, int n) {
  local int t[64];
  int i = get_global_id(0), l = get_local_id(0), keep = i < n && a[i] == 1;
  t[l] = keep;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 1; s < 64; s *= 2) {
    int v = l >= s ? t[l - s] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] += v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (keep) out[get_group_id(0) * 64 + t[l] - 1] = i;
  if (l == 63) counts[get_group_id(0)] = t[63];
}
// run: 64 by 16; normal(64 * 20), zeros(64), zeros(64), 20; within 16
kernel void mean_and_deviation(global const float *a, global float *mean, global float *deviation, int n) {
  int row = get_global_id(0);
  float m = 0, q = 0;
  for (int k = 0; k < n; k++) {
    float d = a[row * n + k] - m;
    m += d / (k + 1);
    q += d * (a[row * n + k] - m);
  }
  mean[row] = m;
  deviation[row] = sqrt(q / (n - 1));
}
// run: 400 by 64; normal(400), normal(400), zeros(1, "u4"), zeros(7), 400; within 16
kernel void dot_last_group(global const float *a, global const float *b, volatile global uint *done, global float *out, int n) {
  local float t[64];
  int l = get_local_id(0), i = get_global_id(0);
  t[l] = i < n ? a[i] * b[i] : 0;
  for (int s = 32; s; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s) t[l] += t[l + s];
  }
  if (l) return;
  out[get_group_id(0)] = t[0];
  atomic_inc(done);
}
// run: 200 by 32; uniform(200, -5, 5), zeros(7, "i4"), 200
kernel void sign_votes(global const float *a, global int *out, int n) {
  local int any_negative, all_small;
  if (get_local_id(0) == 0) { any_negative = 0; all_small = 1; }
  barrier(CLK_LOCAL_MEM_FENCE);
  int i = get_global_id(0);
  if (i < n) {
    if (a[i] < -4.5f) atomic_or(&any_negative, 1);
    if (fabs(a[i]) > 4.9f) atomic_and(&all_small, 0);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) out[get_group_id(0)] = 2 * any_negative + all_small;
}
// run: 256 by 64; ints(256, 1, 5), ints(256, 0, 2), zeros(256, "i4")
kernel void segmented_scan(global const int *a, global const int *heads, global int *out) {
  local int v[64], f[64];
  int l = get_local_id(0), i = get_global_id(0);
  v[l] = a[i]; f[l] = heads[i] & (l != 3);
  for (int s = 1; s < 64; s *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int w = v[l], g = f[l];
    if (l >= s && !g) { w += v[l - s]; g = f[l - s]; }
    barrier(CLK_LOCAL_MEM_FENCE);
    v[l] = w; f[l] = g;
  }
  out[i] = v[l];
}
// run: 96 by 96; uniform(96, type="f8"), zeros(1, "f8"), 77; on pvc; within 16
kernel void uneven_group_double(global const double *a, global double *out, int n) {
  local double t[96];
  int l = get_local_id(0);
  t[l] = l < n ? a[l] : 0;
  for (int m = 96; m > 1; m = (m + 1) / 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int half_of = (m + 1) / 2;
    if (l + half_of < m) t[l] += t[l + half_of];
  }
  if (l == 0) *out = t[0];
}
// run: 128 by 32; bits(128, "u8"), zeros(4, "u8"), zeros(4, "i4")
kernel void xor_and_bits(global const ulong *a, global ulong *out, global int *ones) {
  local ulong t[32];
  local int c[32];
  int l = get_local_id(0);
  ulong v = a[get_global_id(0)];
  t[l] = v; c[l] = popcount(v);
  for (int s = 16; s; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s) { t[l] ^= t[l + s]; c[l] += c[l + s]; }
  }
  if (l == 0) { out[get_group_id(0)] = t[0]; ones[get_group_id(0)] = c[0]; }
}
// run: 512 by 64; normal(512), zeros(1), 512; within 64
float exchanged(volatile global float *p, float v) {
  union { float f; uint u; } old, new;
  do { old.f = *p; new.f = fmax(old.f, v); } while (atomic_cmpxchg((volatile global uint *)p, old.u, new.u) != old.u);
  return old.f;
}
kernel void max_by_exchange(global const float *a, volatile global float *out, int n) {
  int i = get_global_id(0);
  if (i < n) exchanged(out, a[i]);
}
