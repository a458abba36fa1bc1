#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void mathf(__global const float *x, __global float *y) {
  int i = get_global_id(0); float v = x[i]; int n = get_global_size(0);
  y[i] = sin(v); y[i+n] = cos(v); y[i+2*n] = exp(v); y[i+3*n] = log(v); y[i+4*n] = sqrt(v); y[i+5*n] = rsqrt(v);
  y[i+6*n] = pow(v, 1.7f); y[i+7*n] = fmod(v, 3.f); y[i+8*n] = 1.0f/v; y[i+9*n] = tan(v); y[i+10*n] = floor(v); y[i+11*n] = rint(v);
  y[i+12*n] = round(v); y[i+13*n] = fmin(v, 2.f); y[i+14*n] = clamp(v, 0.f, 1.f); y[i+15*n] = mad(v, v, 1.f);
}
__kernel void halves(__global const half *x, __global half *y, __global const ushort *m) {
  int i = get_global_id(0); half v = x[i];
  y[i] = v*v + (half)1.5h; if (m[i] & 1) y[i] = sqrt(v);
}
