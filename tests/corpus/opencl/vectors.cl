kernel void vectors(global const float4 *in, global float *out, global int3 *triples, global const uchar16 *bytes) {
  int i = get_global_id(0);
  float4 v = in[i];
  float3 c = cross(v.xyz, v.wzy);
  float2 s = v.s13 + c.xy;
  int4 less = v < v.wzyx;
  float4 chosen = select(v, v.yxwz, less);
  out[i] = dot(v, chosen) + s.x * s.y + length(c) + (any(less) ? 1.0f : 0.0f) + (all(less) ? 2.0f : 0.0f);
  int3 t = triples[i];
  t.zyx = t * (int3)(2, 3, 4) + convert_int3_sat_rte(v.xyz * 10.0f);
  triples[i] = t;
  uchar16 b = bytes[i];
  uint4 sums = convert_uint4(b.s0123) + convert_uint4(b.hi.even);
  out[i] += (float)(sums.x + sums.w) + v[i & 3];
  vstore3(c, i, out + 64);
  out[i] += vload2(i, (global const float *)in).y + fast_length(v) + distance(v, chosen);
}
