kernel void control_flow(global const int *in, global int *out) {
  int i = get_global_id(0);
  int x = in[i];
  int r = 0;
  switch (x & 7) {
  case 0: r = x * 3; break;
  case 1: r = x - 100;
  case 2: r += 17; break;
  case 5: goto odd;
  default: r = -x;
  }
  for (int k = 0; k < (x & 15); ++k) {
    if (k == 11) break;
    if (k % 3 == 1) continue;
    r ^= k << (k & 3);
  }
odd:
  while (r > 1000) r /= 2;
  do { r += 3; } while (r < 0);
  out[i] = r;
}
kernel void long_switch(global const long *in, global int *out) {
  int i = get_global_id(0);
  switch (in[i]) {
  case 0x100000001L: out[i] = 1; break;
  case -1L: out[i] = 2; break;
  case 7L: out[i] = 3; break;
  default: out[i] = 4;
  }
}
