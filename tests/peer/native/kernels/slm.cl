__kernel __attribute__((reqd_work_group_size(16,16,1)))
void gemm(__global const float *A, __global const float *B, __global float *C, int n) {
  __local float a[16][16], b[16][16];
  int x = get_local_id(0), y = get_local_id(1), row = get_group_id(1)*16+y, col = get_group_id(0)*16+x;
  float s = 0;
  for (int k = 0; k < n; k += 16) {
    a[y][x] = A[row*n + k + x]; b[y][x] = B[(k+y)*n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 16; j++) s += a[y][j]*b[j][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[row*n+col] = s;
}
