int total(int *p, int n) { int r = 0; for (int i = 0; i < n; ++i) r += p[i]; return r; }
kernel void generics(global int *data, local int *shared, global int *out) {
  int mine[4] = {1, 2, 3, 4};
  int i = get_global_id(0);
  shared[get_local_id(0)] = data[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int *p = i & 1 ? (int *)data : (int *)shared;
  mine[i & 3] = 9;
  out[i] = total(p, 2) + total(mine, 4) + total(shared, 1) + (to_global(p) != 0);
}
