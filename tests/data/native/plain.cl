// Kernels that show what code for DG2 has without optimizations, and blocks of subgroups; README.md says how.
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

kernel void turned(global int *a) {
  local int shared[256];
  int i = get_local_id(0);
  shared[i] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = shared[255 - i] + 1;
}

kernel void enlarged(read_only image2d_t in, sampler_t s, write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, s, convert_float2(at) / 2.0f) * 2.0f);
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void moved(global const uint *in, global uint *out) {
  int first = get_group_id(0) * 128;
  uint4 found = intel_sub_group_block_read4(in + first);
  intel_sub_group_block_write4(out + first + 64, found);
  intel_sub_group_block_write(out + first, found.w);
}

kernel void summed(global const float4 *in, global float *out) {
  local float4 shared[64];
  shared[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int i = 0; i < 64; i++) sum += shared[i].x * shared[i].w;
  out[get_global_id(0)] = sum;
}
