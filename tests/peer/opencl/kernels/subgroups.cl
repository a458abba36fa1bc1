// Extensions of Khronos for subgroups.
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
#define SUBGROUP __attribute__((intel_reqd_sub_group_size(16)))
// case: only llvm clang22
SUBGROUP kernel void ballots(global const int *in, global uint *out) {
  size_t i = get_global_id(0); int x = in[i]; global uint *o = out + 12 * i;
  uint4 odd = sub_group_ballot(x & 1);
  o[0] = odd.x; o[1] = sub_group_inverse_ballot(odd); o[2] = sub_group_ballot_bit_extract(odd, 5);
  o[3] = sub_group_ballot_bit_count(odd); o[4] = sub_group_ballot_inclusive_scan(odd);
  o[5] = sub_group_ballot_exclusive_scan(odd); o[6] = sub_group_ballot_find_lsb(odd); o[7] = sub_group_ballot_find_msb(odd);
  o[8] = sub_group_elect(); o[9] = sub_group_broadcast_first(x); o[10] = sub_group_non_uniform_broadcast(x, 3);
  o[11] = odd.w;
}
// case: only llvm clang22
SUBGROUP kernel void khronos_shuffles(global const int *in, global int *out) {
  size_t i = get_global_id(0); int x = in[i]; uint l = get_sub_group_local_id();
  out[5 * i] = sub_group_shuffle(x, 15 - l); out[5 * i + 1] = sub_group_shuffle_xor(x, 6);
  out[5 * i + 2] = l >= 2 ? sub_group_shuffle_up(x, 2) : 0;
  int down = sub_group_shuffle_down(x, 3);
  out[5 * i + 3] = l < 13 ? down : 0; out[5 * i + 4] = sub_group_rotate(x, 5);
}
// case: only llvm clang22
SUBGROUP kernel void non_uniform(global const int *in, global int *out) {
  size_t i = get_global_id(0); int x = in[i] >> 8, r = 0;
  if (x & 1) r = sub_group_non_uniform_reduce_add(x);
  else r = sub_group_non_uniform_scan_inclusive_add(x);
  out[4 * i] = r;
  out[4 * i + 1] = sub_group_clustered_reduce_add(x, 4); out[4 * i + 2] = sub_group_clustered_reduce_max(x, 8);
  out[4 * i + 3] = sub_group_non_uniform_all_equal(x & 0) + 2 * sub_group_non_uniform_reduce_xor(x);
}
