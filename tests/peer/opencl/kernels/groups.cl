// Work-groups and subgroups.
// case: only llvm clang22 clang15
kernel void group_functions(global const int *in, global int *out, global const float *reals, global float *sums) {
  size_t i = get_global_id(0); int x = in[i] >> 8; global int *o = out + 12 * i;
  o[0] = work_group_reduce_add(x); o[1] = work_group_reduce_min(x); o[2] = work_group_reduce_max((uint)x);
  o[3] = work_group_scan_inclusive_add(x); o[4] = work_group_scan_exclusive_add(x);
  o[5] = work_group_scan_inclusive_max(x); o[6] = work_group_scan_exclusive_min((uint)x);
  o[7] = work_group_any(x > 1 << 22); o[8] = work_group_all(x < 1 << 23); o[9] = work_group_broadcast(x, 5);
  o[10] = work_group_scan_exclusive_max(x); o[11] = work_group_reduce_add((int)get_local_id(0));
  sums[2 * i] = work_group_reduce_max(reals[i]); sums[2 * i + 1] = work_group_scan_exclusive_min(reals[i]);
}
// case: only llvm clang22 clang15; group 32
kernel void larger_groups(global const long *in, global long *out, global const double *reals, global double *sums) {
  size_t i = get_global_id(0); long x = in[i] >> 8; global long *o = out + 4 * i;
  o[0] = work_group_reduce_add(x); o[1] = work_group_scan_inclusive_add(x); o[2] = work_group_scan_exclusive_max(x);
  o[3] = work_group_broadcast(x, 30);
  sums[i] = work_group_scan_inclusive_max(reals[i]);
}
// case: only llvm clang22 clang15; group 8 4
kernel void plane(global const int *in, global int *out) {
  size_t i = get_global_linear_id(); int x = in[i] >> 8;
  out[3 * i] = work_group_broadcast(x, 3, 2); out[3 * i + 1] = work_group_scan_inclusive_add(x);
  out[3 * i + 2] = work_group_reduce_max(x);
}
// case:
__attribute__((intel_reqd_sub_group_size(16)))
kernel void subgroup_functions(global const int *in, global int *out) {
  size_t i = get_global_id(0); int x = in[i] >> 8; global int *o = out + 14 * i;
  o[0] = sub_group_reduce_add(x); o[1] = sub_group_reduce_min(x); o[2] = sub_group_reduce_max(x);
  o[3] = sub_group_scan_inclusive_add(x); o[4] = sub_group_scan_exclusive_add(x); o[5] = sub_group_scan_inclusive_min(x);
  o[6] = sub_group_any(x > 1 << 22); o[7] = sub_group_all(x < 1 << 23); o[8] = sub_group_broadcast(x, 7);
  o[9] = get_sub_group_size(); o[10] = get_sub_group_local_id(); o[11] = get_max_sub_group_size();
  o[12] = get_num_sub_groups(); o[13] = get_sub_group_id();
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}
// case: group 32
kernel void ids(global ulong *out) {
  size_t i = get_global_linear_id(); global ulong *o = out + 12 * i;
  o[0] = get_global_id(0); o[1] = get_local_id(0); o[2] = get_group_id(0); o[3] = get_num_groups(0);
  o[4] = get_global_size(0); o[5] = get_local_size(0); o[6] = get_work_dim(); o[7] = get_global_offset(0);
  o[8] = get_local_linear_id(); o[9] = get_enqueued_local_size(0); o[10] = get_global_id(2); o[11] = get_local_size(1);
}
// A tile turned around in local memory.
// case: group 8 8
kernel void transposed(global const float *in, global float *out) {
  local float tile[8][9];
  size_t x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[8 * y + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[8 * y + x] = tile[x][y];
}
