kernel void printing(global const float *x, int n) {
  int i = get_global_id(0);
  if (i == 0) printf("n = %d, x = %f\n", n, x[0]);
  printf("%s %v4d\n", "text", (int4)(i, n, 1, 2));
}
