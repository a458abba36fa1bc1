// Valid and seldom written: nested structures, unions, odd swizzles, masks, jumps.
// case: only llvm
typedef struct { short2 at; union { int whole; uchar parts[4]; float real; } u; } Leaf;
typedef struct { Leaf leaf[2]; struct { char c; long l; } deep; } Tree;
Tree grown(Tree t, int k) { t.leaf[k & 1].u.whole ^= k * 77u; t.deep.c += k; t.deep.l -= t.leaf[k & 1].at.y; return t; }
long weight(const Tree t) { return t.leaf[0].u.parts[2] * 3 + t.leaf[1].u.whole + t.deep.c + t.deep.l + t.leaf[1].at.x; }
kernel void nested(global const int *in, global long *out) {
  size_t i = get_global_id(0);
  Tree t = {{{(short2)(in[i], 3), {in[i + 1]}}, {(short2)(5, in[i + 2]), {.real = 1.5f}}}, {(char)in[i], 1L << 40}};
  Tree s = grown(t, in[i + 3] & 7);
  for (int k = 0; k < (in[i] & 3); k++) s = grown(s, k + in[i]);
  out[i] = weight(s) ^ weight(t);
}
// case: only llvm
kernel void swizzles(global const float8 *in, global float8 *out) {
  size_t i = get_global_id(0);
  float8 v = in[i], w = 0;
  w.odd = v.even; w.lo.hi = v.s73; w.s5046 = v.hi.wzyx; w.even.xz += v.odd.yw; w.s1 = v.S7;
  w.hi.odd = fmax(w.hi.odd, v.lo.even);
  out[i] = w.s76543210 + (float8)(v.lo.xyz, v.s4, (float2)(v.hi.odd), v.s01);
}
// case: only llvm
kernel void masks(global const int4 *in, global const uchar3 *small, global int4 *out, global float4 *found, global uchar4 *bytes) {
  size_t i = get_global_id(0);
  int4 a = in[i], b = in[i + 1];
  out[i] = select(a, b, a > b) + (a < 0 ? b : -b) + (a == b) + !a + (a && b) + select(b, a, as_uint4(b));
  found[i] = select((float4)(1, 2, 3, 4), as_float4((a & 0x3fffffff) | 0x3f000000), b) + bitselect((float4)(1), (float4)(3), as_float4(a));
  uchar3 s = small[i];
  bytes[i] = (uchar4)(s.zyx << (uchar3)(1, 2, 3), any(a < b) + 2 * all(a > b)) | as_uchar4(a.x);
}
// case: only llvm
kernel void halves_in_memory(global const float *in, global float *out, global half *kept) {
  int i = get_global_id(0);
  vstore_half(in[i], i, kept);
  vstore_half_rtz(in[i], i + 64, kept);
  vstore_half_rtp(in[i], i + 128, kept);
  vstore_half4_rtn(vload4(i, in), i + 64, kept);
  vstorea_half4_rte(vload4(i + 64, in), i + 128, kept);
  vstore_half3(vload3(i, in), i + 260, kept);
  out[i] = vload_half(i, kept) + vload_half4(i + 64, kept).y + vloada_half4(i + 128, kept).w + vload_half3(i + 260, kept).z;
}
// case: only llvm
kernel void types_seen_as_others(global const uint4 *in, global long2 *out, global short8 *shorts, global double2 *d) {
  size_t i = get_global_id(0);
  uint4 v = in[i];
  out[i] = as_long2(v) + as_long2(as_float4(v)) + as_long((uint2)(v.x, v.y));
  shorts[i] = as_short8(v) * (short8)(1, -1, 2, -2, 3, -3, 4, -4);
  d[i] = as_double2((v & (uint4)(-1, 0x3fffffff, -1, 0x3fffffff)) | (uint4)(0, 0x3ff00000, 0, 0x3fe00000));
  shorts[i].s1 = as_char4(v.x).z + as_ushort2(v.y).x;
}
// case: only llvm
kernel void copies(global const int4 *in, global int4 *out, local int4 *given) {
  local int4 own[16];
  size_t g = get_group_id(0), l = get_local_id(0);
  event_t e = async_work_group_copy(given, in + 16 * g, 16, 0);
  e = async_work_group_strided_copy(own, in + g, 16, 4, e);
  wait_group_events(1, &e);
  given[l] += own[15 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  prefetch(in, 16);
  event_t f = async_work_group_copy(out + 16 * g, given, 16, 0);
  wait_group_events(1, &f);
}
// case: only llvm
int sum_of(local int *a, int n) { int s = 0; while (n--) s += a[n]; return s; }
void turn(local int (*rows)[4], int r) { int t = rows[r][0]; for (int k = 0; k < 3; k++) rows[r][k] = rows[r][k + 1]; rows[r][3] = t; }
kernel void local_arrays(global const int *in, global int *out) {
  local int rows[16][4], flat[16];
  int l = get_local_id(0);
  for (int k = 0; k < 4; k++) rows[l][k] = in[4 * get_global_id(0) + k];
  turn(rows, l);
  flat[l] = rows[l][0] - rows[l][3];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sum_of(flat, l + 1) + sum_of(rows[15 - l], 4);
}
// case: only llvm
constant uchar steps[2][3][2] = {{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}};
typedef struct { int key; float3 v; char tag[3]; } Row;
constant Row rows[] = {{4, (float3)(1, 2, 3), "ab"}, {-9, (float3)(.5f), {'x'}}, {.tag = "zz", .key = 12}};
constant int counters[4] = {10, 20, 30, 40};
kernel void tables(global const uint *in, global int *out, global float *found) {
  size_t i = get_global_id(0);
  uint n = in[i];
  out[i] = steps[n & 1][n % 3][n >> 3 & 1] + rows[n % 3].key * rows[(n >> 4) % 3].tag[n >> 8 & 1] + counters[n >> 5 & 3];
  found[i] = rows[n % 3].v.z + rows[(n >> 2) % 3].v.x;
}
// case: only llvm
void order(int *a, int *b) { if (*a > *b) { int t = *a; *a = *b; *b = t; } }
int middle(int a, int b, int c) { order(&a, &b); order(&b, &c); order(&a, &b); return b; }
void fill(int *p, int n, int v) { while (n-- > 0) *p++ = v * n; }
int *furthest(int *p, int n) { int *q = p; for (int k = 1; k < n; k++) if (abs(p[k]) > abs(*q)) q = p + k; return q; }
kernel void pointers(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int own[9];
  fill(own, 9, in[i] & 15);
  own[in[i + 1] & 7] = in[i + 2] % 100;
  int *q = furthest(own, 9);
  *q += q - own;
  out[i] = middle(in[i], in[i + 1], in[i + 2]) + *q + own[8];
}
// case: only llvm
kernel void falling(global const int *in, global int *out) {
  int i = get_global_id(0), n = in[i], s = 0;
  switch (n & 7) {
    case 0: s += 1;
    case 5: s += 10; break;
    case 1: case 2: if (n & 8) break; s -= 5;
    default: s *= 3; s += n;
    case 6: for (int k = 0; k < (n & 15); k++) { if (k == 7) continue; if (k == 11) goto out; s += k; } s ^= 3;
    case 7: ;
  }
  do { if (s & 1) break; s >>= 1; } while (s > 3);
  if (n % 5 == 0) return;
out:
  out[i] = s;
}
// case: only llvm
kernel void products(global const long *a, global const ulong *b, global long *out, global ulong *bare, global uint *narrow, global char4 *bytes) {
  size_t i = get_global_id(0);
  out[i] = mul_hi(a[i], a[i + 1]) + mad_hi(a[i], a[i + 2], 5L) + abs_diff(a[i], a[i + 1]) + mad_sat(a[i], 3L, a[i + 1]);
  bare[i] = mul_hi(b[i], b[i + 1]) + mad_sat(b[i], 2UL, b[i + 1]) + rhadd(b[i], b[i + 1]) + hadd(b[i], b[i + 3]) + rotate(b[i], b[i + 1]);
  narrow[i] = clz(b[i]) + 64 * ctz(b[i] | 1UL << 60) + popcount(a[i]) * 4096 + mul24((uint)b[i] & 0xffffff, 77u) + clz((uchar)a[i]) + popcount((short)a[i]);
  bytes[i] = mad_sat(as_char4((int)a[i]), as_char4((int)a[i + 1]), as_char4((int)b[i])) + add_sat(as_char4((int)b[i]), (char4)(100)) + rotate(as_char4((int)a[i]), (char4)(1, 9, -1, 3));
}
// case: only llvm
kernel void rounded(global const float *in, global int *out, global uchar4 *bytes, global short2 *shorts, global long *wide) {
  size_t i = get_global_id(0);
  float x = in[i] * 300;
  out[i] = convert_int_sat_rte(x * 1e8f) + convert_int_rtp(x) + convert_int_rtn(x) - convert_int_rtz(x) + (int)convert_uint_sat(x);
  bytes[i] = convert_uchar4_sat_rte((float4)(x, -x, x * .5f, .5f + (int)x));
  shorts[i] = convert_short2_sat_rtn((float2)(x * 1000, -x)) + convert_short2_sat((int2)(out[i], 70000));
  wide[i] = convert_long_sat_rte(x * 1e17f) + convert_long_rtn(x) + (long)convert_ulong_sat_rtp(x * 1e18f);
}
// case: only llvm
kernel void ordered(volatile global atomic_int *out, volatile global atomic_uint *bare, volatile global atomic_long *wide, volatile global atomic_float *reals) {
  int i = get_global_id(0);
  atomic_fetch_add_explicit(&out[0], i, memory_order_acq_rel, memory_scope_device);
  atomic_fetch_sub_explicit(&out[1], i, memory_order_release);
  atomic_fetch_or_explicit(&bare[0], 1u << (i & 31), memory_order_acquire, memory_scope_work_group);
  atomic_fetch_xor(&bare[1], i * 77u); atomic_fetch_and(&bare[2], ~(1u << (i & 15)));
  atomic_fetch_min(&wide[0], -i * 1000000007L); atomic_fetch_max_explicit(&wide[1], i * 1000000007L, memory_order_relaxed);
  atomic_store_explicit(&out[4 + i], i * 3, memory_order_release, memory_scope_device);
  int seen = atomic_load_explicit(&out[4 + i], memory_order_acquire, memory_scope_device);
  int wanted = seen;
  if (atomic_compare_exchange_strong(&out[4 + i], &wanted, seen + 1)) wanted = atomic_exchange(&out[100 + i], wanted + 5);
  while (!atomic_compare_exchange_weak_explicit(&out[2], &wanted, wanted + 2, memory_order_acq_rel, memory_order_acquire, memory_scope_device));
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
}
// case: only llvm
float3 turned(float3 v, float3 axis) { return cross(v, axis) + dot(v, axis) * axis; }
kernel void threes(global const float *in, global float *out, global const int *a, global int *b) {
  int i = get_global_id(0);
  float3 v = vload3(i, in);
  vstore3(turned(v, v.zxy) + (float3)(v.xy, 1), i, out);
  int3 n = vload3(i, a);
  vstore3(n.zzx + shuffle2(n.xyzz, n.yxxx, (uint4)(0, 5, 2, 7)).xyz * min(n, 7) + clamp(n, -5, 5) + (n >> (int3)(1, 33, 3)), i, b);
}
// case: only llvm
kernel void early(global const int *in, global int *out, int k) {
  int i = get_global_id(0), t[8] = {k, k + 1, 2 * k}, u[16];
  if (i % 7 == 3) return;
  for (int j = 0; j < 16; j++) u[j] = j * k;
  for (int j = i; j < 64; j += 16) {
    if (in[j] < 0) { t[k & 7] += u[j & 15]; continue; }
    if ((in[j] & 7) == 5) return;
    t[j & 3] -= u[k & 15] + t[2];
    if (k & 1) u[3] = k + 2;
  }
  out[i] = t[0] + t[1] * 3 + t[2] * 5 + t[k & 7] * 7 + t[3] + u[3] + u[in[i] & 15];
}
// case: only llvm
kernel void shared_tables(global const int *in, global int *out, int k, int n) {
  int i = get_global_id(0), t[32];
  for (int j = 0; j < 32; j++) t[j] = j * j + k;
  for (int j = 0; j < (n & 63); j++) t[j & 31] += t[(j * 3) & 31];
  int s = 0;
  if (in[i] > 0) { t[3] = k; s = t[k & 31]; }
  for (int j = 0; j < (in[i] & 7); j++) { s += t[(k + j) & 31]; t[5] += j; }
  out[i] = s + t[in[i] & 31] + t[n & 31];
}
