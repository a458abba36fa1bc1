#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void conversions(global const double *d, global const long *l, global float *f, global half *h, global int *n) {
  int i = get_global_id(0);
  double x = d[i]; long y = l[i];
  f[8 * i + 0] = convert_float_rtz(x); f[8 * i + 1] = convert_float_rtp(x);
  f[8 * i + 2] = convert_float_rtn(x); f[8 * i + 3] = convert_float_rte(x);
  f[8 * i + 4] = convert_float_rtz(y); f[8 * i + 5] = convert_float_rtp(y);
  f[8 * i + 6] = convert_float_rtn((ulong)y); f[8 * i + 7] = convert_float_rtp((ulong)y);
  n[4 * i] = convert_int_sat_rtp(x); n[4 * i + 1] = convert_uchar_sat(x);
  n[4 * i + 2] = convert_short_sat_rtn((float)x); n[4 * i + 3] = (int)convert_uint_rte((float)(x < 0 ? -x : x));
  vstore_half_rtz((float)x, 4 * i, h); vstore_half_rtp((float)x, 4 * i + 1, h);
  vstore_half_rtn((float)x, 4 * i + 2, h); h[4 * i + 3] = (half)((float)x) + (half)1.0f;
  f[8 * i] += vload_half(4 * i, h) + (float)as_int((float)y) + (float)as_short2((int)y).y;
}
