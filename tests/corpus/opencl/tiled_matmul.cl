#define TILE 8
__attribute__((reqd_work_group_size(TILE, TILE, 1)))
kernel void tiled_matmul(global const float *a, global const float *b, global float *c, int n) {
  local float left[TILE][TILE], right[TILE][TILE];
  int row = get_local_id(1), column = get_local_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; k += TILE) {
    left[row][column] = a[get_global_id(1) * n + k + column];
    right[row][column] = b[(k + row) * n + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i)
      sum = fma(left[row][i], right[i][column], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[get_global_id(1) * n + get_global_id(0)] = sum;
}
