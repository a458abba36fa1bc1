kernel void copies(global float *in, local float *tile, global float *out, int n) {
  event_t e = async_work_group_copy(tile, in + get_group_id(0) * n, n, 0);
  prefetch(in, n);
  wait_group_events(1, &e);
  event_t f = async_work_group_copy(out + get_group_id(0) * n, tile, n, 0);
  wait_group_events(1, &f);
}
