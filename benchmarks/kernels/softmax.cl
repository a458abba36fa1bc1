// Softmax of rows of 1024 elements: a work-group of 256 a row, maximum and sum in trees in local memory.
kernel void softmax(global const float *in, global float *out) {
    local float part[256];
    int item = get_local_id(0);
    int start = get_group_id(0) * 1024 + item;
    float x0 = in[start], x1 = in[start + 256], x2 = in[start + 512], x3 = in[start + 768];
    part[item] = fmax(fmax(x0, x1), fmax(x2, x3));
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 128; step > 0; step >>= 1) {
        if (item < step)
            part[item] = fmax(part[item], part[item + step]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float largest = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    x0 = exp(x0 - largest);
    x1 = exp(x1 - largest);
    x2 = exp(x2 - largest);
    x3 = exp(x3 - largest);
    part[item] = (x0 + x1) + (x2 + x3);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 128; step > 0; step >>= 1) {
        if (item < step)
            part[item] += part[item + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float sum = part[0];
    out[start] = x0 / sum;
    out[start + 256] = x1 / sum;
    out[start + 512] = x2 / sum;
    out[start + 768] = x3 / sum;
}
