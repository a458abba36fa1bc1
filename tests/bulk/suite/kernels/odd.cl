// What is valid and seldom written: odd sizes of groups, types within types, jumps, and functions of every width.

// run: 35 by 7; ints(35, -50, 50), zeros(35, "i4"), zeros(5, "i4")
kernel __attribute__((vec_type_hint(int3))) __attribute__((work_group_size_hint(7, 1, 1)))
void sevens(global const int *a, global int *out, global int *best) {
  local int t[2][7], first;
  int l = get_local_id(0), n = get_local_size(0), from = 0;
  t[0][l] = a[get_global_id(0)];
  if (l == n - 1) first = INT_MIN;
  for (int step = 1; step < n; step <<= 1, from ^= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    t[from ^ 1][l] = l < step ? t[from][l] : t[from][l] + t[from][l - step];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_max(&first, t[from][l] * 8 + l);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[from][n - 1 - l];
  if (l == 3) best[get_group_id(0)] = first;
}
// run: 165 by 33; ints(165, -99, 99), ints(5, 0, 2), full(165, -7, "i4"), 2
int folded(local int *t, int l, int n) {
  while (n > 1) {
    int middle = (n + 1) / 2;
    if (l < n / 2) t[l] += t[l + middle] * (l + 1);
    n = middle;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return t[0];
}
kernel void left_early(global const int *a, global const int *live, global int *out, int least) {
  local int t[33];
  int l = get_local_id(0), g = get_group_id(0);
  if (!live[g] && a[g] % least == 0) return;
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = folded(t, l, 33);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (sum & 1) { out[get_global_id(0)] = sum + l; return; }
  t[32 - l] = l * sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = folded(t, l, 20) ^ l;
}
// run: 288 by 96; bits(288), zeros(24, "u4"), zeros(3, "i4")
kernel __attribute__((reqd_work_group_size(96, 1, 1))) void packed_histogram(global const uint *a, global uint *out, global int *most) {
  local uint bins[8];
  local int top, seen[2];
  int l = get_local_id(0), g = get_group_id(0);
  if (l < 8) bins[l] = 0;
  else if (l < 10) seen[l - 8] = 0;
  else if (l == 10) top = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint n = a[get_global_id(0)], old, place = n & 15;
  do { old = bins[place >> 1]; } while (atomic_cmpxchg(&bins[place >> 1], old, old + (1u << 16 * (place & 1))) != old);
  if (n >> 31) atomic_inc(&seen[0]); else atomic_sub(&seen[1], (int)(n >> 28));
  atomic_max(&top, (int)(n >> 4 & 0xfff));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l >= 88) out[g * 8 + l - 88] = bins[l - 88];
  if (l == 95) most[g] = top * 4096 + seen[0] - seen[1];
}
// run: 40 by 8; ints(41, -2000000, 2000000), zeros(40, "i8"), record("i4, u2, (3,)u1, f4", -77, 513, (9, 8, 7), 2.5)
typedef struct { char sign; uchar low; short rest; } Bits;
typedef struct { int first; union { ushort whole; uchar parts[2]; } u; uchar tail[3]; float real; } Given;
typedef struct { Given given[2]; union { Bits bits; uint number; float real; struct { short low, high; } pair; } any; long wide; } Outer;
Outer renewed(Outer o, int k) {
  o.any.number += k; o.any.bits.sign -= k & 7; o.any.bits.rest ^= k; o.wide = o.wide * 77 + o.any.pair.low;
  o.given[k & 1].u.parts[(k >> 1) & 1] += o.any.bits.low; o.given[0] = o.given[k >> 2 & 1];
  return o;
}
kernel void unions_of_structures(global const int *a, global long *out, Given given) {
  size_t i = get_global_id(0);
  Outer o = {{given, {a[i], {(ushort)a[i + 1]}, {1, 2, 3}, 1.0f}}, {.number = a[i]}, -5};
  Outer kept[2] = {renewed(o, 3), o};
  for (int k = 0; k < (a[i] & 7); k++) kept[k & 1] = renewed(kept[(a[i + 1] >> k) & 1], a[i] + k);
  o = kept[a[i] & 1];
  out[i] = o.wide + o.any.bits.sign * 3 + o.any.bits.rest + o.given[0].u.whole + o.given[1].tail[2] + o.given[0].first
         + ((Bits){.low = a[i], .rest = a[i] >> 3}.rest) + convert_int(o.given[0].real * 4);
}
// run: 48 by 12; bits(48 * 16, "i1"), bits(48 * 3 + 1, "i8"), zeros(48 * 16, "i1"), zeros(48 * 4, "i8"), ints(48, 0, 16)
kernel void swizzled_stores(global const char16 *a, global const long *b, global char16 *out, global long4 *wide, global const int *at) {
  size_t i = get_global_id(0);
  char16 v = a[i], w = v;
  v.s3210 = v.s0123; v.odd = w.even; v.lo.hi.s10 = w.sF0; v.sfedc = (char4)(v.s1, w.se, v.sab); v.hi.even *= w.lo.odd;
  ((char *)&v)[at[i]] += 5; v.even.odd.lo = w.sa5 ^ (char2)3; v.sa5++; v.odd.s0247 -= v.even.s7531;
  out[i] = v;
  long3 n = vload3(i, b), m = n.yzx;
  n.zx = m.xy; m.xyz += n.zyx; n.y ^= m.z; ((long *)&m)[at[i] % 3] = n.x;
  wide[i] = (long4)(m.zz, n.xy) - (long4)(n, 1);
}
// run: 32 by 8; bits(32 * 16, "u1"), bits(32 * 8, "u2"), bits(32 * 4, "i8"), normal(32 * 4), zeros(32 * 16, "u1"), zeros(32 * 4, "u2"), zeros(32 * 8, "i8"), zeros(32 * 8)
kernel void shuffled_by_data(global const uchar16 *a, global const ushort8 *b, global const long4 *c, global const float4 *d,
    global uchar16 *e, global ushort4 *f, global long8 *g, global float8 *h) {
  size_t i = get_global_id(0);
  uchar16 bytes = a[i];
  e[i] = shuffle(bytes, bytes.sfedcba9876543210) + shuffle2(bytes, bytes.s1032547698badcfe, bytes ^ (uchar16)(21)) + shuffle(bytes.lo.lo, bytes);
  f[i] = shuffle2(b[i], b[i].s76543210, b[i].odd) - shuffle(b[i].hi, b[i].lo);
  g[i] = shuffle2(c[i], c[i].wzyx, as_ulong8((long8)(c[i], ~c[i]))) ^ shuffle(c[i].lo, as_ulong8((long8)(c[i].yxwz, c[i] >> 1)));
  h[i] = shuffle(d[i], as_uint8(d[i].xyzwwzyx)) + shuffle2(d[i].xy, d[i].zw, (uint8)(3, 2, 1, 0, i, i + 1, i * 3, 7));
}
// run: 99 by 33; ints(33 * 40), normal(33 * 12), zeros(33 * 9, "i4"), zeros(33 * 12), 3
kernel void copies_by_strides(global const int *a, global const float4 *b, global int *out, global float4 *back, int stride) {
  local int rows[3][33];
  local float4 given[33];
  local char3 threes[5];
  size_t l = get_local_id(0), g = get_group_id(0);
  event_t e = async_work_group_strided_copy(rows[0], a + g * 5, 33, stride, 0);
  e = async_work_group_strided_copy(rows[1], a + g, 33, 1 + g * 4, e);
  event_t both[2] = {async_work_group_copy(rows[2], a + 33 * g, 33, 0), async_work_group_strided_copy(given, b + g, 11, 3, 0)};
  async_work_group_copy(threes, (global const char3 *)a + g, 5, both[1]);
  wait_group_events(1, &e);
  wait_group_events(2, both);
  int x = rows[0][l] + rows[1][32 - l] * 3 - rows[2][(l * 7) % 33] + threes[l % 5].y;
  float4 y = l < 11 ? given[10 - l] + (float)x : (float4)(l);
  barrier(CLK_LOCAL_MEM_FENCE);
  rows[1][l] = x;
  given[l] = y;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t done = async_work_group_strided_copy(out + g, rows[1], 33, 5, 0);
  done = async_work_group_strided_copy(back + g, given, 11, stride, done);
  wait_group_events(1, &done);
}
// run: 42 by 14; normal(42 * 4, 300), zeros(42 * 3, "f2"), zeros(42 * 4, "f2"), zeros(42 * 3), zeros(42 * 4, "i2")
kernel void halves_and_threes(global const float *a, global half *out, global half *spread, global float *sum, global short *few) {
  size_t i = get_global_id(0), l = get_local_id(0);
  local ushort memory[14 * 4];
  local half *mine = (local half *)memory;
  float own[8];
  float3 v = vload3(i, a);
  vstore_half3_rte(v, i, out);
  vstorea_half3_rtz(v * 0.001f, l, mine);
  vstore_half_rtp(v.x * 300, 0, mine + 4 * l + 3);
  vstore4((float4)(v.zyx, -v.y), 1, own); vstore3(v - 1, 0, own + 1); own[0] = 4;
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 w = vloada_half4(13 - l, mine);
  vstore_half4_rtn(w * 1.37f, i, spread);
  w.w = isinf(w.w) ? 1 : w.w;
  vstore3(w.xyz + vload_half3(i, out) + vload2((int)a[i] & 3, own).yxx * w.w, i, sum);
  vstore3(convert_short3_sat(v * 400), 0, few + 4 * i);
  few[4 * i + 3] = vload3(0, few + 4 * i).z + (short)vload_half(l * 4 + 1, mine);
}
// run: 40 by 10; bits(40 * 4, "i1"), bits(40 * 4, "i1"), bits(40 * 2, "i8"), bits(40 * 2, "i8"), zeros(40 * 4, "i1"), zeros(40 * 2, "i8"), zeros(40 * 2, "i8"), zeros(40, "i2")
kernel void chosen(global const char4 *a, global const char4 *b, global const long2 *c, global const long2 *d,
    global char4 *e, global long2 *f, global ulong2 *g, global short *h) {
  size_t i = get_global_id(0);
  char4 p = a[i], q = b[i];
  e[i] = select(p, q, p < q) + bitselect(p, q, (char4)(0x5a, -1, 0, 15)) * select(q, p, as_uchar4(q - p)) - (p != q);
  long2 m = c[i], n = d[i];
  f[i] = select(m, n, n) ^ bitselect(m, n, m >> 7) + select(n, m, as_ulong2(m + n) << 1) - (m < n.yx);
  g[i] = select(as_ulong2(m), as_ulong2(n), m >= n) + bitselect(as_ulong2(n), (ulong2)(3, ~0ul), as_ulong2(m)) + select(m.x, n.x, p.x & 1 ? 1L << 40 : 2L);
  h[i] = select((short)p.x, (short)q.y, (ushort)(p.z & 1)) + bitselect((ushort)m.x, (ushort)n.y, (ushort)0xf0f) + any(p > q) - all(m.xy > n) + select(p.x, q.x, (char)(q.w & 2));
}
// clang 22 takes the signed integers that its SPIR-V saturates for unsigned ones.
// run: 66 by 33; normal(66, 200), bits(66, "i8"), zeros(66 * 4, "i1"), zeros(66 * 2, "u2"), zeros(66, "i4"), zeros(66 * 2, "u8"), zeros(66 * 2); except spirv22
kernel void saturated(global const float *a, global const long *b, global char4 *bytes, global ushort2 *shorts, global int *ints, global ulong2 *wide, global float2 *reals) {
  size_t i = get_global_id(0);
  float x = a[i];
  long n = b[i] >> (i & 63);
  bytes[i] = (char4)(convert_char_sat_rtz(x), convert_char_sat(n), as_char(convert_uchar_sat_rtn(x)), as_char(convert_uchar_sat(as_ulong(n))));
  shorts[i] = convert_ushort2_sat_rtz((float2)(x * 333, -x)) + convert_ushort2_sat((long2)(n, 70000)) + as_ushort2(convert_short2_sat((uint2)(n, i)));
  ints[i] = convert_int_sat_rtz(x * 3e7f) ^ convert_int_sat(n) ^ as_int(convert_uint_sat(n)) ^ convert_int_sat(as_uint((int)n)) ^ convert_int_sat_rtp(x / 7);
  wide[i] = convert_ulong2_sat_rtz((float2)(x * 1e17f, x)) + (ulong2)(convert_ulong_sat(n), as_ulong(convert_long_sat_rtz(x * -4e16f)));
  reals[i] = (float2)(convert_float_rtz(n), convert_float_rtp(as_ulong(n))) + convert_float2_rtn((int2)(n, n >> 5));
}
// run: 36 by 9; bits(148, "i1"), bits(148, "i2"), bits(148, "i4"), bits(148, "i8"), zeros(36, "i1"), zeros(36, "i2"), zeros(36, "i4"), zeros(36, "i8")
#define OF_WIDTH(T, a, b) ((T)(mul_hi(a, b) + mad_hi(a, b, (T)7) + hadd(a, b) * (T)3 + rhadd(a, b) + rotate(a, b) + popcount(b) + clz(a) * (T)5 \
    + ctz(b) + add_sat(a, b) + sub_sat(b, a) + mad_sat(a, (T)3, b) + (T)abs(a) + (T)abs_diff(a, b) + max(a, b) - min(a, (T)9) + clamp(b, (T)-20, (T)20)))
#define UNSIGNED(T, a, b) ((T)(mul_hi(a, b) ^ mad_hi(a, b, (T)7) ^ hadd(a, b) ^ rhadd(a, b) ^ rotate(a, b) ^ popcount(b) ^ clz(a) \
    ^ (T)(ctz(a) << 3) ^ add_sat(a, b) ^ sub_sat(a, b) ^ mad_sat(a, (T)3, b) ^ abs_diff(a, b)))
kernel void every_width(global const char *a, global const short *b, global const int *c, global const long *d, global char *e, global short *f, global int *g, global long *h) {
  size_t i = get_global_id(0), k = i + 1;
  e[i] = OF_WIDTH(char, a[i], a[k]) + UNSIGNED(uchar, (uchar)a[i], (uchar)a[i + 2]);
  f[i] = OF_WIDTH(short, b[i], b[k]) + UNSIGNED(ushort, (ushort)b[i], (ushort)b[i + 2]);
  g[i] = OF_WIDTH(int, c[i], c[k]) + UNSIGNED(uint, (uint)c[i], (uint)c[i + 2]) + mad24(c[i] >> 8, c[k] >> 9, c[i]) + mul24((uint)c[i] >> 8, (uint)c[k] >> 10);
  h[i] = OF_WIDTH(long, d[i], d[k]) + UNSIGNED(ulong, (ulong)d[i], (ulong)d[i + 2]) + upsample(c[i], (uint)c[k]) + upsample((short)b[i], (ushort)b[k]) + upsample(a[i], (uchar)a[k]);
  char3 p = vload3(i, a), q = rotate(p, vload3(i + 2, a)) + popcount(p) + clz(p) + mul_hi(p, p.zxy);
  short3 r = hadd(vload3(i, b), vload3(i + 1, b)) + ctz(vload3(i, b)) + mad_sat(vload3(i, b), (short3)(3), vload3(i + 1, b));
  long3 s = mul_hi(vload3(i, d), vload3(i + 3, d)) + rotate(vload3(i, d), vload3(i + 1, d)) + popcount(vload3(i, d));
  e[i] ^= q.x + q.y + q.z; f[i] ^= r.x - r.y + r.z; h[i] ^= s.x - s.y + s.z;
}
// clang 22 gives an array of pointers one byte in SPIR-V.
// run: 26 by 13; ints(40, 0, 1000), zeros(26, "i4"), zeros(26, "i4"); except spirv22
typedef struct Node { int value; struct Node *next; } Node;
void swapped(int **a, int **b) { int *t = *a; *a = *b; *b = t; }
Node **ending(Node **at) { while (*at) at = &(*at)->next; return at; }
void sorted(int **rows, int n) { for (int k = 1; k < n; k++) for (int j = k; j > 0 && *rows[j - 1] > *rows[j]; j--) swapped(&rows[j - 1], rows + j); }
kernel void pointed(global const int *a, global int *out, global int *list) {
  size_t i = get_global_id(0);
  int cells[6], *rows[6], **first = rows, ***deep = &first;
  for (int k = 0; k < 6; k++) { cells[k] = a[i + k]; rows[k] = &cells[5 - k]; }
  sorted(rows, 6);
  *(*deep)[a[i] % 6] += 1000;
  swapped(&rows[a[i + 1] % 6], *deep + a[i + 2] % 6);
  int s = 0;
  for (int k = 0; k < 6; k++) s = s * 7 + *rows[k] + (int)(rows[k] - cells);
  out[i] = s;
  Node nodes[5], *head = 0;
  for (int k = 0; k < 5; k++) {
    nodes[k].value = a[i + k]; nodes[k].next = 0;
    if (a[i + k] & 1) *ending(&head) = &nodes[k];
    else { nodes[k].next = head; head = &nodes[k]; }
  }
  for (Node **at = &head; *at;) if ((*at)->value % 3 == 0) *at = (*at)->next; else at = &(*at)->next;
  int n = 1;
  for (Node *at = head; at; at = at->next) n = n * 31 + at->value;
  list[i] = n;
}
// run: 63 by 21; ints(127, -300, 300), zeros(63, "i4")
kernel void jumping(global const int *a, global int *out) {
  int i = get_global_id(0), n = a[i], s = 0, turns = 0;
  do {
    turns++;
    if (n & 1) { n = n / 2 + turns; s += 3; continue; }
    for (int k = 0; ; k++) {
      if (k > (n & 7)) break;
      if ((k ^ turns) % 3 == 0) continue;
      if (k == 6) goto again;
      s += k * a[i + k];
    }
    n -= 5;
    if (s > 5000) goto done;
    continue;
  again:
    s ^= 0x55; n -= turns;
    if (n % 4 == 0 && turns < 9) goto inner;
  } while (n > -20 && turns < 40);
  s += 1;
  goto done;
  do {
  inner:
    s += 7; n--;
    if (n & 2) continue;
    if (n & 8) { s -= n; goto again; }
  } while (n % 5);
done:
  switch (s & 3) { do { case 2: s += 4; if (s & 8) continue; s -= n; case 0: s += 2; } while (++turns < 45); default: s ^= turns; }
  out[i] = s;
}
// clang 22 writes constants of another structure than their type's in SPIR-V, which spirv-val refuses.
// run: 14 6 6 by 7 3 1; ints(504, 0, 200), zeros(504, "i4"), zeros(504); except spirv22
typedef struct { short3 step; struct { float scale[2]; char name[5]; } more; } Direction;
constant Direction directions[4] = {{(short3)(1, 0, 0), {{0.5f, 2}, "east"}}, {(short3)(0, 1, 0), {{.25f}, "up"}}, {.more = {.name = {'o', 'u', 't'}, .scale[1] = 3}, .step = (short3)(-1, 2, 1)}};
constant Direction *constant favourites[3] = {directions + 2, &directions[0], directions};
kernel void boxes(global const int *a, global int *out, global float *found) {
  int3 p = (int3)(get_global_id(0), get_global_id(1), get_global_id(2)), size = (int3)(get_global_size(0), get_global_size(1), get_global_size(2));
  int i = get_global_linear_id(), n = a[i];
  local int plane[3][7];
  plane[get_local_id(1)][get_local_id(0)] = n;
  constant Direction *d = n & 1 ? favourites[n % 3] : &directions[n >> 1 & 3];
  int3 q = (p + convert_int3(d->step) + size) % size;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = a[(q.z * size.y + q.y) * size.x + q.x] + d->more.name[n >> 2 & 3] * plane[2 - get_local_id(1)][6 - get_local_id(0)] + get_local_linear_id() * 10000 + get_group_id(1);
  found[i] = d->more.scale[n & 1] * (n & 15) + favourites[n % 3]->more.scale[1];
}
// run: 66 by 33; ints(66, 0, 90), zeros(66, "i4"), zeros(6, "i4"), zeros(6, "i4"); model parts_plain
kernel void parts_plain(global const int *a, global int *out, global int *sums, global int *sizes) {
  for (int k = 0; k < 6; k++) {
    int n = k % 3 < 2 ? 16 : 1, from = 33 * (k / 3) + 16 * (k % 3), all = 0, most = INT_MIN;
    for (int l = 0; l < n; l++) most = max(most, a[from + l]);
    for (int l = 0; l < n; l++) { out[from + l] = all + most * 100000 + a[from + n / 2]; all += a[from + l]; }
    sums[k] = all; sizes[k] = n;
  }
}
kernel __attribute__((intel_reqd_sub_group_size(16))) void parts_of_33(global const int *a, global int *out, global int *sums, global int *sizes) {
  int x = a[get_global_id(0)], all = sub_group_reduce_add(x), s = get_group_id(0) * 3 + get_sub_group_id();
  out[get_global_id(0)] = sub_group_scan_exclusive_add(x) + sub_group_reduce_max(x) * 100000 + sub_group_broadcast(x, get_sub_group_size() / 2);
  if (get_sub_group_local_id() == 0) { sums[s] = all; sizes[s] = get_sub_group_size(); }
}
// run: 21 9 by 7 3; image("rgba8uint", 9, 21), image("rgba8uint", 9, 21), zeros(189, "i4"), sampler("clamp_edge", "nearest"); on arc
kernel void mirrored_texels(read_only image2d_t in, write_only image2d_t out, global int *sum, sampler_t edge) {
  local uint4 tile[3][7];
  int2 p = (int2)(get_global_id(0), get_global_id(1)), l = (int2)(get_local_id(0), get_local_id(1)), size = get_image_dim(in);
  tile[l.y][l.x] = read_imageui(in, edge, p - (int2)(2, 1));
  barrier(CLK_LOCAL_MEM_FENCE);
  uint4 t = tile[2 - l.y][6 - l.x], u = read_imageui(in, size - 1 - p);
  if ((t.x ^ u.y) & 1) write_imageui(out, p, (t + u.wxyz) & 255);
  else if (t.z > 128) write_imageui(out, (int2)(p.x, p.y), u.s3210 >> 1);
  else write_imageui(out, p, 0);
  sum[p.y * size.x + p.x] = t.x + 3 * u.w + get_image_width(out);
}
