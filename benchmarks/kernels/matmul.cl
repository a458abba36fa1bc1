// A matrix product: a work-group of 16x16 goes along tiles of both factors in local memory.
kernel void matmul(global const float *a, global const float *b, global float *c, int size) {
    local float rows[16][16], columns[16][16];
    int x = get_local_id(0), y = get_local_id(1), column = get_group_id(0) * 16 + x, row = get_group_id(1) * 16 + y;
    float sum = 0.0f;
    for (int k = 0; k < size; k += 16) {
        rows[y][x] = a[row * size + k + x];
        columns[y][x] = b[(k + y) * size + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 16; i++)
            sum = fma(rows[y][i], columns[i][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * size + column] = sum;
}
