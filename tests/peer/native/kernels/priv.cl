__kernel void priv(__global int *a, int m) {
  int t[64]; int i = get_global_id(0);
  for (int k = 0; k < 64; k++) t[k] = a[i] * k ^ m;
  for (int k = 0; k < m; k++) t[(k * 7 + i) & 63] += t[(k*3) & 63];
  int s = 0; for (int k = 0; k < 64; k++) s = s * 31 + t[k];
  a[i] = s;
}
__attribute__((noinline)) int fib(int n) { return n < 2 ? n : n * 3 + 1; }
__kernel void calls(__global int *a) { int i = get_global_id(0); a[i] = fib(a[i]) + fib(i); }
__kernel void print(__global int *a) { int i = get_global_id(0); printf("v %d %f\n", a[i], (float)i); }
__constant int tab[8] = {1,2,3,5,8,13,21,34};
__global int counter = 7;
__kernel void globals(__global int *a) { int i = get_global_id(0); a[i] = tab[a[i] & 7] + counter; }
__kernel void gen(__global int *a, int w) { __local int l[32]; int t = get_local_id(0); l[t] = t*2; barrier(CLK_LOCAL_MEM_FENCE); int *p = w & t ? (int*)&l[t] : (int*)&a[t]; *p += 5; barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] += l[t]; }
