// Functions of floating-point numbers.
// case: T I = float uint, double ulong
kernel void ${T}_rounding(global const $T *a, global const $T *b, global $T *out) {
  size_t i = get_global_id(0); $T x = a[i] * 4, y = b[i]; global $T *o = out + 22 * i; $T whole;
  o[0] = ceil(x); o[1] = floor(x); o[2] = trunc(x); o[3] = rint(x); o[4] = round(x); o[5] = fabs(x);
  o[6] = copysign(x, y); o[7] = fdim(x, y); o[8] = fmax(x, y); o[9] = fmin(x, y); o[10] = maxmag(x, y);
  o[11] = minmag(x, y); o[12] = fmod(x, y); o[13] = remainder(x, y); o[14] = fma(x, y, x);
  o[15] = fract(x, &whole); o[16] = whole; o[17] = modf(x, &whole); o[18] = whole;
  o[19] = nextafter(x, y); o[20] = logb(x); o[21] = sign(x);
}
// case: T I = float uint, double ulong
kernel void ${T}_parts(global const $T *a, global const $T *b, global $T *out, global int *whole) {
  size_t i = get_global_id(0); $T x = a[i] * 1000, y = b[i]; int n, q, s;
  out[5 * i] = frexp(x, &n); out[5 * i + 1] = remquo(x, y, &q); out[5 * i + 2] = ldexp(y, n);
  out[5 * i + 3] = lgamma_r(y, &s); out[5 * i + 4] = ldexp(y, -1000);
  whole[4 * i] = n; whole[4 * i + 1] = q & 127; whole[4 * i + 2] = ilogb(x); whole[4 * i + 3] = s;
}
// case: T I = float uint, double ulong
kernel void ${T}_exponentials(global const $T *a, global const $T *b, global $T *out) {
  size_t i = get_global_id(0); $T x = a[i], y = b[i], p = fabs(x); global $T *o = out + 16 * i;
  o[0] = exp(x); o[1] = exp2(x); o[2] = exp10(x); o[3] = expm1(x); o[4] = log(p); o[5] = log2(p);
  o[6] = log10(p); o[7] = log1p(p); o[8] = pow(p, y); o[9] = powr(p, y); o[10] = pown(x, 3);
  o[11] = rootn(p, 3); o[12] = sqrt(p); o[13] = rsqrt(p); o[14] = cbrt(x); o[15] = hypot(x, y);
}
// case: T I = float uint, double ulong
kernel void ${T}_angles(global const $T *a, global const $T *b, global $T *out) {
  size_t i = get_global_id(0); $T x = a[i], y = b[i], u = x / 16; global $T *o = out + 15 * i; $T c;
  o[0] = sin(x); o[1] = cos(x); o[2] = tan(x); o[3] = sinpi(x); o[4] = cospi(x); o[5] = tanpi(u);
  o[6] = asin(u); o[7] = acos(u); o[8] = atan(x); o[9] = atan2(y, x); o[10] = asinpi(u);
  o[11] = acospi(u); o[12] = atanpi(x); o[13] = atan2pi(y, x); o[14] = sincos(x, &c) + c;
}
// case: T I = float uint, double ulong
kernel void ${T}_hyperbolic(global const $T *a, global $T *out) {
  size_t i = get_global_id(0); $T x = a[i], u = x / 16; global $T *o = out + 10 * i;
  o[0] = sinh(x); o[1] = cosh(x); o[2] = tanh(x); o[3] = asinh(x); o[4] = acosh(fabs(x) + 1);
  o[5] = atanh(u); o[6] = erf(x); o[7] = erfc(x); o[8] = tgamma(x); o[9] = lgamma(fabs(x) + 3);
}
// case: T I = float uint, double ulong
kernel void ${T}_common(global const $T *a, global const $T *b, global $T *out) {
  size_t i = get_global_id(0); $T x = a[i], y = b[i]; global $T *o = out + 8 * i;
  o[0] = clamp(x, ($T)-1, ($T)1); o[1] = degrees(x); o[2] = radians(x); o[3] = mix(x, y, ($T)0.25);
  o[4] = step(x, y); o[5] = smoothstep(($T)-2, ($T)2, x); o[6] = max(x, y); o[7] = min(x, y);
}
// case: T I = float uint, double ulong
kernel void ${T}_relations(global const $T *a, global const $T *b, global int *out) {
  size_t i = get_global_id(0); $T x = a[i], y = i % 3 ? b[i] : i % 4 ? x : nan(($I)5);
  out[i] = isequal(x, y) | isnotequal(x, y) << 1 | isgreater(x, y) << 2 | isless(x, y) << 3
    | isgreaterequal(x, y) << 4 | islessequal(x, y) << 5 | islessgreater(x, y) << 6
    | isnan(y) << 7 | isinf(x / 0) << 8 | isfinite(y) << 9 | isnormal(x) << 10 | signbit(x) << 11
    | isordered(x, y) << 12 | isunordered(x, y) << 13 | (x < y) << 14 | (x != y) << 15;
}

// case:
kernel void vector_functions(global const float *a, global float *out) {
  size_t i = get_global_id(0);
  float4 x = vload4(i, a), y = x.wzyx, p, q; int4 n;
  global float *o = out + 60 * i;
  vstore4(sin(x) + cos(y), 0, o); vstore4(pow(fabs(x), y), 1, o); vstore4(fract(x, &p), 2, o); vstore4(p, 3, o);
  vstore4(frexp(x, &n), 4, o); vstore4(convert_float4(n), 5, o); vstore4(modf(x, &q) + q, 6, o);
  vstore4(ldexp(x, 3), 7, o); vstore4(pown(x, n & 3), 8, o); vstore4(fmax(x, 0.5f), 9, o);
  vstore4(mix(x, y, 0.25f), 10, o); vstore4(clamp(x, -1.0f, 1.0f), 11, o); vstore4(remquo(x, y, &n), 12, o);
  vstore4(convert_float4(n & 127), 13, o); vstore4(tgamma(fabs(x) + 1), 14, o);
}

// case:
kernel void geometry(global const float *a, global float *out) {
  size_t i = get_global_id(0);
  float4 x = vload4(i, a), y = vload4(i + 1, a);
  global float *o = out + 16 * i;
  o[0] = dot(x, y); o[1] = length(x); o[2] = distance(x.xyz, y.xyz); o[3] = length(x.x);
  vstore4(normalize(x), 1, o); vstore4(cross(x, y), 2, o);
  vstore3(cross(x.xyz, y.xyz), 4, o); o[15] = dot(x.xy, y.zw);
}

// case: ulp 65536
kernel void fast(global const float *a, global const float *b, global float *out) {
  size_t i = get_global_id(0); float x = fabs(a[i]) + 0.25f, y = b[i]; global float *o = out + 24 * i;
  o[0] = half_cos(x); o[1] = half_divide(x, y); o[2] = half_exp(x); o[3] = half_exp2(x); o[4] = half_exp10(x / 4);
  o[5] = half_log(x + 2); o[6] = half_log2(x + 2); o[7] = half_log10(x + 2); o[8] = half_powr(x, y); o[9] = half_recip(x);
  o[10] = half_rsqrt(x); o[11] = half_sin(x); o[12] = half_sqrt(x); o[13] = native_divide(x, y); o[14] = native_exp(x);
  o[15] = native_exp2(x); o[16] = native_log2(x + 2); o[17] = native_powr(x, y); o[18] = native_recip(x);
  o[19] = native_rsqrt(x); o[20] = native_sqrt(x); o[21] = fast_length((float2)(x, y));
  o[22] = fast_distance((float2)(x, y), (float2)(y, y)); o[23] = fast_normalize((float2)(x, y)).x;
}
