// y = a x + y
kernel void saxpy(global const float *x, global float *y, float a) {
    int i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
