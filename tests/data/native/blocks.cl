// Matrix products, blocks of surfaces and the clock, of which Intel's offline compiler has made a native binary.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

float8 __attribute__((overloadable)) intel_sub_group_f16_f16_matrix_mad_k16(short8 a, int8 b, float8 c);
float8 __attribute__((overloadable)) intel_sub_group_bf16_bf16_matrix_mad_k16(short8 a, int8 b, float8 c);
int8 __attribute__((overloadable)) intel_sub_group_i8_i8_matrix_mad_k32(short8 a, int8 b, int8 c);
ushort8 __builtin_IB_subgroup_block_read_flat_u16_m8k16v1(long base, int width, int height, int pitch, int2 at);
ulong __attribute__((overloadable)) intel_get_cycle_counter(void);

#define ROWS 4
#define PRODUCT(NAME, SCALAR, VECTOR, AS, K, MAD)                                                               \
  __attribute__((intel_reqd_sub_group_size(16)))                                                                \
  kernel void NAME(global const ushort *a, global const int *b, global SCALAR *c, int n, int k) {              \
    int row = get_group_id(1) * 8 * ROWS, column = get_group_id(0) * 16;                                       \
    VECTOR sum[ROWS];                                                                                           \
    for (int j = 0; j < ROWS; j++) sum[j] = 0;                                                                  \
    for (int at = 0; at < k; at += K) {                                                                         \
      int8 right;                                                                                               \
      for (int i = 0; i < 8; i++)                                                                               \
        right[i] = as_int(intel_sub_group_block_read((global const uint *)(b + (at * 8 / K + i) * n + column))); \
      for (int j = 0; j < ROWS; j++) {                                                                          \
        short8 left;                                                                                            \
        for (int i = 0; i < 8; i++)                                                                             \
          left[i] = as_short(intel_sub_group_block_read_us(a + ((row + j * 8 + i) * k + at) * 16 / K));        \
        sum[j] = MAD(left, right, sum[j]);                                                                      \
      }                                                                                                         \
    }                                                                                                           \
    for (int j = 0; j < ROWS; j++)                                                                              \
      for (int i = 0; i < 8; i++)                                                                               \
        intel_sub_group_block_write((global uint *)(c + (row + j * 8 + i) * n + column), as_uint(sum[j][i]));   \
  }

PRODUCT(product_f16, float, float8, as_float, 16, intel_sub_group_f16_f16_matrix_mad_k16)
PRODUCT(product_bf16, float, float8, as_float, 16, intel_sub_group_bf16_bf16_matrix_mad_k16)
PRODUCT(product_i8, int, int8, as_int, 32, intel_sub_group_i8_i8_matrix_mad_k32)

__attribute__((intel_reqd_sub_group_size(16)))
kernel void blocks(global const ushort *a, global ushort *b, int width, int height) {
  int2 at = (int2)(get_group_id(0) * 16, get_group_id(1) * 8);
  ushort8 found = __builtin_IB_subgroup_block_read_flat_u16_m8k16v1((long)a, width * 2 - 1, height - 1, width * 2 - 1, at);
  for (int i = 0; i < 8; i++) b[((at.y + i) * get_num_groups(0) + get_group_id(0)) * 16 + get_local_id(0)] = found[i];
}

kernel void ticks(global ulong *a) {
  ulong first = intel_get_cycle_counter();
  a[2 * get_global_id(0)] = first;
  a[2 * get_global_id(0) + 1] = intel_get_cycle_counter();
}
