// Address spaces, structures, atomics, copies.
// case:
typedef struct { float a; int n[3]; short s; char c; long l; } Record;
kernel void structures(global const Record *in, global Record *out, int k) {
  size_t i = get_global_id(0) & 31;
  if (get_global_id(0) > 31) return;
  Record r = in[i];
  r.n[(k + i) % 3] += r.s; r.a = (r.n[0] & 1023) * 0.5f; r.l ^= r.c; r.c = (char)(r.c + 1);
  out[i] = r;
}
// case:
constant int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
constant float2 pairs[2] = {{1.5f, 2.5f}, {-1.0f, 4.0f}};
kernel void constants(global const uint *in, constant int *given, global int *out, global float2 *found) {
  size_t i = get_global_id(0);
  out[i] = primes[in[i] & 7] * given[in[i] & 31];
  found[i] = pairs[in[i] & 1];
}
// case: only llvm clang15 ocloc
typedef struct { constant char *text; int weight; constant int *number; } Entry;
constant int primes[4] = {2, 3, 5, 7};
constant char *constant words[] = {"one", "three", "eleven"};
constant int *constant inside[2] = {&primes[2], primes};
constant Entry entries[3] = {{"a", 10, &primes[1]}, {"bc", 20, 0}, {"def", 30, &primes[3]}};
kernel void addresses(global const uint *in, global int *out, global int *letters) {
  int i = get_global_id(0), k = in[i] % 3, n = 0;
  for (constant char *c = words[k]; *c; c++) n = n * 31 + *c;
  letters[i] = n;
  out[i] = inside[in[i] & 1][1] * entries[k].weight + (entries[k].number ? *entries[k].number : 7) + entries[k].text[0];
}
// case:
int total(const int *p, int n) { int s = 0; for (int j = 0; j < n; j++) s += p[j]; return s; }
kernel void generics(global int *in, global int *out) {
  local int shared[16];
  int own[4], i = get_global_id(0), l = get_local_id(0);
  for (int j = 0; j < 4; j++) own[j] = i * j;
  shared[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int *p = i % 3 == 0 ? own : i % 3 == 1 ? (const int *)shared : (const int *)in;
  out[i] = total(p, 4);
}
// case:
kernel void updates(volatile global int *out, volatile global uint *bare, volatile global float *reals,
                    volatile global long *wide) {
  int i = get_global_id(0);
  atomic_add(&out[0], i); atomic_sub(&out[1], 2 * i); atomic_inc(&out[2]); atomic_dec(&out[3]);
  atomic_min(&out[4], -i); atomic_max(&out[5], i); atomic_and(&out[6], ~(1 << (i & 31))); atomic_or(&out[7], 1 << (i & 31));
  atomic_xor(&out[8], i); atomic_max(&bare[0], 0x80000000u + i); atomic_min(&bare[1], i + 5);
  if (i == 9) { atomic_xchg(&out[9], 77); atomic_xchg(&reals[0], 2.5f); }
  atomic_cmpxchg(&out[10 + (i & 3)], out[10 + (i & 3)], 5);
}
// case:
kernel void updates_11(global atomic_int *out, global atomic_uint *bare) {
  local atomic_int sum;
  int i = get_global_id(0);
  if (get_local_id(0) == 0) atomic_init(&sum, 0);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add(&sum, i);
  atomic_fetch_max_explicit(&out[1], i, memory_order_relaxed, memory_scope_device);
  atomic_fetch_min(&bare[0], i + 3u);
  atomic_fetch_xor_explicit(&out[2], i, memory_order_acq_rel, memory_scope_work_group);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) atomic_fetch_add_explicit(&out[0], atomic_load(&sum), memory_order_seq_cst, memory_scope_device);
  int expected = 1 << 30;
  atomic_compare_exchange_strong(&out[3 + i], &expected, i);
  atomic_store_explicit(&bare[1 + i], expected & 0, memory_order_release);
}
// A message from the first work-item to the others.
// case:
kernel void fences(global const int *in, global int *out) {
  local int data[16]; local atomic_int ready;
  int l = get_local_id(0);
  if (l == 0) atomic_init(&ready, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  data[l] = in[get_global_id(0)];
  mem_fence(CLK_LOCAL_MEM_FENCE); atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
  atomic_fetch_add_explicit(&ready, 1, memory_order_release, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  int seen = atomic_load_explicit(&ready, memory_order_acquire, memory_scope_work_group);
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_acquire, memory_scope_work_group);
  read_mem_fence(CLK_LOCAL_MEM_FENCE); write_mem_fence(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = data[15 - l] + seen;
}
// case: only llvm clang15 ocloc
kernel void copies(global const int *in, global int *out, local int *tile) {
  int l = get_local_id(0), n = get_local_size(0), g = get_group_id(0);
  event_t e = async_work_group_copy(tile, in + g * n, n, 0);
  e = async_work_group_strided_copy(tile + n, in + g, n, 4, e);
  wait_group_events(1, &e);
  int mine = tile[n - 1 - l] + tile[n + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[l] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t f[2];
  f[0] = async_work_group_copy(out + g * n, tile, n, 0);
  f[1] = async_work_group_strided_copy(out + 64 + g * 2 * n, tile, n, 2, 0);
  wait_group_events(2, f);
}
// case: only llvm clang15 ocloc
kernel void vector_copies(global const float4 *in, global float4 *out) {
  local float4 tile[24]; local char small[7];
  int l = get_local_id(0), g = get_group_id(0);
  event_t e = async_work_group_copy(tile, in + g * 16, 24, 0);
  async_work_group_copy(small, (global const char *)in, 7, e);
  wait_group_events(1, &e);
  prefetch(in, 16);
  out[get_global_id(0)] = tile[l + 8] + (float)small[l % 7];
}
// case:
kernel void bytes(global const uchar *in, global uchar *out, global ushort *wide) {
  size_t i = get_global_id(0);
  uchar own[16];
  for (int j = 0; j < 16; j++) own[j] = in[(i * 7 + j * 3) & 255];
  for (int j = 0; j < 8; j++) { uchar t = own[j]; own[j] = own[15 - j]; own[15 - j] = t; }
  vstore16(*(uchar16 *)own, i, out);
  wide[i] = *(ushort *)(own + 2 * (i & 7));
}
