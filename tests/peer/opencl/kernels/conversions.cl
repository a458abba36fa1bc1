// Conversions between all types, with saturation and rounding. Clang 22 writes OpSatConvertUToS for signed numbers,
// and vload_halfn for vloada_half3.
// case: NAME FROM T = int_to_char int char, long_to_ushort long ushort, char_to_ulong char ulong, uint_to_int uint int, ulong_to_long ulong long, short_to_uchar short uchar; only llvm clang15 ocloc
kernel void $NAME(global const $FROM *in, global $T *out) {
  size_t i = get_global_id(0);
  out[2 * i] = convert_${T}_sat(in[i]); out[2 * i + 1] = convert_${T}_sat(in[i + 64]);
}

// case: NAME FROM T = float_to_char float char, float_to_ushort float ushort, float_to_int float int, float_to_ulong float ulong, double_to_long double long, double_to_uint double uint
kernel void $NAME(global const $FROM *in, global $T *out) {
  size_t i = get_global_id(0);
  out[8 * i] = convert_${T}_sat_rte(in[i] * 5); out[8 * i + 1] = convert_${T}_sat_rtz(in[i] * 7);
  out[8 * i + 2] = convert_${T}_sat_rtn(in[i] * 5); out[8 * i + 3] = convert_${T}_sat_rtp(in[i] * 7);
  out[8 * i + 4] = convert_${T}_rte(fabs(in[i])); out[8 * i + 5] = convert_${T}_rtz(fabs(in[i]));
  out[8 * i + 6] = convert_${T}_rtn(fabs(in[i])); out[8 * i + 7] = convert_${T}_rtp(fabs(in[i]));
}

// case: NAME FROM T = int_to_float int float, ulong_to_float ulong float, long_to_float long float, double_to_float double float, long_to_double long double, ulong_to_double ulong double, uint_to_float uint float, short_to_float short float
kernel void $NAME(global const $FROM *in, global $T *out) {
  size_t i = get_global_id(0);
  out[5 * i] = convert_$T(in[i]); out[5 * i + 1] = convert_${T}_rte(in[i]);
  out[5 * i + 2] = convert_${T}_rtz(in[i]); out[5 * i + 3] = convert_${T}_rtn(in[i]);
  out[5 * i + 4] = convert_${T}_rtp(in[i]);
}

// case:
kernel void vectors_to_vectors(global const float4 *in, global uchar4 *bytes, global short4 *shorts, global int4 *same) {
  size_t i = get_global_id(0);
  bytes[i] = convert_uchar4_sat_rte(in[i] * 100.0f);
  shorts[i] = convert_short4_rtp(in[i] * 10.0f);
  same[i] = as_int4(in[i]);
}

// case:
kernel void bits(global const double *in, global ulong *out, global int2 *halves) {
  size_t i = get_global_id(0);
  out[i] = as_ulong(in[i]);
  halves[i] = as_int2(in[i]);
}

// half numbers in memory, without arithmetic on them
// case:
kernel void halves(global const float *in, global half *out, global const half *stored, global float *back) {
  size_t i = get_global_id(0);
  vstore_half(in[i], 5 * i, out); vstore_half_rte(in[i], 5 * i + 1, out); vstore_half_rtz(in[i], 5 * i + 2, out);
  vstore_half_rtn(in[i], 5 * i + 3, out); vstore_half_rtp(in[i], 5 * i + 4, out);
  back[i] = vload_half(i, stored);
}

// case: only llvm clang15 ocloc
kernel void vectors_of_halves(global const float *in, global half *out, global half *aligned, global float *back) {
  size_t i = get_global_id(0);
  vstore_half4(vload4(i, in), i, out);
  vstorea_half4(vload4(i, in), 2 * i, aligned);
  vstorea_half2_rtz(vload2(i, in), 4 * i + 2, aligned);
  vstore_half8_rtn(vload8(i & 7, in), i & 7, out + 256);
  barrier(CLK_GLOBAL_MEM_FENCE);
  vstore4(vload_half4(i, out), 2 * i, back);
  vstore3(vloada_half3(2 * i, aligned), 4 * i + 1, back + 512);
}

// double-precision sources of halves
// case:
kernel void half_of_doubles(global const double *in, global half *out) {
  size_t i = get_global_id(0);
  vstore_half(in[i], 3 * i, out); vstore_half_rtz(in[i], 3 * i + 1, out); vstore_half_rtp(in[i], 3 * i + 2, out);
}
