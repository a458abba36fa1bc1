// Every integer function, over every integer type, as scalars and vectors. Clang 22 extends signed vectors by zeros.
#define FUNCTIONS(x, y, z, o, T)                                                                  \
  o[0] = add_sat(x, y); o[1] = sub_sat(x, y); o[2] = hadd(x, y); o[3] = rhadd(x, y);              \
  o[4] = max(x, y); o[5] = min(x, y); o[6] = clamp(x, min(y, z), max(y, z));                      \
  o[7] = clz(x); o[8] = ctz(x); o[9] = popcount(x); o[10] = rotate(x, y);                         \
  o[11] = mul_hi(x, y); o[12] = mad_hi(x, y, z); o[13] = mad_sat(x, y, z);                        \
  o[14] = bitselect(x, y, z); o[15] = x + y; o[16] = x - y; o[17] = x * y;                        \
  o[18] = x / (y | (T)1); o[19] = x % (y | (T)1); o[20] = x << (y & (T)7); o[21] = x >> (y & (T)7); \
  o[22] = ~x & y ^ z; o[23] = x > y ? z : x; o[24] = max(x, (T)5); o[25] = clz((T)(x & (T)3));
// case: T = char, uchar, short, ushort, int, uint, long, ulong
kernel void scalar_$T(global const $T *a, global const $T *b, global const $T *c, global $T *out) {
  size_t i = get_global_id(0) * 2;
  global $T *o = out + get_global_id(0) * 26;
  FUNCTIONS(a[i], b[i], c[i], o, $T)
}
// case: T N = char 2, uchar 3, short 4, ushort 8, int 16, uint 2, long 3, ulong 4
kernel void vector_$T$N(global const $T *a, global const $T *b, global const $T *c, global $T *out) {
  size_t i = get_global_id(0);
  $T$N x = vload$N(i, a), y = vload$N(i, b), z = vload$N(i, c);
  $T$N r[14] = {add_sat(x, y), sub_sat(x, y), hadd(x, y), rhadd(x, y), max(x, y), min(x, z),
    clz(x), popcount(x), rotate(x, y), mul_hi(x, y), mad_sat(x, y, z), bitselect(x, y, z),
    clamp(x, min(y, z), max(y, z)), x * y + z};
  for (int k = 0; k < 14; k++) vstore$N(r[k], i * 14 + k, out);
}

// case:
kernel void absolute(global const char *a, global const short *b, global const int *c, global const long *d,
                     global uchar *oa, global ushort *ob, global uint *oc, global ulong *od) {
  size_t i = get_global_id(0);
  oa[2 * i] = abs(a[i]); oa[2 * i + 1] = abs_diff(a[i], a[i + 1]);
  ob[2 * i] = abs(b[i]); ob[2 * i + 1] = abs_diff(b[i], b[i + 1]);
  oc[2 * i] = abs(c[i]); oc[2 * i + 1] = abs_diff(c[i], c[i + 1]);
  od[2 * i] = abs(d[i]); od[2 * i + 1] = abs_diff(d[i], d[i + 1]);
}

// case:
kernel void widened(global const uchar *a, global const ushort *b, global const uint *c, global ulong *out,
                    global long *signs) {
  size_t i = get_global_id(0);
  out[3 * i] = upsample(a[i], a[i + 1]); out[3 * i + 1] = upsample(b[i], b[i + 1]);
  out[3 * i + 2] = upsample(c[i], c[i + 1]);
  signs[3 * i] = upsample((char)a[i], a[i + 1]); signs[3 * i + 1] = upsample((short)b[i], b[i + 1]);
  signs[3 * i + 2] = upsample((int)c[i], c[i + 1]);
}

// case:
kernel void small_products(global const int *a, global const int *b, global int *out, global uint *bare) {
  size_t i = get_global_id(0);
  int x = a[i] >> 9, y = b[i] >> 9;
  out[2 * i] = mul24(x, y); out[2 * i + 1] = mad24(x, y, a[i + 1]);
  uint u = (uint)a[i] >> 8, v = (uint)b[i] >> 8;
  bare[2 * i] = mul24(u, v); bare[2 * i + 1] = mad24(u, v, (uint)b[i + 1]);
}

// case: only llvm clang15 ocloc
kernel void chosen(global const int4 *a, global const int4 *b, global const int *c, global int4 *out,
                   global float2 *reals, global long2 *wide) {
  size_t i = get_global_id(0);
  out[4 * i] = select(a[i], b[i], vload4(i, c)); out[4 * i + 1] = select(a[i], b[i], as_uint4(a[i + 1]));
  out[4 * i + 2] = (int4)(select(c[i], c[i + 1], c[i + 2]), any(a[i]), all(b[i]), any(a[i] & b[i] & a[i + 1]));
  out[4 * i + 3] = a[i] < b[i] ? a[i + 1] : b[i + 1];
  reals[i] = select((float2)(1.5f, 2.5f), (float2)(3.5f, 4.5f), a[i].xy);
  wide[i] = bitselect(convert_long2(a[i].xy), convert_long2(b[i].zw), convert_long2(a[i].yz) << 16);
}
