// Kernels that only Intel's compiler takes; the CPU runs their models.

// run: 64 by 64; ints(64, 0, 14), zeros(64, "i4"); model walked
kernel void walked(global const int *a, global int *b) {
  for (int i = 0; i < 64; i++) {
    int before = 0, last = 1;
    for (int k = 0; k < a[i]; k++) {
      int next = before + last;
      before = last;
      last = next;
    }
    b[i] = before;
  }
}
__attribute__((noinline)) int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
kernel void recursive(global const int *a, global int *b) { b[get_global_id(0)] = fibonacci(a[get_global_id(0)]); }

// run: 64 by 32; ints(64, 0, 100), ramp(64); model chosen
kernel void chosen(global const int *a, global int *b) {
  for (int i = 0; i < 64; i++)
    b[i] = a[i] % 3 == 0 ? b[i] * 3 + 1 : a[i] % 3 == 1 ? b[i] ^ 0x55 : b[i] - 100;
}
void __builtin_IB_call_function_pointer(char *function, char *argument);
char *__builtin_IB_get_function_pointer(__constant char *name);
void tripled(char *p) { *(int *)p = *(int *)p * 3 + 1; }
void flipped(char *p) { *(int *)p ^= 0x55; }
void lowered(char *p) { *(int *)p -= 100; }
kernel void by_pointers(global const int *a, global int *b) {
  int i = get_global_id(0), x = b[i];
  if (a[i] % 3 == 0)
    __builtin_IB_call_function_pointer(__builtin_IB_get_function_pointer("tripled"), (char *)&x);
  else if (a[i] % 3 == 1)
    __builtin_IB_call_function_pointer(__builtin_IB_get_function_pointer("flipped"), (char *)&x);
  else
    __builtin_IB_call_function_pointer(__builtin_IB_get_function_pointer("lowered"), (char *)&x);
  b[i] = x;
}

// run: 64 by 16; ints(64, 0, 100), zeros(64, "i4"); model doubled
kernel void doubled(global const int *a, global int *b) {
  for (int i = 0; i < 64; i++)
    b[i] = 2 * a[i];
}
void __devicelib_assert_fail(constant const char *what, constant const char *file, int line, constant const char *name,
                             ulong gx, ulong gy, ulong gz, ulong lx, ulong ly, ulong lz);
kernel void reports(global const int *a, global int *b) {
  int i = get_global_id(0);
  if (a[i] < 0)
    __devicelib_assert_fail("a[i] >= 0", "kernels.cl", 1, "reports", i, 0, 0, get_local_id(0), 0, 0);
  if (a[i] > 100)
    printf("%d: %v2d, %s, %f\n", i, (int2)(a[i], b[i]), "too large", (float)a[i]);
  b[i] = 2 * a[i];
}

// run: 32 by 16; ints(256, -128, 128, "i1"), ints(512, -128, 128, "i1"), ints(128, -9, 9); on pvc; model bytes_plain
kernel void bytes_plain(global const char *a, global const char *b, global int *c) {
  for (int row = 0; row < 8; row++)
    for (int column = 0; column < 16; column++)
      for (int k = 0; k < 32; k++)
        c[row * 16 + column] += a[row * 32 + k] * b[k * 16 + column];
}
__attribute__((overloadable)) int8 intel_sub_group_i8_i8_matrix_mad_k32(short8 a, int8 b, int8 c);
kernel __attribute__((intel_reqd_sub_group_size(16))) void bytes_systolic(global const char *a, global const char *b, global int *c) {
  int lane = get_local_id(0);
  short8 left;
  int8 right, sum;
  for (int i = 0; i < 8; i++) {
    left[i] = as_short(vload2(i * 16 + lane, a));
    right[i] = as_int((char4)(b[64 * i + lane], b[64 * i + 16 + lane], b[64 * i + 32 + lane], b[64 * i + 48 + lane]));
    sum[i] = c[i * 16 + lane];
  }
  if (get_group_id(0) == 0) {
    sum = intel_sub_group_i8_i8_matrix_mad_k32(left, right, sum);
    for (int i = 0; i < 8; i++)
      c[i * 16 + lane] = sum[i];
  }
}

// run: 16 by 16; ints(128, -8, 9), ints(256, -8, 9), zeros(128); on pvc; model bfloats_plain
kernel void bfloats_plain(global const int *a, global const int *b, global float *c) {
  for (int row = 0; row < 8; row++)
    for (int column = 0; column < 16; column++)
      for (int k = 0; k < 16; k++)
        c[row * 16 + column] += a[row * 16 + k] * b[k * 16 + column];
}
__attribute__((overloadable)) float8 intel_sub_group_bf16_bf16_matrix_mad_k16(short8 a, int8 b, float8 c);
ushort bfloat(int number) { return as_uint((float)number) >> 16; }
kernel __attribute__((intel_reqd_sub_group_size(16))) void bfloats_systolic(global const int *a, global const int *b, global float *c) {
  int lane = get_local_id(0);
  short8 left;
  int8 right;
  for (int i = 0; i < 8; i++) {
    left[i] = bfloat(a[i * 16 + lane]);
    right[i] = as_int((ushort2)(bfloat(b[32 * i + lane]), bfloat(b[32 * i + 16 + lane])));
  }
  float8 sum = intel_sub_group_bf16_bf16_matrix_mad_k16(left, right, (float8)(0.0f));
  for (int i = 0; i < 8; i++)
    c[i * 16 + lane] = sum[i];
}
