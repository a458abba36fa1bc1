// A tile of 16x16 goes through local memory, so that reads and writes follow rows.
kernel void transpose(global const float *in, global float *out, int size) {
    local float tile[16][17];
    int x = get_local_id(0), y = get_local_id(1), column = get_group_id(0) * 16, row = get_group_id(1) * 16;
    tile[y][x] = in[(row + y) * size + column + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(column + y) * size + row + x] = tile[x][y];
}
