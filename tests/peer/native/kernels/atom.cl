#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
__kernel void atom(__global int *h, __global const int *x, __global long *l, __global float *f) {
  int i = get_global_id(0); int v = x[i];
  atomic_inc(&h[v & 15]); atomic_add(&h[16], v); atomic_max(&h[17], v); atomic_min(&h[18], v); atomic_or(&h[19], v); atomic_xor(&h[20], v); atomic_xchg(&h[21+(v&1)], v); atomic_cmpxchg(&h[23], 0, v);
  atom_add(&l[0], (long)v);
  __local int s[16]; int t = get_local_id(0); if (t < 16) s[t] = 0; barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&s[v & 15], 1); barrier(CLK_LOCAL_MEM_FENCE); if (t < 16) atomic_add(&h[32+t], s[t]);
}
