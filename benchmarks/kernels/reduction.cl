// Sums of 4096 elements each: a work-group of 256 adds 16 a work-item, then in a tree in local memory.
kernel void reduction(global const float *in, global float *out) {
    local float part[256];
    int item = get_local_id(0), group = get_group_id(0);
    float sum = 0.0f;
    for (int i = 0; i < 16; i++)
        sum += in[group * 4096 + i * 256 + item];
    part[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 128; step > 0; step >>= 1) {
        if (item < step)
            part[item] += part[item + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        out[group] = part[0];
}
