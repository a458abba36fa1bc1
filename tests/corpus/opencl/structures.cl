typedef struct { int a; float b[3]; struct { short s; char c; } inner; float4 v; } record;
typedef struct __attribute__((packed)) { char tag; int value; } tight;
constant int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
constant float weights[2][2] = {{0.5f, 1.5f}, {2.5f, -3.5f}};
float weigh(record r, int k) { return r.b[k % 3] * weights[k & 1][(k >> 1) & 1] + r.v.y; }
kernel void structures(record r, global const tight *t, global float *out, global record *records) {
  int i = get_global_id(0);
  record copy = records[i];
  copy.a += table[i & 7];
  copy.inner.s = (short)(copy.a * 3);
  copy.v.xz = copy.v.zx;
  records[i] = copy;
  out[i] = weigh(r, i) + (float)t[i].value + (float)copy.inner.c;
}
