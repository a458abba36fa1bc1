const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
__kernel void img(__read_only image2d_t in, __write_only image2d_t out) { int2 p = (int2)(get_global_id(0), get_global_id(1)); float4 v = read_imagef(in, s, (float2)(p.x + 0.3f, p.y + 0.6f)) + read_imagef(in, p); write_imagef(out, p, v * 0.5f); }
