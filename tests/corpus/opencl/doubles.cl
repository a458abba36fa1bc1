#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void doubles(global const double *x, global double *out, global const long *l) {
  size_t i = get_global_id(0) + get_global_offset(0) * 0 + get_group_id(0) * 0;
  double a = x[i], w;
  out[i] = fma(a, a, floor(a)) + modf(a, &w) + w + (double)l[i] + fmax(a, 1.0) + length((double2)(a, 1.0)) + sqrt(fabs(a));
}
