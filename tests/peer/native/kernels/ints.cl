__kernel void ints(__global const int *a, __global const int *b, __global int *c, __global long *d, __global ulong *e) {
  int i = get_global_id(0); int n = get_global_size(0); int x = a[i], y = b[i];
  c[i] = x / y; c[i+n] = x % y; c[i+2*n] = mul_hi(x,y); c[i+3*n] = popcount(x); c[i+4*n] = clz(x); c[i+5*n] = rotate(x, y);
  c[i+6*n] = add_sat(x,y); c[i+7*n] = abs_diff(x,y); c[i+8*n] = hadd(x,y); c[i+9*n] = (x & ~y) | (x ^ 0x55); c[i+10*n] = min(x,y) + max(x, 3);
  d[i] = (long)x * y; d[i+n] = d[i] / (y | 1); d[i+2*n] = d[i] >> (y & 63); d[i+3*n] = (d[i] < x) ? d[i] : y;
  e[i] = (ulong)x * (ulong)y + e[i+n]; e[i+2*n] = mul_hi(e[i], e[i+n]);
}
__kernel void bytes(__global const uchar4 *a, __global char *b, __global short *s) {
  int i = get_global_id(0); uchar4 v = a[i]; b[i] = v.x + v.y - v.z; s[i] = v.w * 3 - b[i];
  uchar8 w = vload8(i, (__global uchar*)a); vstore8(w.s76543210, i, (__global uchar *)s);
}
__kernel void sw(__global int *a) {
  int i = get_global_id(0); int v = a[i], r = 0;
  switch (v & 7) { case 0: r = 3; break; case 1: r = v * 5; break; case 2: for (int k = 0; k < v; k++) { r += k ^ i; if (r > 1000) break; } break; case 5: r = v / 3; break; default: r = -1; }
  a[i] = r;
}
