// The kernels of the programs.
kernel void vadd(global const float *a, global const float *b, global float *c)
{
    size_t index = get_global_id(0);
    c[index] = a[index] + b[index];
}

kernel void scale(global float *values, float factor, local float *copies)
{
    size_t index = get_global_id(0), place = get_local_id(0);
    copies[place] = values[index];
    barrier(CLK_LOCAL_MEM_FENCE);
    values[index] = factor * copies[get_local_size(0) - 1 - place];
}

kernel void nothing(void) {}

kernel void spin(global volatile int *go)
{
    while (*go == 0)
        ;
}

kernel void talk(void) { printf("from the kernel\n"); }

kernel void await(global volatile int *go, global int *result)
{
    int found;
    while ((found = *go) == 0)
        ;
    *result = found;
}
