// Intel's extensions for subgroups of 16.
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_short : enable
#define SUBGROUP __attribute__((intel_reqd_sub_group_size(16)))
// case:
SUBGROUP kernel void intel_shuffles(global const int *in, global int *out) {
  size_t i = get_global_id(0); int x = in[i], y = in[i + 64]; uint l = get_sub_group_local_id();
  out[4 * i] = intel_sub_group_shuffle(x, (l * 7 + 3) & 15); out[4 * i + 1] = intel_sub_group_shuffle_xor(x, 5);
  out[4 * i + 2] = intel_sub_group_shuffle_down(x, y, 3); out[4 * i + 3] = intel_sub_group_shuffle_up(x, y, 4);
}
// case:
SUBGROUP kernel void vector_shuffles(global const float4 *in, global float4 *out, global const short *s, global short *t) {
  size_t i = get_global_id(0); uint l = get_sub_group_local_id();
  out[i] = intel_sub_group_shuffle(in[i], 15 - l);
  t[i] = intel_sub_group_shuffle_xor(s[i], 9);
}
// case:
SUBGROUP kernel void blocks(global const uint *in, global uint *out) {
  size_t g = get_group_id(0) * 16;
  uint a = intel_sub_group_block_read(in + g); uint2 b = intel_sub_group_block_read2(in + g);
  uint4 c = intel_sub_group_block_read4(in + g); uint8 d = intel_sub_group_block_read8(in + g);
  intel_sub_group_block_write(out + 15 * g, a + 1); intel_sub_group_block_write2(out + 15 * g + 16, b * 3);
  intel_sub_group_block_write4(out + 15 * g + 48, c ^ 7); intel_sub_group_block_write8(out + 15 * g + 112, d.s76543210);
}
