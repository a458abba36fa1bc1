// Arithmetic on halves.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
// case: ulp 8
kernel void half_functions(global const half *a, global const half *b, global half *out) {
  size_t i = get_global_id(0); half x = a[i], y = b[i], p = fabs(x); global half *o = out + 18 * i;
  o[0] = x + y; o[1] = x * y - x; o[2] = x / y; o[3] = sqrt(p); o[4] = fma(x, y, x); o[5] = floor(x); o[6] = fmax(x, y);
  o[7] = exp(x); o[8] = log(p); o[9] = sin(x); o[10] = pow(p, y); o[11] = tanh(x); o[12] = rsqrt(p);
  o[13] = copysign(x, y); o[14] = mix(x, y, (half)0.25h); o[15] = convert_half_rtz(vload_half(i, b) * 3.3f);
  o[16] = fmod(x, y); o[17] = hypot(x, y);
}
// case: ulp 8
kernel void half_vectors(global const half4 *a, global const half4 *b, global half4 *out, global short4 *relations) {
  size_t i = get_global_id(0);
  out[3 * i] = a[i] * b[i]; out[3 * i + 1] = fmin(a[i], b[i]); out[3 * i + 2] = a[i] > b[i] ? a[i] : b[i];
  relations[2 * i] = isless(a[i], b[i]); relations[2 * i + 1] = as_short4(b[i]);
}
