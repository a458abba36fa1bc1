#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void dbl(__global const double *x, __global double *y) {
  int i = get_global_id(0); double v = x[i]; int n = get_global_size(0);
  y[i] = v / 3.7; y[i+n] = sqrt(v); y[i+2*n] = fma(v, v, 2.0); y[i+3*n] = (double)(long)v; y[i+4*n] = (double)(float)v; y[i+5*n]= v > 1.0 ? v : -v;
}
