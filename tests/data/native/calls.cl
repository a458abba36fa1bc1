/* Functions on the stack that ask for ids and sizes, which no kernel passes to them. */
__attribute__((noinline)) int item(global const int *p, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += p[i] * (int)get_global_id(0);
    return sum + 100 * (int)get_num_groups(0) + 10 * (int)get_local_id(1) + (int)get_global_size(1) + (int)get_global_offset(0);
}
__attribute__((noinline)) int both(global const int *p, int n)
{
    if (get_global_id(0) == 3)
        printf("item %d of %s\n", (int)get_local_id(0), "both");
    return item(p, n) ^ item(p + 1, n - 1);
}
kernel void calls(global const int *p, global int *out, int n)
{
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = both(p, n) + item(p, 2);
}
