#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void sg(__global const int *a, __global int *b, __global float *f) {
  int i = get_global_id(0), n = get_global_size(0); int v = a[i];
  b[i] = sub_group_reduce_add(v); b[i+n] = sub_group_scan_inclusive_max(v); b[i+2*n] = sub_group_broadcast(v, 3); b[i+3*n] = intel_sub_group_shuffle(v, (i*7)&15);
  b[i+4*n] = intel_sub_group_shuffle_xor(v, 5); b[i+5*n] = sub_group_all(v > 3) + sub_group_any(v == 7); f[i] = sub_group_reduce_max(f[i]);
  uint4 q = intel_sub_group_block_read4((__global uint*)a); intel_sub_group_block_write4((__global uint*)(b + 6*n), q);
}
