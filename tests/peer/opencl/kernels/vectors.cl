// Vectors: components, shuffles, loads and stores.
// case:
kernel void swizzles(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int8 v = vload8(i, in);
  int16 w = (int16)(v, v.s76543210);
  w.odd += w.even.s01234567; w.lo.hi.xy = w.hi.lo.zw; w.sF = v.s3; w.s369c = (int4)(1, 2, 3, v.s0);
  vstore16(w, i, out);
}
// case:
kernel void shuffles(global const float *in, global const uint *masks, global float *out) {
  size_t i = get_global_id(0);
  float4 a = vload4(i, in), b = vload4(i + 1, in); uint8 m = vload8(i, masks); uint2 n = vload2(i, masks);
  vstore8(shuffle(a, m), 2 * i, out); vstore8(shuffle2(a, b, m), 2 * i + 1, out);
  vstore2(shuffle(vload16(i & 7, in), n), i, out + 16 * 64);
  vstore16(shuffle2(a.xy, b.xy, (uint16)(0, 1, 2, 3, 3, 2, 1, 0, n.x, n.y, n.x, n.y, 0, 0, 1, 1)), i, out + 18 * 64);
}
// case:
kernel void narrow_shuffles(global const uchar *in, global uchar *out, global short *shorts) {
  size_t i = get_global_id(0);
  uchar16 v = vload16(i, in);
  vstore16(shuffle(v, v), i, out);
  vstore4(shuffle2(convert_short4(v.lo.lo), convert_short4(v.hi.lo), convert_ushort4(v.lo.hi)), i, shorts);
}
// case: T N = char 2, short 3, int 4, float 8, long 2, uchar 16, double 3
kernel void moves_$T$N(global const $T *in, global $T *out, local $T *tile) {
  size_t i = get_global_id(0), l = get_local_id(0);
  $T own[2 * $N];
  vstore$N(vload$N(i, in), l, tile);
  barrier(CLK_LOCAL_MEM_FENCE);
  vstore$N(vload$N(get_local_size(0) - 1 - l, tile), 0, own);
  vstore$N(vload$N(i, in) + ($T)1, 1, own);
  vstore$N(vload$N(0, own) - vload$N(1, own), i, out);
}

// case:
kernel void indexed(global const int4 *in, global const int *places, global int4 *out) {
  size_t i = get_global_id(0);
  union { int4 v; int s[4]; } u;
  u.v = in[i];
  u.s[places[i] & 3] = 7;
  u.v += (int4)(u.s[places[i + 1] & 3]);
  out[i] = u.v;
}
// case:
kernel void conditions(global const float4 *a, global const float4 *b, global int4 *out) {
  size_t i = get_global_id(0);
  out[4 * i] = a[i] < b[i]; out[4 * i + 1] = isgreater(a[i], b[i]) | isequal(a[i], a[i]);
  out[4 * i + 2] = (a[i] > 0.0f) && (b[i] > 0.0f); out[4 * i + 3] = !convert_int4(a[i]);
}
