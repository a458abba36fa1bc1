kernel void shuffles(global const int4 *in, global int *out, global const uint4 *mask) {
  int i = get_global_id(0);
  int4 v = in[i];
  int r[8];
  for (int k = 0; k < 8; ++k) r[k] = v[k & 3] * k;
  int4 s = shuffle(v, mask[i]);
  int8 t = shuffle2(v, s, (uint8)(7, 6, 5, 4, 3, 2, 1, 0));
  out[i] = s.x + t.s3 + t.s7 * 3 + r[i & 7] + bitselect(v.x, v.y, 0x0f0f0f0f) + as_int4(as_uchar16(v).s3210fedc76543210 ).x;
}
