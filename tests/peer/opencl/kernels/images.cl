// Images and samplers. Sampled places lie between those where nearest texels depend on rounding.
// PoCL reads single halfs wrongly: copies leave these formats out.
// case: on arc; only llvm; format $F; F R = r8unorm f, r8snorm f, r8uint ui, r8sint i, r16unorm f, r16snorm f, r16uint ui, r16sint i, r32uint ui, r32sint i, r32float f, a8unorm f, a8snorm f, a8uint ui, a8sint i, a16unorm f, a16snorm f, a16uint ui, a16sint i, a32uint ui, a32sint i, a32float f, rg8unorm f, rg8snorm f, rg8uint ui, rg8sint i, rg16unorm f, rg16snorm f, rg16uint ui, rg16sint i, rg16float f, rg32uint ui, rg32sint i, rg32float f, ra8unorm f, ra8snorm f, ra8uint ui, ra8sint i, ra16unorm f, ra16snorm f, ra16uint ui, ra16sint i, ra16float f, ra32uint ui, ra32sint i, ra32float f, rgba8unorm f, rgba8snorm f, rgba8uint ui, rgba8sint i, rgba16unorm f, rgba16snorm f, rgba16uint ui, rgba16sint i, rgba16float f, rgba32uint ui, rgba32sint i, rgba32float f, bgra8unorm f, bgra8snorm f, bgra8uint ui, bgra8sint i, argb8unorm f, argb8snorm f, argb8uint ui, argb8sint i, abgr8unorm f, abgr8snorm f, abgr8uint ui, abgr8sint i
kernel void copies_$F(read_only image2d_t in, write_only image2d_t out) {
  int n = get_image_width(in) * get_image_height(in);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    int2 p = (int2)(i % get_image_width(in), i / get_image_width(in));
    write_image$R(out, p, read_image$R(in, p));
  }
}
// case: on arc; only llvm; format $F; within 1; F = r8unorm, a16unorm, rgba8snorm, rgba16snorm, bgra8unorm
kernel void rounds_$F(read_only image2d_t in, write_only image2d_t out) {
  int n = get_image_width(in) * get_image_height(in);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    int2 p = (int2)(i % get_image_width(in), i / get_image_width(in));
    write_imagef(out, p, read_imagef(in, p) * 3.3f - 1.1f);
  }
}
// case: on arc; format rgba32float; sampler $A $F; near 2e-6; A F I = none nearest 1, none linear 1, clamp_edge nearest 0, clamp_edge linear 0, clamp_border nearest 0, clamp_border linear 0
kernel void samples_${A}_${F}(read_only image2d_t in, sampler_t s, global const float2 *at, global float4 *out) {
  size_t i = get_global_id(0);
  float2 size = convert_float2(get_image_dim(in)), p = floor(at[i] * size * 0.3f) + 0.3125f;
  if ($I) p = clamp(p, 0.5f, size - 0.75f);
  out[i] = read_imagef(in, s, p);
}
// case: on arc; format rgba8unorm; sampler $A $F normalized; near 4e-6; A F I = none nearest 1, none linear 1, clamp_edge nearest 0, clamp_edge linear 0, clamp_border nearest 0, clamp_border linear 0, repeat nearest 0, repeat linear 0, mirror nearest 0, mirror linear 0
kernel void covers_${A}_${F}(read_only image2d_t in, sampler_t s, global const float2 *at, global float4 *out) {
  size_t i = get_global_id(0);
  float2 size = convert_float2(get_image_dim(in)), p = floor(at[i] * size * 0.3f) + 0.3125f;
  if ($I) p = clamp(p, 0.5f, size - 0.75f);
  out[i] = read_imagef(in, s, p / size);
}
// case: on arc; format rgba16float; near 1e-5
constant sampler_t edges = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void own_samplers(read_only image2d_t in, global const int2 *at, global float4 *a, global float4 *b, global float4 *c) {
  const sampler_t borders = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  const sampler_t tiles = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
  size_t i = get_global_id(0);
  int2 p = at[i] % 20;
  a[i] = read_imagef(in, edges, p);
  b[i] = read_imagef(in, borders, p);
  c[i] = read_imagef(in, tiles, (convert_float2(p) + 0.5f) / 20.0f);
}
// case: on arc; format rgba32sint
kernel void lines(read_only image1d_t in, write_only image1d_t out, global int4 *found) {
  int i = get_global_id(0), n = get_image_width(in);
  if (i < n) write_imagei(out, n - 1 - i, read_imagei(in, i) + 5);
  found[i] = read_imagei(in, CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST, i * 3 - 40);
}
// case: on arc; format rgba16uint
kernel void layers(read_only image1d_array_t in, write_only image1d_array_t out, read_only image2d_array_t deep, sampler_t s, global uint4 *found) {
  int i = get_global_id(0), n = get_image_width(in), layers = (int)get_image_array_size(in);
  int2 p = (int2)(i % n, i / n);
  if (p.y < layers) write_imageui(out, p, read_imageui(in, (int2)(n - 1 - p.x, layers - 1 - p.y)) + 7);
  found[i] = read_imageui(deep, s, (float4)(i % 5 + 0.5f, i % 3 + 0.5f, i % 7 - 1.3f, 0));
}
// case: on arc; format rgba32float
kernel void buffers(read_only image1d_buffer_t in, write_only image1d_buffer_t out) {
  int i = get_global_id(0), n = get_image_width(in);
  if (i < n) write_imagef(out, n - 1 - i, read_imagef(in, i) * 2.0f + get_image_width(out));
}
// case: on arc; format rgba32float; sampler clamp_edge linear normalized; near 1e-5
kernel void volumes(read_only image3d_t in, sampler_t s, global const float4 *at, global float4 *out, global float4 *texels) {
  size_t i = get_global_id(0);
  int4 size = get_image_dim(in);
  out[i] = read_imagef(in, s, at[i] * 0.5f);
  texels[i] = read_imagef(in, (int4)(i % size.x, i % size.y, i % size.z, 0));
}
// case: on arc; format rgba8uint
kernel void updates_in_place(read_write image2d_t a) {
  int n = get_image_width(a) * get_image_height(a);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    int2 p = (int2)(i % get_image_width(a), i / get_image_width(a));
    write_imageui(a, p, read_imageui(a, p).wzyx + 1);
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    write_imageui(a, p, read_imageui(a, p) * 2);
  }
}
// Clang 22 gives the channel data type as SPIR-V counts it, not as OpenCL C does.
// case: on arc; only llvm clang15 ocloc; format $F; F = r8unorm, a8uint, rgba16snorm, rgba32float, bgra8unorm, argb8unorm, rgba16float, r32sint
kernel void facts_$F(read_only image2d_t a, write_only image3d_t b, read_only image2d_array_t c, global int *out) {
  out[0] = get_image_width(a); out[1] = get_image_height(a); out[2] = get_image_dim(a).x; out[3] = get_image_dim(a).y;
  out[4] = get_image_channel_data_type(a); out[5] = get_image_channel_order(a);
  out[6] = get_image_depth(b); out[7] = get_image_dim(b).y; out[8] = get_image_dim(b).z; out[9] = get_image_width(b);
  out[10] = get_image_array_size(c); out[11] = get_image_height(c);
}
// case: on arc; format rgba8unorm; group 4 4
kernel void divergent(read_only image2d_t a, write_only image2d_t b, global float4 *out) {
  int x = get_global_id(0), y = get_global_id(1), i = y * get_global_size(0) + x;
  float4 sum = 0;
  for (int k = 0; k < (x ^ y) % 5; k++) {
    if ((x + k) % 3 == 0) continue;
    sum += read_imagef(a, (int2)((x + k) % 13, y % 7));
  }
  out[i] = sum;
  if (x % 2 && x < 13 && y < 7) write_imagef(b, (int2)(x, y), sum * 0.2f);
}
// case: on arc; format r32float; sampler clamp_edge linear; near 1e-5
kernel void depths(read_only image2d_depth_t a, read_only image2d_array_depth_t b, sampler_t s, global const float2 *at, global float *out, global float *texels, global int *facts) {
  size_t i = get_global_id(0);
  out[i] = read_imagef(a, s, at[i] * 3.0f) + read_imagef(b, s, (float4)(at[i] * 2.0f, i % 4, 0));
  texels[i] = read_imagef(a, (int2)(i % 13, i % 7)) - read_imagef(b, (int4)(i % 5, i % 7, i & 1, 0));
  facts[0] = get_image_channel_order(a); facts[1] = get_image_dim(b).y; facts[2] = get_image_array_size(b);
}
// case: on arc; format $F; only llvm clang15 ocloc; F = rgba8unorm, rgba16float
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void halves_$F(read_only image2d_t a, global half4 *out) {
  int i = get_global_id(0);
  out[i] = read_imageh(a, CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST, (int2)(i % 13, i % 7));
}
