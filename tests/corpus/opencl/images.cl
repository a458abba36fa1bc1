constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void images(read_only image2d_t in, write_only image2d_t out, sampler_t given, read_only image3d_t volume) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 a = read_imagef(in, nearest, p) + read_imagef(in, p) + read_imagef(in, given, convert_float2(p) + 0.5f);
  a += read_imagef(volume, nearest, (int4)(p, 1, 0));
  if (p.x < get_image_width(in) && p.y < get_image_height(in)) write_imagef(out, p, a);
}
