// Work-items together: early returns around barriers, functions of groups and subgroups, atomics, copies, generic pointers.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// run: 100 by 32; ints(100, 0, 1000), zeros(100, "i4"), 100
kernel void returns_before_barriers(global const int *a, global int *out, int n) {
  local int t[32];
  int l = get_local_id(0), g = get_group_id(0);
  if (g * 32 >= n) return;
  int left = min(32, n - g * 32);
  t[l] = l < left ? a[g * 32 + l] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (left < 32) {
    if (l < left) out[g * 32 + l] = t[left - 1 - l];
    return;
  }
  t[l] += t[l ^ 1] & 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g * 32 + l] = t[31 - l];
}
// run: 256 by 64; ints(256, 0, 9), zeros(256, "i4"), ints(4, 0, 4)
kernel void barriers_in_a_switch(global const int *a, global int *out, global const int *what) {
  local int t[64];
  int l = get_local_id(0), v = a[get_global_id(0)];
  switch (what[get_group_id(0)]) {
    case 0:
      t[l] = v; barrier(CLK_LOCAL_MEM_FENCE); v = t[63 - l]; break;
    case 1:
      t[l ^ 5] = v; barrier(CLK_LOCAL_MEM_FENCE); v += t[l]; barrier(CLK_LOCAL_MEM_FENCE);
    case 2:
      t[l] = v * 2; barrier(CLK_LOCAL_MEM_FENCE); v = t[(l + 1) & 63]; break;
    default: v = -v;
  }
  out[get_global_id(0)] = v;
}
// run: 128 by 64; ints(128, -50, 50), zeros(256, "i4"), 128; model any_plain
kernel void any_plain(global const int *a, global int *out, int n) {
  for (int g = 0; g < 2; g++) {
    int any = 0, all = 1, most = INT_MIN, least = INT_MAX, s = 0;
    for (int i = 0; i < 64; i++) {
      int v = a[g * 64 + i];
      any |= v > 45; all &= v > -50; most = max(most, v); least = min(least, v);
      out[g * 128 + i] = s;
      s += v;
    }
    for (int i = 0; i < 64; i++) out[g * 128 + 64 + i] = any + 2 * all + 8 * most + 1000 * least + a[g * 64 + 7] * 100000;
  }
}
kernel void all_functions_of_groups(global const int *a, global int *out, int n) {
  int i = get_global_id(0), l = get_local_id(0), v = a[i], base = get_group_id(0) * 128;
  out[base + l] = work_group_scan_exclusive_add(v);
  int any = work_group_any(v > 45) != 0, all = work_group_all(v > -50) != 0;
  out[base + 64 + l] = any + 2 * all + 8 * work_group_reduce_max(v) + 1000 * work_group_reduce_min(v) + work_group_broadcast(v, 7) * 100000;
}
// run: 64 by 64; uniform(64), zeros(64), zeros(64); model scans_plain; within 32
kernel void scans_plain(global const float *a, global float *sums, global float *most) {
  float s = 0, m = -INFINITY;
  for (int i = 0; i < 64; i++) { sums[i] = s += a[i]; most[i] = m = fmax(m, a[i]); }
}
kernel void scans_of_floats(global const float *a, global float *sums, global float *most) {
  int i = get_global_id(0);
  sums[i] = work_group_scan_inclusive_add(a[i]);
  most[i] = work_group_scan_inclusive_max(a[i]);
}
// run: 16 12 by 8 4; ints(192), zeros(6, "i4"); model plane_plain
kernel void plane_plain(global const int *a, global int *out) {
  for (int i = 0; i < 192; i++) out[i / 64 * 2 + i % 16 / 8] += a[i];
}
kernel void groups_in_the_plane(global const int *a, global int *out) {
  int s = work_group_reduce_add(a[get_global_id(1) * 16 + get_global_id(0)]);
  if (get_local_linear_id() == 5) out[get_group_id(1) * 2 + get_group_id(0)] = s;
}
// run: 32 by 32; bits(32), zeros(64, "u4"); model butterfly_plain
kernel void butterfly_plain(global const uint *a, global uint *out) {
  for (int i = 0; i < 32; i++) {
    uint s = 0;
    for (int k = 0; k < 16; k++) s += a[(i & 16) + k];
    out[i] = s;
    out[32 + i] = a[i ^ 3] + a[(i & 16) + (i * 7 & 15)];
  }
}
kernel __attribute__((intel_reqd_sub_group_size(16))) void butterflies(global const uint *a, global uint *out) {
  uint v = a[get_global_id(0)], s = v, l = get_sub_group_local_id();
  for (uint m = 1; m < 16; m <<= 1) s += sub_group_shuffle_xor(s, m);
  out[get_global_id(0)] = s;
  out[32 + get_global_id(0)] = sub_group_shuffle_xor(v, 3) + sub_group_shuffle(v, l * 7 & 15);
}
// run: 32 by 32; ints(32, 0, 100), zeros(32, "i4"), zeros(32, "u4"); model ballot_plain
kernel void ballot_plain(global const int *a, global int *place, global uint *votes) {
  for (int i = 0; i < 32; i++) {
    int k = 0;
    uint b = 0;
    for (int j = 0; j < 16; j++) { b |= (uint)(a[(i & 16) + j] > 50) << j; if (j < (i & 15)) k += a[(i & 16) + j] > 50; }
    votes[i] = b;
    if (a[i] > 50) place[(i & 16) + k] = a[i];
  }
}
kernel __attribute__((intel_reqd_sub_group_size(16))) void ballots_and_places(global const int *a, global int *place, global uint *votes) {
  int i = get_global_id(0), keep = a[i] > 50;
  uint4 b = sub_group_ballot(keep);
  votes[i] = b.x;
  uint k = sub_group_ballot_exclusive_scan(b);
  if (keep) place[(i & 16) + k] = a[i];
}
// run: 48 by 16; ints(48, 0, 20), zeros(3, "i4"); model divergent_plain
kernel void divergent_plain(global const int *a, global int *out) {
  for (int i = 0; i < 48; i++) if (a[i] >= 10) out[i / 16] += a[i];
}
kernel __attribute__((intel_reqd_sub_group_size(16))) void divergent_subgroups(global const int *a, global int *out) {
  int i = get_global_id(0);
  if (a[i] >= 10) {
    int s = sub_group_reduce_add(a[i]);
    out[i / 16] = s;
  }
}
// run: 64 by 16; ints(64), zeros(64, "i4"); except spirv22
// Clang 22's SPIR-V copies arrays where elements are meant.
kernel void copies_in_and_out(global const int *a, global int *out) {
  local int s[16], t[16];
  int l = get_local_id(0), g = get_group_id(0) * 16;
  event_t e = async_work_group_copy(s, a + g, 16, 0);
  wait_group_events(1, &e);
  t[15 - l] = s[l] + l;
  barrier(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy(out + g, t, 16, 0);
  wait_group_events(1, &e);
}
// run: 32 by 16; ints(256), zeros(32, "i4"), 8
kernel void strided_copies(global const int *a, global int *out, int stride) {
  local int t[16];
  event_t e = async_work_group_strided_copy(t, a + get_group_id(0) * 16 * stride + 3, 16, stride, 0);
  wait_group_events(1, &e);
  out[get_global_id(0)] = t[get_local_id(0)] * 3;
}
// run: 96 by 32; ints(96, 0, 8), zeros(8, "u8"), zeros(1, "i4"), 96; model wide_plain
kernel void wide_plain(global const int *a, global ulong *sums, global int *count, int n) {
  for (int i = 0; i < n; i++) { sums[a[i]] += (ulong)i << 30; (*count)++; }
}
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
kernel void wide_atomics(global const int *a, volatile global ulong *sums, volatile global int *count, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  atom_add(&sums[a[i]], (ulong)i << 30);
  atomic_inc(count);
}
// run: 64 by 64; ints(64, 0, 3), zeros(3, "i4"), zeros(64, "i4")
kernel void tickets(global const int *a, volatile global int *queues, global int *order) {
  local int next[3];
  int l = get_local_id(0);
  if (l < 3) next[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int turn = 0; turn < 64; turn++) {
    if (turn == l) order[l] = atomic_inc(&next[a[l]]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l < 3) queues[l] = next[l];
}
// run: 48 by 16; ints(48), zeros(48, "i4"); model generic_plain
int walk(const int *p, int n, int step) { int s = 0; for (int i = 0; i < n; i += step) s = s * 3 + p[i]; return s; }
kernel void generic_plain(global const int *a, global int *out) {
  for (int i = 0; i < 48; i++) {
    int s = 0, t[3] = {i, 2 * i, a[i]};
    if (i % 3 == 0) for (int k = 0; k < 16; k += 4) s = s * 3 + a[i / 16 * 16 + k];
    else if (i % 3 == 1) for (int k = 0; k < 16; k += 5) s = s * 3 + a[i / 16 * 16 + k] + 1;
    else for (int k = 0; k < 3; k++) s = s * 3 + t[k];
    out[i] = s;
  }
}
kernel void generic_pointers_diverge(global const int *a, global int *out) {
  local int t[16];
  int i = get_global_id(0), l = get_local_id(0), mine[3] = {i, 2 * i, a[i]};
  t[l] = a[i] + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int *p;
  int n = 16, step = 4;
  if (i % 3 == 0) p = a + i / 16 * 16;
  else if (i % 3 == 1) { p = t; step = 5; }
  else { p = mine; n = 3; step = 1; }
  out[i] = walk(p, n, step);
}
// run: 40 by 8; normal(40), zeros(40), record("(2,)i4, f4, i2, i2, (4,)i4", (7, 3), 1.5, 5, 30, (1, 2, 3, 4)); within 4
typedef struct { int2 size; float scale; struct { short first, last; } part; int4 weights; } Plan;
float planned(Plan p, float v, int i) { p.scale *= p.weights.s1; return i >= p.part.first && i < p.part.last ? v * p.scale : p.size.x - p.size.y; }
kernel void plans_by_value(global const float *a, global float *out, Plan p) {
  int i = get_global_id(0);
  // PoCL 3.1 shares an argument that is changed between work-items.
  Plan mine = p;
  if (i & 1) mine.weights = p.weights.wzyx;
  out[i] = planned(mine, a[i], i) + (mine.weights.x == 4 ? 1 : 0);
}
// run: 24 by 8; zeros(24, "i4"), zeros(24, "f8"); on pvc
constant int table[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
constant struct { char tag; double weight; short list[3]; } facts[2] = {{1, 0.5, {1, 2, 3}}, {2, 0.25, {4, 5, 6}}};
kernel void constants_of_programs(global int *a, global double *b) {
  int i = get_global_id(0);
  constant int *row = table[i & 3];
  a[i] = row[i % 3] * 100 + facts[i & 1].list[i % 3] + facts[i & 1].tag;
  b[i] = facts[i & 1].weight * row[0];
}
// run: 32 by 8; normal(128), zeros(128), zeros(96); within 8
kernel void vectors_of_three(global const float *a, global float *out, global float3 *aligned) {
  int i = get_global_id(0);
  float3 v = vload3(i, a), w = v.zxy;
  if (i < 24) aligned[i] = (float3)(i, v.y > 0, 2);
  vstore3(cross(v, w) + fabs(v), i, out);
  out[96 + i] = dot(v, w);
}
// run: 64 by 16; normal(64, type="f8"), zeros(64, "f8"), zeros(64, "i8"); on pvc; within 8
kernel void doubles_of_all_kinds(global const double *a, global double *out, global long *bits) {
  int i = get_global_id(0);
  double x = a[i];
  out[i] = (x > 0 ? sqrt(x) : fma(x, x, 1.0)) + floor(x) / 3 + fmod(x, 0.75) + ldexp(x, i % 5);
  bits[i] = as_long(x) ^ (long)(x * 1e6) ^ convert_long_rte(x * 10);
}
// run: 64 by 16; ints(64, -8, 8), zeros(64, "f2"), zeros(64, "i4"); model half_plain
kernel void half_plain(global const int *a, global ushort *out, global int *more) {
  for (int i = 0; i < 64; i++) {
    int v = a[i] * 3 + 1, m = abs(v), e = m ? 31 - clz(m) : 0;
    out[i] = m ? (v < 0) << 15 | (e + 15) << 10 | ((m << 10 >> e) & 1023) : 0;
    more[i] = v > 5;
  }
}
kernel void halves_count(global const int *a, global half *out, global int *more) {
  int i = get_global_id(0);
  half h = (half)a[i] * (half)3 + (half)1;
  out[i] = h;
  more[i] = h > (half)5;
}
// run: 50 by 10; ints(50, 0, 30), zeros(50, "i4")
kernel void jumps(global const int *a, global int *out) {
  int n = a[get_global_id(0)], s = 0, i = 0;
again:
  for (; i < n; i++) {
    if (i % 7 == 3) continue;
    for (int j = 0; j < i; j++) {
      if (i * j % 11 == 10) goto out;
      if (j > 5) break;
      s += i ^ j;
    }
  }
  if (s < 50 && n < 40) { n += 5; goto again; }
out:
  out[get_global_id(0)] = s * 100 + i;
}
// run: 30 by 10; ints(30, 1, 30), zeros(30, "i4"), zeros(30, "i8")
kernel void collatz_and_division(global const int *a, global int *steps, global long *rest) {
  int i = get_global_id(0), k = 0;
  uint n = a[i];
  do { n = n & 1 ? 3 * n + 1 : n / 2; k++; } while (n != 1 && k < 200);
  steps[i] = k;
  rest[i] = ((long)a[i] * 1000000007 - 12345678901) / (a[i] - 40) + (-7 - k) % 5 + (-1000000 / a[i]);
}
// run: 64 by 8; bits(512, "u1"), zeros(64, "u8"), zeros(128, "i2")
kernel void wide_vectors(global const uchar8 *a, global ulong *out, global short2 *pairs) {
  int i = get_global_id(0);
  uchar8 v = a[i];
  char8 m = v > v.s76543210;
  ushort8 w = upsample(v, v.s10325476);
  out[i] = as_ulong(select(v, (uchar8)(7), as_uchar8(m))) ^ as_ulong2(w).x ^ as_ulong2(w).y;
  pairs[i] = (short2)(any(m) ? popcount(as_ulong(v)) : -1, all(m) + (short)mad24((int)v.s0, (int)v.s1, -5) + (short)mul_hi((short)(v.s2 << 7), (short)v.s3));
}
