// Sorting, merging and searching.
#define SWAP(T, a, b) { T s_ = a; a = b; b = s_; }

// run: 128 by 128; bits(128), zeros(128, "u4")
kernel void bitonic_local(global const uint *a, global uint *out) {
  local uint t[128];
  uint l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (uint k = 2; k <= 128; k <<= 1)
    for (uint j = k >> 1; j > 0; j >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint p = l ^ j;
      if (p > l && (t[l] > t[p]) == ((l & k) == 0)) { uint s = t[l]; t[l] = t[p]; t[p] = s; }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l];
}
// run: 256 by 32; normal(512), 64, 16
kernel void bitonic_step(global float *a, uint k, uint j) {
  uint i = get_global_id(0), x = 2 * i - (i & (j - 1)), y = x + j;
  bool up = (x & k) == 0;
  float p = a[x], q = a[y];
  a[x] = up ? fmin(p, q) : fmax(p, q);
  a[y] = up ? fmax(p, q) : fmin(p, q);
}
// run: 64 by 64; ints(64, 0, 50, "i2"), zeros(64, "i2")
kernel void odd_even_transposition(global const short *a, global short *out) {
  local short t[64];
  int l = get_local_id(0);
  t[l] = a[l];
  for (int r = 0; r < 64; r++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((l & 1) == (r & 1) && l + 1 < 64 && t[l] > t[l + 1]) SWAP(short, t[l], t[l + 1]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = t[l];
}
// run: 100 by 32; ints(100, 0, 60), full(100, -1, "i4"), zeros(100, "i4"), 100
kernel void rank_sort(global const int *a, global int *out, global int *from, int n) {
  int i = get_global_id(0), r = 0;
  if (i >= n) return;
  for (int j = 0; j < n; j++) r += a[j] < a[i] || (a[j] == a[i] && j < i);
  out[r] = a[i];
  from[r] = i;
}
// run: 256 by 64; bits(256), zeros(256, "u4"); model radix_plain
kernel void radix_plain(global const uint *a, global uint *out) {
  for (int g = 0; g < 4; g++)
    for (int d = 0, k = 0; d < 16; d++)
      for (int i = 0; i < 64; i++)
        if ((a[g * 64 + i] >> 4 & 15) == d) out[g * 64 + k++] = a[g * 64 + i];
}
kernel void radix_by_bits(global const uint *a, global uint *out) {
  local uint v[64];
  local int t[64];
  int l = get_local_id(0);
  v[l] = a[get_global_id(0)];
  for (int bit = 4; bit < 8; bit++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint x = v[l];
    int zero = !(x >> bit & 1);
    t[l] = zero;
    for (int s = 1; s < 64; s <<= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int u = t[l] + (l >= s ? t[l - s] : 0);
      barrier(CLK_LOCAL_MEM_FENCE);
      t[l] = u;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    v[zero ? t[l] - 1 : t[63] + l - t[l]] = x;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = v[l];
}
// run: 128 by 64; bits(1024), zeros(32, "u4"), 0
kernel void radix_counts(global const uint *a, global uint *counts, int shift) {
  local uint t[16];
  int l = get_local_id(0), g = get_group_id(0);
  if (l < 16) t[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 8; k++) atomic_inc(&t[a[g * 512 + k * 64 + l] >> shift & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) counts[l * get_num_groups(0) + g] = t[l];
}
// run: 60 by 20; ordered(40), ordered(60), zeros(100, "i4"), 40, 60
int below(global const int *a, int n, int x, bool equal_too) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int m = (lo + hi) / 2;
    if (a[m] < x || (equal_too && a[m] == x)) lo = m + 1; else hi = m;
  }
  return lo;
}
kernel void merge_by_ranks(global const int *a, global const int *b, global int *out, int n, int m) {
  int i = get_global_id(0);
  if (i < n) out[i + below(b, m, a[i], false)] = a[i];
  if (i < m) out[i + below(a, n, b[i], true)] = b[i];
}
// run: 16 by 8; ordered(64, 99), ordered(64, 99), zeros(128, "i4"), 64, 64
kernel void merge_path(global const int *a, global const int *b, global int *out, int n, int m) {
  int part = (n + m) / get_global_size(0), d = get_global_id(0) * part, lo = max(0, d - m), hi = min(d, n);
  while (lo < hi) {
    int k = (lo + hi) >> 1;
    if (a[k] <= b[d - 1 - k]) lo = k + 1; else hi = k;
  }
  int i = lo, j = d - lo;
  for (int k = 0; k < part; k++) out[d + k] = j >= m || (i < n && a[i] <= b[j]) ? a[i++] : b[j++];
}
// run: 8 by 8; ints(128, 0, 500), zeros(128, "i4")
kernel void insertion_sort_rows(global const int *a, global int *out) {
  int v[16], base = get_global_id(0) * 16;
  for (int i = 0; i < 16; i++) {
    int x = a[base + i], j = i;
    for (; j > 0 && v[j - 1] > x; j--) v[j] = v[j - 1];
    v[j] = x;
  }
  for (int i = 0; i < 16; i++) out[base + i] = v[i];
}
// run: 8 by 4; ints(160, -99, 99), zeros(160, "i4"), 20
kernel void heap_sort_rows(global const int *a, global int *out, int n) {
  global int *h = out + get_global_id(0) * n;
  for (int i = 0; i < n; i++) h[i] = a[get_global_id(0) * n + i];
  for (int end = n, start = n / 2; end > 1;) {
    if (start > 0) start--;
    else { end--; SWAP(int, h[0], h[end]); }
    int r = start, c;
    while ((c = 2 * r + 1) < end) {
      if (c + 1 < end && h[c] < h[c + 1]) c++;
      if (h[r] >= h[c]) break;
      SWAP(int, h[r], h[c]);
      r = c;
    }
  }
}
// run: 8 by 8; ints(200, 0, 99, "u1"), zeros(200, "u1"), 25
kernel void quick_sort_with_stack(global const uchar *a, global uchar *out, int n) {
  uchar v[32], stack[32];
  int base = get_global_id(0) * n, top = 0;
  for (int i = 0; i < n; i++) v[i] = a[base + i];
  stack[top++] = 0; stack[top++] = n - 1;
  while (top) {
    int hi = stack[--top], lo = stack[--top];
    if (lo >= hi) continue;
    uchar p = v[hi];
    int k = lo;
    for (int i = lo; i < hi; i++)
      if (v[i] < p) { SWAP(uchar, v[i], v[k]); k++; }
    SWAP(uchar, v[k], v[hi]);
    if (k > 0) { stack[top++] = lo; stack[top++] = k - 1; }
    stack[top++] = k + 1; stack[top++] = hi;
  }
  for (int i = 0; i < n; i++) out[base + i] = v[i];
}
// run: 100 by 64; ordered(200, 400), ints(100, -5, 405), zeros(100, "i4"), 200, 100
kernel void binary_search(global const int *a, global const int *keys, global int *found, int n, int m) {
  int i = get_global_id(0);
  if (i >= m) return;
  int lo = 0, hi = n - 1, at = -1;
  while (lo <= hi) {
    int k = lo + (hi - lo) / 2;
    if (a[k] == keys[i]) { at = k; hi = k - 1; }
    else if (a[k] < keys[i]) lo = k + 1;
    else hi = k - 1;
  }
  found[i] = at < 0 ? -1 : a[at];
}
// run: 32 by 32; records(32, "u4, i2, (2,)i1"), zeros(32, "u4, i2, (2,)i1")
typedef struct { uint key; short place; char tag[2]; } Item;
kernel void bitonic_structures(global const Item *a, global Item *out) {
  local Item t[32];
  int l = get_local_id(0);
  t[l] = a[l];
  for (int k = 2; k <= 32; k *= 2)
    for (int j = k / 2; j; j /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int p = l ^ j;
      if (p > l) {
        bool more = t[l].key > t[p].key || (t[l].key == t[p].key && (t[l].place > t[p].place || (t[l].place == t[p].place && t[l].tag[0] > t[p].tag[0])));
        if (more == !(l & k)) { Item s = t[l]; t[l] = t[p]; t[p] = s; }
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = t[l];
}
// run: 64 by 16; bits(256), zeros(256, "u4")
kernel void network_of_four(global const uint4 *a, global uint4 *out) {
  uint4 v = a[get_global_id(0)];
  v = (uint4)(min(v.xz, v.yw), max(v.xz, v.yw)).s0213;
  v = (uint4)(min(v.x, v.z), min(v.y, v.w), max(v.x, v.z), max(v.y, v.w));
  out[get_global_id(0)] = (uint4)(v.x, min(v.y, v.z), max(v.y, v.z), v.w);
}
// run: 64 by 32; bits(64, "u8"), zeros(64, "u8"), zeros(64, "u4")
kernel void morton_codes(global const ulong *a, global ulong *out, global uint *back) {
  int i = get_global_id(0);
  ulong x = a[i] & 0xffffff;
  x = (x | x << 16) & 0x0000ffff0000ffff; x = (x | x << 8) & 0x00ff00ff00ff00ff; x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x << 2) & 0x3333333333333333; x = (x | x << 1) & 0x5555555555555555;
  out[i] = x;
  uint r = 0;
  for (int b = 0; b < 32; b++) r |= (uint)(x >> (2 * b) & 1) << b;
  back[i] = r;
}
// run: 96 by 32; ints(96, 0, 10), zeros(10, "i4"), zeros(96, "i4"), 96; model counting_plain
kernel void counting_plain(global const int *a, global int *starts, global int *out, int n) {
  for (int v = 0, k = 0; v < 10; v++) {
    starts[v] = k;
    for (int i = 0; i < n; i++)
      if (a[i] == v) out[k++] = i;
  }
}
kernel void counting_sort(global const int *a, global int *starts, global int *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int v = a[i], r = 0, before = 0;
  for (int j = 0; j < n; j++) { before += a[j] < v; r += a[j] < v || (a[j] == v && j < i); }
  out[r] = i;
  if (r == before) starts[v] = before;
}
