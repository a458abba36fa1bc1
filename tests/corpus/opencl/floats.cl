kernel void floats(global const float *x, global float *out, global int *exponents, global int *flags) {
  int i = get_global_id(0);
  float a = x[i], whole, frac;
  int e, q;
  float r = fabs(a) + floor(a) + ceil(a) + trunc(a) + rint(a) + round(a) + copysign(1.0f, a) + fdim(a, 0.5f);
  r += fmax(a, 0.25f) + fmin(a, 0.25f) + clamp(a, -1.0f, 1.0f) + mix(a, 2.0f, 0.25f) + step(0.5f, a) + sign(a);
  r += smoothstep(-1.0f, 1.0f, a) + degrees(a) + radians(a) + maxmag(a, 0.75f) + minmag(a, 0.75f) + mad(a, 2.0f, 1.0f);
  r += frexp(a, &e) + modf(a, &whole) + fract(a, &frac) + native_recip(a + 100.0f) + half_divide(a, 3.0f);
  r += whole + frac + sqrt(fabs(a));
  exponents[i] = e;
  flags[i] = isnan(a) | isinf(a) << 1 | isfinite(a) << 2 | isnormal(a) << 3 | signbit(a) << 4 | (a != a) << 5
    | isordered(a, r) << 6 | islessgreater(a, 0.5f) << 7;
  out[i] = r;
}
kernel void transcendental(global const float4 *x, global float4 *out) {
  int i = get_global_id(0);
  float4 a = x[i], c, p;
  float4 r = sin(a) + cos(a) + exp(a) + log(fabs(a) + 1.0f) + pow(fabs(a), a) + atan2(a, a + 1.0f) + tanh(a);
  r += sincos(a, &c) + c + exp2(a) + log2(fabs(a) + 1.0f) + cbrt(a) + erf(a) + lgamma(a) + rsqrt(fabs(a) + 1.0f);
  r += fmod(a, 3.0f) + remainder(a, 3.0f) + hypot(a, c) + ldexp(a, 3) + nextafter(a, c) + pown(a, 3) + expm1(a);
  r += native_sin(a) + half_exp(a) + sinpi(a) + acos(a * 0.001f) + asinh(a) + log1p(fabs(a)) + tgamma(a) + logb(a);
  out[i] = r + convert_float4(ilogb(a));
}
