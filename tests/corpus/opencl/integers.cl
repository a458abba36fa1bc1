kernel void integers(global const int *x, global const uint *y, global int *out, global ulong *wide) {
  int i = get_global_id(0);
  int a = x[i]; uint b = y[i];
  int r = abs(a) + mul_hi(a, (int)b) + mad_hi(a, 7, 3) + max(a, 5) + (int)min(b, 77u) + clamp(a, -5, 5);
  r ^= add_sat(a, 0x7fffff00) + sub_sat(a, 0x7fffff00) + hadd(a, 9) + rhadd(a, 9) + rotate(a, 5);
  r += clz(a) + popcount(b) + (int)abs_diff(a, 11) + mul24(a & 0xfff, 3) + mad24(a & 0xfff, 5, 1);
  char c = (char)a; short s = (short)a; uchar uc = (uchar)b; ushort us = (ushort)b;
  r += add_sat(c, (char)100) + sub_sat(s, (short)30000) + mul_hi(us, (ushort)40000) + mad_sat(c, c, c);
  r += upsample(c, uc) + (int)upsample(us, us) + a / 7 + a % 5 + (int)(b / 9u) + (int)(b % 11u);
  r += convert_char_sat(a) + convert_uchar_sat(a) + convert_short_sat(a * 3);
  out[i] = r;
  long l = (long)a << 20; ulong u = (ulong)b << 31;
  wide[i] = (ulong)mul_hi(l, l * 12345) + mul_hi(u, u) + (ulong)mad_sat(l, l, l) + mad_sat(u, u, u) + (ulong)(l / 13) + u % 1000;
}
