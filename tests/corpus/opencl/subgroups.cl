#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__attribute__((intel_reqd_sub_group_size(16)))
kernel void subgroups(global int *in, global int *out) {
  int i = get_global_id(0), x = in[i];
  int r = sub_group_reduce_add(x) + sub_group_scan_inclusive_max(x) + sub_group_broadcast(x, 3);
  r += sub_group_any(x > 3) + sub_group_all(x > 0) + get_sub_group_local_id() + get_sub_group_size();
  r += work_group_reduce_add(x) + work_group_scan_exclusive_add(x) + work_group_any(x == 7) + work_group_broadcast(x, 0);
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = r + get_sub_group_id() + get_num_sub_groups() + get_max_sub_group_size();
}
