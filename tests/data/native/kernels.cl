// Kernels that Intel's offline compiler has made native binaries of; README.md says how.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

kernel void vadd(global const float *a, global const float *b, global float *c) {
  size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}

kernel void saxpy(global const float *x, global float *y, float a, int n) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}

kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void gemm(global const float *A, global const float *B, global float *C, int n) {
  local float a[16][16], b[16][16];
  int x = get_local_id(0), y = get_local_id(1), row = get_group_id(1) * 16 + y, column = get_group_id(0) * 16 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    a[y][x] = A[row * n + k + x];
    b[y][x] = B[(k + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 16; j++) sum += a[y][j] * b[j][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[row * n + column] = sum;
}


kernel void divided(global const int *a, global const int *b, global int *c, global long *d) {
  int i = get_global_id(0), n = get_global_size(0);
  c[i] = a[i] / b[i];
  c[i + n] = a[i] % b[i];
  c[i + 2 * n] = mul_hi(a[i], b[i]);
  d[i] = (long)a[i] * b[i] / 7;
}

#ifdef cl_khr_fp64
kernel void doubles(global const double *x, global double *y) {
  int i = get_global_id(0), n = get_global_size(0);
  y[i] = 3.7 / x[i];
  y[i + n] = sqrt(x[i]);
  y[i + 2 * n] = fma(x[i], x[i], 2.0);
}
#endif

kernel void steps(global int *a) {
  int i = get_global_id(0), n = a[i], count = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    count++;
  }
  switch (count & 3) {
    case 0: a[i] = count; break;
    case 1: a[i] = -count; break;
    default: a[i] = count * i;
  }
}

kernel void histogram(global const int *x, global int *bins) {
  local int own[16];
  int t = get_local_id(0);
  if (t < 16) own[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&own[x[get_global_id(0)] & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < 16) atomic_add(&bins[t], own[t]);
}

kernel void kept(global int *a, int m) {
  int t[64], i = get_global_id(0), s = 0;
  for (int k = 0; k < 64; k++) t[k] = a[i] * k ^ m;
  for (int k = 0; k < m; k++) t[(k * 7 + i) & 63] += t[(k * 3) & 63];
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (int k = 0; k < 64; k++) s = s * 31 + t[k];
  a[i] = s;
}

kernel void said(global const int *a) { printf("%d: %d %s\n", (int)get_global_id(0), a[get_global_id(0)], "of ours"); }

constant int table[8] = {1, 2, 3, 5, 8, 13, 21, 34};

kernel void looked_up(global int *a) { a[get_global_id(0)] = table[a[get_global_id(0)] & 7]; }

__attribute__((intel_reqd_sub_group_size(16)))
kernel void together(global const int *a, global int *b) {
  int i = get_global_id(0), n = get_global_size(0);
  b[i] = sub_group_reduce_add(a[i]);
  b[i + n] = sub_group_scan_inclusive_max(a[i]);
  b[i + 2 * n] = sub_group_broadcast(a[i], 3);
}

kernel void narrow(global const uchar4 *a, global short *s) {
  int i = get_global_id(0);
  s[2 * i] = a[i].x + a[i].y - a[i].z;
  s[2 * i + 1] = a[i].w * 3;
}

#if defined(__IMAGE_SUPPORT__) && defined(WITH_IMAGES)
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void shifted(read_only image2d_t from, write_only image2d_t to, sampler_t given, float by) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(to, p, read_imagef(from, nearest, p) + read_imagef(from, given, convert_float2(p) + by));
}
#endif
