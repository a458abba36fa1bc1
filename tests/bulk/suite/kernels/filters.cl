// Filters of pictures: in buffers on both GPUs, in images on the one that has them.
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant float gauss5[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

// run: 300 by 64; bits(1200, "u1"), zeros(300, "u1"), 300
kernel void to_grey(global const uchar4 *a, global uchar *out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = (77 * a[i].x + 150 * a[i].y + 29 * a[i].z) >> 8;
}
// run: 40 30 by 8 8; bits(1200, "u1"), zeros(1200, "u1"), 40, 30
kernel void sobel(global const uchar *a, global uchar *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1) { out[y * w + x] = 0; return; }
  global const uchar *p = a + (y - 1) * w + x - 1;
  int gx = p[2] - p[0] + 2 * (p[w + 2] - p[w]) + p[2 * w + 2] - p[2 * w];
  int gy = p[2 * w] - p[0] + 2 * (p[2 * w + 1] - p[1]) + p[2 * w + 2] - p[2];
  out[y * w + x] = convert_uchar_sat(abs(gx) + abs(gy));
}
// run: 64 16 by 16 4; uniform(1024), zeros(1024), 64, 16; within 8
kernel void gauss_separable(global const float *a, global float *out, int w, int h) {
  local float t[8][16];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  for (int r = ly; r < 8; r += 4) {
    int sy = clamp((int)get_group_id(1) * 4 + r - 2, 0, h - 1);
    float s = 0;
    for (int k = -2; k <= 2; k++) s += gauss5[k + 2] * a[sy * w + clamp(x + k, 0, w - 1)];
    t[r][lx] = s;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  for (int k = 0; k < 5; k++) s += gauss5[k] * t[ly + k][lx];
  out[y * w + x] = s;
}
// run: 32 32 by 8 8; bits(1024, "u1"), zeros(1024, "u1"), 32, 2
kernel void erode_and_dilate(global const uchar *a, global uchar *out, int n, int r) {
  int x = get_global_id(0), y = get_global_id(1), lo = 255, hi = 0;
  for (int dy = -r; dy <= r; dy++)
    for (int dx = -r; dx <= r; dx++) {
      int u = x + dx, v = y + dy;
      if (u < 0 || v < 0 || u >= n || v >= n || dx * dx + dy * dy > r * r) continue;
      lo = min(lo, (int)a[v * n + u]);
      hi = max(hi, (int)a[v * n + u]);
    }
  out[y * n + x] = hi - lo;
}
// run: 24 24 by 8 8; bits(576, "u1"), zeros(576, "u1"), 24
void order(uchar *a, uchar *b) { uchar lo = min(*a, *b), hi = max(*a, *b); *a = lo; *b = hi; }
kernel void median3x3(global const uchar *a, global uchar *out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  uchar p[9];
  for (int k = 0; k < 9; k++) p[k] = a[clamp(y + k / 3 - 1, 0, n - 1) * n + clamp(x + k % 3 - 1, 0, n - 1)];
  for (int i = 0; i < 5; i++)
    for (int j = 8; j > i; j--) order(&p[j - 1], &p[j]);
  out[y * n + x] = p[4];
}
// run: 24 24 by 8 4; uniform(576), zeros(576), 24, 3, 2.0, 0.3; within 64
kernel void bilateral(global const float *a, global float *out, int n, int r, float space, float range) {
  int x = get_global_id(0), y = get_global_id(1);
  float c = a[y * n + x], s = 0, w = 0;
  for (int dy = -r; dy <= r; dy++)
    for (int dx = -r; dx <= r; dx++) {
      float v = a[clamp(y + dy, 0, n - 1) * n + clamp(x + dx, 0, n - 1)], d = (v - c) / range;
      float k = exp(-(dx * dx + dy * dy) / (2 * space * space) - 0.5f * d * d);
      s += k * v;
      w += k;
    }
  out[y * n + x] = s / w;
}
// run: 64 by 16; bits(192, "u1"), zeros(192, "u1"), 64
kernel void to_ycc(global const uchar *rgb, global uchar *out, int n) {
  int i = get_global_id(0);
  float3 c = convert_float3(vload3(i, rgb));
  float3 y = (float3)(dot(c, (float3)(0.25f, 0.625f, 0.125f)), 128 + dot(c, (float3)(-0.125f, -0.375f, 0.5f)),
                      128 + dot(c, (float3)(0.5f, -0.4375f, -0.0625f)));
  vstore3(convert_uchar3_sat_rte(y), i, out);
}
// run: 256 by 64; bits(256, "u1"), zeros(256, "u1"), 256
kernel void equalise(global const uchar *a, global uchar *out, int n) {
  local int h[64], t[64];
  int l = get_local_id(0);
  h[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = l; i < n; i += 64) atomic_inc(&h[a[i] >> 2]);
  barrier(CLK_LOCAL_MEM_FENCE);
  t[l] = h[l];
  for (int s = 1; s < 64; s <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = t[l] + (l >= s ? t[l - s] : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = v;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[a[get_global_id(0)] >> 2] * 255 / n;
}
// run: 20 20 by 4 4; uniform(100), zeros(400), 10; within 16
kernel void resize_bilinear(global const float *a, global float *out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float u = clamp(x * 0.5f - 0.25f, 0.0f, n - 1.0f), v = clamp(y * 0.5f - 0.25f, 0.0f, n - 1.0f), fu, fv;
  float iu, iv;
  fu = fract(u, &iu); fv = fract(v, &iv);
  int i = iu, j = iv, i1 = min(i + 1, n - 1), j1 = min(j + 1, n - 1);
  out[y * 2 * n + x] = mix(mix(a[j * n + i], a[j * n + i1], fu), mix(a[j1 * n + i], a[j1 * n + i1], fu), fv);
}
// run: 32 32 by 8 8; zeros(1024, "i4"), 32, 60
kernel void mandelbrot(global int *out, int n, int most) {
  float cx = get_global_id(0) * 3.0f / n - 2.0f, cy = get_global_id(1) * 2.0f / n - 1.0f, x = 0, y = 0;
  int k = 0;
  while (k < most && fma(x, x, y * y) < 4.0f) { float t = fma(x, x, -(y * y)) + cx; y = fma(2 * x, y, cy); x = t; k++; }
  out[get_global_id(1) * n + get_global_id(0)] = k;
}
// run: 48 by 16; bits(48, "u2"), zeros(144, "u1"), 48
kernel void unpack_565(global const ushort *a, global uchar *out, int n) {
  int i = get_global_id(0);
  ushort v = a[i];
  uchar3 c = (uchar3)((v >> 11) << 3, (v >> 5 & 63) << 2, (v & 31) << 3);
  c |= c >> (uchar3)(5, 6, 5);
  vstore3(c, i, out);
}
// run: 32 by 8; bits(512, "u1"), bits(512, "u1"), zeros(512, "u1"), uchar(100); except spirv22
// Clang 22's SPIR-V extends the sign of unsigned bytes in conversions.
kernel void blend(global const uchar16 *a, global const uchar16 *b, global uchar16 *out, uchar alpha) {
  int i = get_global_id(0);
  ushort16 m = convert_ushort16(a[i]) * (ushort)alpha + convert_ushort16(b[i]) * (ushort)(255 - alpha) + (ushort)128;
  uchar16 r = convert_uchar16((m + (m >> (ushort)8)) >> (ushort)8);
  out[i] = select(r, rhadd(a[i], b[i]), (a[i] > b[i]) << (char)7);
}
// run: 20 12 by 4 4; image("rgba8unorm", 12, 20), image("rgba8unorm", 12, 20), 20, 12; on arc
kernel void invert_image(read_only image2d_t a, write_only image2d_t b, int w, int h) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  if (p.x < w && p.y < h) { float4 c = read_imagef(a, edge, p); write_imagef(b, p, (float4)(1 - c.xyz, c.w)); }
}
// run: 24 16 by 8 8; image("rgba32float", 16, 24), image("rgba32float", 16, 24); on arc; within 16
kernel void blur_image(read_only image2d_t a, write_only image2d_t b) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 s = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) s += gauss5[dx + 2] * gauss5[dy + 2] * read_imagef(a, edge, p + (int2)(dx, dy));
  write_imagef(b, p, s);
}
// run: 24 24 by 8 8; image("rgba8uint", 24, 24), zeros(576, "u4"); on arc
kernel void local_binary_pattern(read_only image2d_t a, global uint *out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  uint c = read_imageui(a, border, p).x, r = 0;
  const int2 around[8] = {(int2)(-1, -1), (int2)(0, -1), (int2)(1, -1), (int2)(1, 0), (int2)(1, 1), (int2)(0, 1), (int2)(-1, 1), (int2)(-1, 0)};
  for (int k = 0; k < 8; k++) r |= (read_imageui(a, border, p + around[k]).x >= c) << k;
  out[p.y * 24 + p.x] = r;
}
// run: 16 16 by 8 8; image("rgba32float", 32, 32), image("rgba32float", 16, 16); on arc; within 8
kernel void half_size_image(read_only image2d_t a, write_only image2d_t b) {
  int2 p = (int2)(get_global_id(0), get_global_id(1)), size = get_image_dim(b);
  if (any(p >= size)) return;
  float4 s = 0;
  for (int k = 0; k < 4; k++) s += read_imagef(a, edge, 2 * p + (int2)(k & 1, k >> 1));
  write_imagef(b, p, s * 0.25f);
}
// run: 24 16 by 8 4; image("rgba32float", 16, 24), image("rgba32float", 16, 24), sampler("clamp_border", "nearest"), 0.5; on arc; within 8
kernel void rotate_image(read_only image2d_t a, write_only image2d_t b, sampler_t s, float angle) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  int2 q = convert_int2_rtn((float2)(0.875f * (p.x - 12) - 0.484375f * (p.y - 8), 0.484375f * (p.x - 12) + 0.875f * (p.y - 8))) + (int2)(12, 8);
  write_imagef(b, p, read_imagef(a, s, q) * angle);
}
// run: 16 16 by 16 4; image("rgba16sint", 16, 16), image("rgba16sint", 16, 16), image("rgba16sint", 16, 16); on arc
kernel void difference_of_images(read_only image2d_t a, read_only image2d_t b, write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  int4 d = read_imagei(a, p) - read_imagei(b, p);
  write_imagei(out, p, convert_int4(convert_short4_sat(abs(d))));
}
