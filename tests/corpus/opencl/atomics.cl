kernel void atomics(global int *old, global atomic_int *modern, global float *f, local int *scratch, global uint *u) {
  int i = get_global_id(0);
  if (get_local_id(0) == 0) scratch[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&old[0], i); atomic_sub(&old[1], 1); atomic_inc(&old[2]); atomic_dec(&old[3]);
  atomic_max(&old[4], i); atomic_min(&old[5], i); atomic_and(&old[6], ~i); atomic_or(&old[7], i);
  atomic_xor(&old[8], i); atomic_xchg(&old[9], i); atomic_cmpxchg(&old[10], 0, i); atomic_max(&u[0], (uint)i);
  atomic_xchg(&f[0], (float)i); atomic_inc(&scratch[0]);
  atomic_fetch_add_explicit(&modern[0], i, memory_order_relaxed, memory_scope_device);
  atomic_store_explicit(&modern[1], atomic_load_explicit(&modern[0], memory_order_acquire, memory_scope_work_group),
                        memory_order_release, memory_scope_work_group);
  int expected = 5;
  if (atomic_compare_exchange_strong(&modern[2], &expected, i)) old[11] = expected;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
  mem_fence(CLK_LOCAL_MEM_FENCE);
}
