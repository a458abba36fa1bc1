// Hashes, ciphers, codes and compression: integers of all widths, exact results.
#define ROL(x, n) rotate((uint)(x), (uint)(n))
#define ROR(x, n) rotate((uint)(x), (uint)(32 - (n)))

constant uint primes[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
  0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
  0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
  0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
  0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
  0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
// run: 16 by 16; bits(256), zeros(128, "u4")
kernel void sha256_block(global const uint *in, global uint *out) {
  uint w[64], h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  int id = get_global_id(0);
  for (int i = 0; i < 16; i++) w[i] = in[id * 16 + i];
  for (int i = 16; i < 64; i++) {
    uint a = ROR(w[i - 15], 7) ^ ROR(w[i - 15], 18) ^ w[i - 15] >> 3, b = ROR(w[i - 2], 17) ^ ROR(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + a + w[i - 7] + b;
  }
  uint s[8];
  for (int i = 0; i < 8; i++) s[i] = h[i];
  for (int i = 0; i < 64; i++) {
    uint t = s[7] + (ROR(s[4], 6) ^ ROR(s[4], 11) ^ ROR(s[4], 25)) + bitselect(s[6], s[5], s[4]) + primes[i] + w[i];
    uint u = (ROR(s[0], 2) ^ ROR(s[0], 13) ^ ROR(s[0], 22)) + ((s[0] & s[1]) | (s[2] & (s[0] | s[1])));
    for (int k = 7; k > 0; k--) s[k] = s[k - 1];
    s[4] += t;
    s[0] = t + u;
  }
  for (int i = 0; i < 8; i++) out[id * 8 + i] = h[i] + s[i];
}
// run: 32 by 8; bits(512), zeros(128, "u4")
kernel void md5_like_rounds(global const uint *in, global uint4 *out) {
  global const uint *m = in + get_global_id(0) * 16;
  uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  for (int i = 0; i < 64; i++) {
    uint f, g;
    switch (i / 16) {
      case 0: f = (b & c) | (~b & d); g = i; break;
      case 1: f = (d & b) | (~d & c); g = (5 * i + 1) % 16; break;
      case 2: f = b ^ c ^ d; g = (3 * i + 5) % 16; break;
      default: f = c ^ (b | ~d); g = 7 * i % 16;
    }
    uint t = d;
    d = c; c = b;
    b += ROL(a + f + primes[i] + m[g], 7 + i % 4 * 5);
    a = t;
  }
  out[get_global_id(0)] = (uint4)(a, b, c, d);
}
// run: 10 by 5; bits(80), zeros(160, "u4"), 10
void quarter(uint *a, uint *b, uint *c, uint *d) {
  *a += *b; *d = ROL(*d ^ *a, 16); *c += *d; *b = ROL(*b ^ *c, 12);
  *a += *b; *d = ROL(*d ^ *a, 8); *c += *d; *b = ROL(*b ^ *c, 7);
}
kernel void chacha20(global const uint *key, global uint *out, int rounds) {
  uint x[16], y[16], id = get_global_id(0);
  for (int i = 0; i < 16; i++) x[i] = y[i] = i < 8 ? key[id * 8 + i] : i * 0x01010101u + id;
  for (int r = 0; r < rounds; r++) {
    for (int i = 0; i < 4; i++) quarter(&y[i], &y[i + 4], &y[i + 8], &y[i + 12]);
    for (int i = 0; i < 4; i++) quarter(&y[i], &y[4 + (i + 1) % 4], &y[8 + (i + 2) % 4], &y[12 + (i + 3) % 4]);
  }
  for (int i = 0; i < 16; i++) out[id * 16 + i] = x[i] + y[i];
}
// run: 40 by 8; bits(80), bits(4), zeros(80, "u4"), zeros(80, "u4"), 32
kernel void xtea_there_and_back(global const uint2 *in, global const uint *key, global uint2 *out, global uint2 *back, int n) {
  uint2 v = in[get_global_id(0)];
  uint sum = 0, delta = 0x9e3779b9;
  for (int i = 0; i < n; i++) {
    v.x += ((v.y << 4 ^ v.y >> 5) + v.y) ^ (sum + key[sum & 3]);
    sum += delta;
    v.y += ((v.x << 4 ^ v.x >> 5) + v.x) ^ (sum + key[sum >> 11 & 3]);
  }
  out[get_global_id(0)] = v;
  for (int i = 0; i < n; i++) {
    v.y -= ((v.x << 4 ^ v.x >> 5) + v.x) ^ (sum + key[sum >> 11 & 3]);
    sum -= delta;
    v.x -= ((v.y << 4 ^ v.y >> 5) + v.y) ^ (sum + key[sum & 3]);
  }
  back[get_global_id(0)] = v;
}
// run: 20 by 4; bits(400, "u1"), zeros(20, "u4"), 20
kernel void crc32_bitwise(global const uchar *in, global uint *out, int n) {
  uint c = ~0u;
  for (int i = 0; i < n; i++) {
    c ^= in[get_global_id(0) * n + i];
    for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
  }
  out[get_global_id(0)] = ~c;
}
// run: 64 by 32; bits(640, "u1"), zeros(64, "u4"), 10
kernel void crc32_by_table(global const uchar *in, global uint *out, int n) {
  local uint t[256];
  for (int i = get_local_id(0); i < 256; i += get_local_size(0)) {
    uint c = i;
    for (int k = 0; k < 8; k++) c = c >> 1 ^ (0xedb88320u & -(c & 1));
    t[i] = c;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint c = ~0u;
  for (int i = 0; i < n; i++) c = t[(c ^ in[get_global_id(0) * n + i]) & 255] ^ c >> 8;
  out[get_global_id(0)] = ~c;
}
// run: 50 by 10; bits(50, "u8"), zeros(50, "u8"), zeros(50, "u4")
kernel void mix_64(global const ulong *in, global ulong *out, global uint *high) {
  int i = get_global_id(0);
  ulong x = in[i];
  x ^= x >> 33; x *= 0xff51afd7ed558ccdul; x ^= x >> 33; x *= 0xc4ceb9fe1a85ec53ul; x ^= x >> 33;
  out[i] = x;
  high[i] = mul_hi(x, in[i]) >> 32;
}
// run: 24 by 8; bits(24 * 13, "u1"), zeros(24, "u4"), zeros(24, "u8"), 13
kernel void fnv_and_djb(global const uchar *in, global uint *a, global ulong *b, int n) {
  uint h = 2166136261u;
  ulong d = 5381;
  for (int i = 0; i < n; i++) {
    uchar c = in[get_global_id(0) * n + i];
    h = (h ^ c) * 16777619u;
    d = d * 33 + c;
  }
  a[get_global_id(0)] = h;
  b[get_global_id(0)] = d;
}
// run: 64 by 16; bits(64, "u2"), bits(64, "u1"), zeros(64, "u1"), zeros(64, "u1")
uchar times(uchar a, uchar b) {
  uchar p = 0;
  for (int i = 0; i < 8; i++) { if (b & 1) p ^= a; a = a << 1 ^ (a & 0x80 ? 0x1b : 0); b >>= 1; }
  return p;
}
kernel void galois_field(global const ushort *a, global const uchar *b, global uchar *product, global uchar *inverse) {
  int i = get_global_id(0);
  product[i] = times(a[i] & 255, b[i]);
  uchar r = 1, x = a[i] >> 8;
  for (int k = 1; k < 8; k++) { x = times(x, x); r = times(r, x); }
  inverse[i] = r;
}
// run: 16 by 4; bits(256, "u1"), zeros(256, "u1")
kernel void aes_shift_and_mix(global const uchar16 *in, global uchar16 *out) {
  uchar16 s = in[get_global_id(0)].s05af49e38d27c16b;
  uchar16 d = (s << (uchar)1) ^ ((s >> (uchar)7) * (uchar)0x1b);
  out[get_global_id(0)] = d ^ d.s123056749ab8defc ^ s.s123056749ab8defc ^ s.s23016745ab89efcd ^ s.s30127456b89afcde;
}
// run: 32 by 8; bits(32), zeros(32, "u4"), 65537
kernel void modular_power(global const uint *in, global uint *out, uint e) {
  ulong m = 4294967291ul, b = in[get_global_id(0)] % m, r = 1;
  for (; e; e >>= 1) { if (e & 1) r = r * b % m; b = b * b % m; }
  out[get_global_id(0)] = r;
}
// run: 40 by 8; ints(40, 1, 100000), zeros(40, "i4"), zeros(40, "u1")
kernel void primes_and_divisors(global const int *a, global int *common, global uchar *prime) {
  int i = get_global_id(0), x = a[i], y = a[(i + 1) % 40];
  while (y) { int t = x % y; x = y; y = t; }
  common[i] = x;
  uchar p = a[i] > 1;
  for (int d = 2; d * d <= a[i]; d++)
    if (a[i] % d == 0) { p = 0; break; }
  prime[i] = p;
}
// run: 48 by 16; bits(48), zeros(48, "u1"), zeros(48, "u4")
kernel void bit_tricks(global const uint *a, global uchar *facts, global uint *reversed) {
  uint x = a[get_global_id(0)];
  facts[get_global_id(0)] = popcount(x) + clz(x) * 3 + ctz(x) * 5;
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  reversed[get_global_id(0)] = as_uint(as_uchar4(x).wzyx);
}
// run: 32 by 8; ints(32 * 16, 0, 3, "u1"), zeros(32 * 32, "u1"), zeros(32, "i4"), 16
kernel void run_lengths(global const uchar *in, global uchar *out, global int *sizes, int n) {
  global const uchar *a = in + get_global_id(0) * n;
  global uchar *o = out + get_global_id(0) * 2 * n;
  int k = 0;
  for (int i = 0; i < n;) {
    int j = i + 1;
    while (j < n && a[j] == a[i]) j++;
    o[k++] = a[i];
    o[k++] = j - i;
    i = j;
  }
  sizes[get_global_id(0)] = k;
}
// run: 16 by 4; bits(48, "u1"), zeros(64, "u1"), zeros(48, "u1")
constant char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
kernel void base64(global const uchar *in, global uchar *out, global uchar *back) {
  int i = get_global_id(0);
  uint v = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2], r = 0;
  for (int k = 0; k < 4; k++) out[4 * i + k] = digits[v >> (18 - 6 * k) & 63];
  for (int k = 0; k < 4; k++) {
    int d = 0;
    while (digits[d] != out[4 * i + k]) d++;
    r = r << 6 | d;
  }
  vstore3((uchar3)(r >> 16, r >> 8, r), i, back);
}
// run: 64 by 32; text(80, "ab"), zeros(64, "i4"), zeros(1, "i4"), 64
kernel void string_search(global const uchar *text, global int *found, global int *count, int n) {
  const char word[5] = "abba";
  int i = get_global_id(0), k = 0;
  if (i >= n) return;
  while (k < 4 && text[i + k] == word[k]) k++;
  found[i] = k;
  if (k == 4) atomic_inc(count);
}
// run: 60 by 60; ints(60, 1, 40, "u4"), zeros(60, "u1"), zeros(1, "i4")
kernel void hash_table(global const uint *keys, global uchar *seen, volatile global int *kinds) {
  local uint table[128];
  int i = get_global_id(0);
  for (int k = i; k < 128; k += 60) table[k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint key = keys[i], slot = key * 2654435761u >> 25;
  for (;; slot++) {
    uint old = atomic_cmpxchg(&table[slot & 127], 0u, key);
    if (old == 0) { atomic_inc(kinds); break; }
    if (old == key) break;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint wanted = i + 1;
  for (slot = wanted * 2654435761u >> 25; table[slot & 127] && table[slot & 127] != wanted; slot++);
  seen[i] = table[slot & 127] == wanted;
}
