/* Constants and variables of the module, and buffers that are named by offsets of surfaces. */
constant float table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
global int counter = 5;
kernel void tables(global float *a, global const float *b, global int *seen, local float *s)
{
    size_t i = get_global_id(0), l = get_local_id(0);
    s[l] = b[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] += s[l ^ 1] * table[(int)b[i] & 7] * sin(b[i]);
    seen[i] = atomic_inc(&counter);
}
