/* Images and samplers that are named by what the payload says of them. */
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void texels(read_only image2d_t in, sampler_t s, write_only image2d_t out, read_only image1d_array_t lines, global float *found, global int *sizes)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_image_width(in);
    write_imagef(out, (int2)(x, y), read_imagef(in, nearest, (int2)(w - 1 - x, y)) + 1.0f);
    found[y * w + x] = read_imagef(in, s, (float2)(x + 1.0f, y + 0.5f)).x;
    sizes[0] = w, sizes[1] = get_image_height(in), sizes[2] = get_image_width(lines), sizes[3] = (int)get_image_array_size(lines);
}
