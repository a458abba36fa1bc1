// Control flow.
// case:
int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
kernel void loops(global const uint *in, global int *out) {
  size_t i = get_global_id(0); int a = in[i] & 0xffff, b = (in[i] >> 16) + 1, n = 0;
  for (int j = 0; j < (a & 15); j++) { if (j == 7) continue; if (j * b > 300000) break; n += gcd(a + j, b); }
  do { n = n * 3 + 1; } while ((n & 7) != 0 && n < 100000);
  out[i] = n;
}
// case:
kernel void switches(global const int *in, global int *out) {
  size_t i = get_global_id(0); int r = 0;
  switch (in[i] & 7) { case 0: r = 1; break; case 1: r = 2; case 2: r += 3; break; case 5: return; case 6: r = in[i]; default: r -= 9; }
  switch ((long)in[i] & 0x700000000L) { case 0: r ^= 1; break; case 0x100000000L: r ^= 2; break; default: r ^= 4; }
  out[i] = r;
}
// case:
kernel void jumps(global const int *in, global int *out) {
  size_t i = get_global_id(0); int n = in[i] & 1023, c = 0;
again:
  if (n <= 1) goto done;
  n = n & 1 ? 3 * n + 1 : n / 2;
  if (++c < 30) goto again;
  c = -c;
done:
  out[i] = c;
}
// case:
kernel void mandelbrot(global int *out, float step) {
  float2 c = (float2)(get_global_id(0) * step * 0.02f - 2.0f, 0.3f), z = 0.0f; int n = 0;
  while (n < 50 && dot(z, z) < 4.0f) { z = (float2)(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c; n++; }
  out[get_global_id(0)] = n;
}
// case:
__attribute__((reqd_work_group_size(16, 1, 1)))
kernel void required(global const char4 *in, global float4 *out) {
  size_t i = get_global_id(0);
  out[i] = convert_float4(in[i]) / 3.0f;
}
// case:
kernel void scans(global const int *in, global int *out, local int *tmp) {
  size_t l = get_local_id(0), n = get_local_size(0);
  tmp[l] = in[get_global_id(0)];
  for (size_t d = 1; d < n; d *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = l >= d ? tmp[l - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp[l] += v;
  }
  out[get_global_id(0)] = tmp[l];
}
