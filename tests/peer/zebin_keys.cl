// Kernels that between them have every fact that .ze_info tells about OpenCL C.
__constant float table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
global int counter = 3;
constant sampler_t fixed = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
struct S { int a; float b[3]; };
__attribute__((noinline)) int deeper(global int *p, int n) { int t[9]; for (int k = 0; k < 9; k++) t[k] = p[k] * n; return n < 2 ? t[n & 7] : deeper(p, n - 1) + t[n & 7]; }
kernel __attribute__((reqd_work_group_size(16, 2, 1))) void required(global int *p) { p[get_global_id(0)] = get_local_id(1); }
kernel __attribute__((work_group_size_hint(8, 2, 1))) __attribute__((vec_type_hint(float4))) void hinted(global int *p, struct S s, char c, long n) { p[get_global_id(0)] = s.a + c + n; }
kernel __attribute__((intel_reqd_sub_group_size(16))) void subgroup(global int *p) { p[get_global_id(0)] = get_sub_group_local_id(); }
kernel void local_memory(global int *p, local int *l) { local int own[64]; own[get_local_id(0)] = p[0]; l[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); p[get_global_id(0)] = own[63 - get_local_id(0)] + l[0]; }
kernel void prints(global int *p) { printf("%d\n", p[get_global_id(0)]); }
kernel void calls(global int *p, int n) { p[get_global_id(0)] = deeper(p, n); }
kernel void variables(global float *p) { p[get_global_id(0)] = table[get_global_id(0) & 7] + atomic_inc(&counter); }
kernel void private_memory(global int *p, int n) { int t[700]; for (int k = 0; k < 700; k++) t[k] = p[k]; for (int k = 0; k < n; k++) t[(k * 7) % 700] += t[k % 700]; p[get_global_id(0)] = t[n]; }
kernel void offsets(global char *p, global ulong *q) { p[get_global_id(2)] = get_global_offset(1) + get_work_dim() + get_num_groups(2) + get_enqueued_local_size(1) + get_local_size(0) + get_global_size(1); q[get_global_id(0)] = *(global ulong *)q[1]; }
struct P { ulong p; float q; };
kernel void pointers(struct P s, global ulong *t) { ((global int *)s.p)[get_global_id(0)] = *(global int *)t[1]; }
#ifdef __opencl_c_images
kernel void images(read_only image2d_t a, write_only image3d_t b, read_only image2d_array_t c, sampler_t s, global int *out, read_only image1d_buffer_t d, read_only image1d_array_t e, read_write image2d_t f) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(b, (int4)(at, 0, 0), read_imagef(a, s, (float2)(0.5f, 0.25f)) + read_imagef(a, fixed, (float2)(0.5f, 0.25f)) + read_imagef(d, 1) + read_imagef(e, at) + read_imagef(f, at));
  out[0] = get_image_width(a) + get_image_height(a) + get_image_depth(b) + get_image_array_size(c) + get_image_channel_data_type(a) + get_image_channel_order(a);
}
#endif
