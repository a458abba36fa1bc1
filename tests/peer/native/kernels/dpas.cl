__attribute__((overloadable)) float8 intel_sub_group_bf16_bf16_matrix_mad_k16(short8 a, int8 b, float8 c);
__attribute__((overloadable)) int8 intel_sub_group_i8_i8_matrix_mad_k32(short8 a, int8 b, int8 c);
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void dp(__global const short8 *a, __global const int8 *b, __global float8 *c, __global int8 *d) { int i = get_global_id(0); c[i] = intel_sub_group_bf16_bf16_matrix_mad_k16(a[i], b[i], c[i]); d[i] = intel_sub_group_i8_i8_matrix_mad_k32(a[i], b[i], d[i]); }
