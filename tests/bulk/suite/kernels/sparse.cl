// Sparse matrices and graphs: rows of different lengths, guards, frontiers, relaxation by atomics.

// run: 100 by 32; *csr(100, 80), normal(80), zeros(100), 100; within 8
kernel void spmv_scalar(global const int *rows, global const int *columns, global const float *values,
                        global const float *x, global float *y, int n) {
  int r = get_global_id(0);
  if (r >= n) return;
  float s = 0;
  for (int k = rows[r]; k < rows[r + 1]; k++) s += values[k] * x[columns[k]];
  y[r] = s;
}
// run: 800 by 64; *csr(50, 200, 40), normal(200), zeros(50), 50; within 16
kernel void spmv_vector(global const int *rows, global const int *columns, global const float *values,
                        global const float *x, global float *y, int n) {
  local float t[64];
  int l = get_local_id(0), lane = l & 15, r = get_global_id(0) / 16;
  float s = 0;
  if (r < n)
    for (int k = rows[r] + lane; k < rows[r + 1]; k += 16) s += values[k] * x[columns[k]];
  t[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 8; d; d >>= 1) {
    if (lane < d) t[l] += t[l + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0 && r < n) y[r] = t[l];
}
// run: 90 by 32; *ell(90, 70, 6), normal(70), full(90, 1), 90, 6, 2.0, -0.5; within 8
kernel void spmv_ell(global const int *columns, global const float *values, global const float *x, global float *y,
                     int n, int width, float alpha, float beta) {
  int r = get_global_id(0);
  if (r < n) {
    float s = 0;
    for (int k = 0; k < width; k++) {
      int c = columns[k * n + r];
      if (c >= 0) s += values[k * n + r] * x[c];
    }
    y[r] = alpha * s + beta * y[r];
  }
}
// run: 300 by 64; ordered(300, 40), ints(300, 0, 40), ints(300, -9, 9), ints(40, -9, 9), zeros(40, "i4"), 300
kernel void spmv_coo(global const int *rows, global const int *columns, global const int *values, global const int *x,
                     global int *y, int n) {
  int i = get_global_id(0);
  if (i < n) atomic_add(y + rows[i], values[i] * x[columns[i]]);
}
// run: 64 by 64; *graph(64, 4), full(64, -1, "i4"), 64
kernel void bfs_in_a_group(global const int *starts, global const int *ends, global int *depth, int n) {
  local int changed;
  int v = get_local_id(0);
  if (v == 0) depth[0] = 0;
  for (int level = 0;; level++) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (v == 0) changed = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (v < n && depth[v] == level)
      for (int e = starts[v]; e < starts[v + 1]; e++)
        if (depth[ends[e]] < 0) { depth[ends[e]] = level + 1; changed = 1; }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (!changed) break;
  }
}
// run: 200 by 64; *graph(200), ints(200, -1, 3), zeros(200, "i4"), zeros(200, "u1"), 200, 1
kernel void bfs_step(global const int *starts, global const int *ends, global const int *before, global int *touched,
                     global uchar *frontier, int n, int level) {
  int v = get_global_id(0);
  if (v >= n || before[v] != level) return;
  for (int e = starts[v]; e < starts[v + 1]; e++) {
    int u = ends[e];
    if (before[u] != -1) continue;
    atomic_inc(&touched[u]);
    frontier[u] = 1;
  }
}
// run: 150 by 32; *graph(150, 8), uniform(150), zeros(150), 150, 0.85; within 8
kernel void page_rank_pull(global const int *starts, global const int *ends, global const float *rank, global float *next,
                           int n, float d) {
  int v = get_global_id(0);
  if (v >= n) return;
  float s = 0;
  for (int e = starts[v]; e < starts[v + 1]; e++) {
    int u = ends[e], degree = starts[u + 1] - starts[u];
    s += degree ? rank[u] / degree : rank[u];
  }
  next[v] = (1 - d) / n + d * s;
}
// run: 120 by 32; *graph(120), ints(800, 1, 50), ints(120, 0, 500), full(120, 100000, "i4"), 120
kernel void relax_distances(global const int *starts, global const int *ends, global const int *weights,
                            global const int *known, global int *distance, int n) {
  int v = get_global_id(0);
  if (v < n)
    for (int e = starts[v]; e < starts[v + 1]; e++) atomic_min(&distance[ends[e]], known[v] + weights[e]);
}
// run: 48 by 48; ordered(48, 20), zeros(48, "i4")
kernel void pointer_jumping(global const int *group, global int *root) {
  local int p[48], moves;
  int i = get_local_id(0);
  p[i] = i && group[i] == group[i - 1] ? i - 1 : i;
  barrier(CLK_LOCAL_MEM_FENCE);
  bool busy = true;
  while (busy) {
    if (i == 0) moves = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int q = p[p[i]];
    if (q != p[i]) atomic_inc(&moves);
    barrier(CLK_LOCAL_MEM_FENCE);
    p[i] = q;
    busy = moves > 0;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  root[i] = p[i];
}
// run: 100 by 16; *graph(100, 10), zeros(100, "i4"), 100
kernel void triangles(global const int *starts, global const int *ends, global int *count, int n) {
  int v = get_global_id(0), c = 0;
  if (v >= n) return;
  for (int e = starts[v]; e < starts[v + 1]; e++) {
    int u = ends[e], i = starts[v], j = starts[u];
    while (i < starts[v + 1] && j < starts[u + 1]) {
      int a = ends[i], b = ends[j];
      if (a == b) c++;
      if (a <= b) i++;
      if (b <= a) j++;
    }
  }
  count[v] = c;
}
// run: 80 by 16; *graph(80, 5), shuffled(80), full(80, -1, "i4"), 80
kernel void greedy_colours(global const int *starts, global const int *ends, global const int *priority,
                           global int *colour, int n) {
  int v = get_global_id(0);
  if (v >= n) return;
  ulong used = 0;
  for (int e = starts[v]; e < starts[v + 1]; e++)
    if (priority[ends[e]] > priority[v]) used |= 1ul << (priority[ends[e]] % 64);
  int c = 0;
  while (used & 1) { used >>= 1; c++; }
  colour[v] = c;
}
// run: 16 by 16; dominant(16), normal(16), zeros(16), 16, 12; within 64
kernel void jacobi_iterations(global const float *a, global const float *b, global float *out, int n, int rounds) {
  local float x[16];
  int i = get_local_id(0);
  x[i] = 0;
  for (int r = 0; r < rounds; r++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = b[i];
    for (int j = 0; j < n; j++)
      if (j != i) s -= a[i * n + j] * x[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[i] = s / a[i * n + i];
  }
  out[i] = x[i];
}
// run: 32 by 32; definite(32), normal(32), zeros(32), zeros(1), 8; within 4096
float dot_of(local float *t, float v) {
  int l = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  t[l] = v;
  for (int s = 16; s; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s) t[l] += t[l + s];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return t[0];
}
kernel void conjugate_gradient(global const float *a, global const float *b, global float *out, global float *rest, int rounds) {
  local float t[32], d[32];
  int i = get_local_id(0);
  float x = 0, r = b[i], p = r, rr = dot_of(t, r * r);
  for (int k = 0; k < rounds; k++) {
    d[i] = p;
    barrier(CLK_LOCAL_MEM_FENCE);
    float q = 0;
    for (int j = 0; j < 32; j++) q += a[i * 32 + j] * d[j];
    float alpha = rr / dot_of(t, p * q);
    x += alpha * p;
    r -= alpha * q;
    float next = dot_of(t, r * r);
    p = r + next / rr * p;
    rr = next;
  }
  out[i] = x;
  if (i == 0) *rest = rr < 1e-3f;
}
// run: 60 by 20; *csr(60, 60, 5), zeros(60), 60; within 8
kernel void row_norms_early_out(global const int *rows, global const int *columns, global const float *values,
                                global float *norm, int n) {
  int r = get_global_id(0), k = rows[r], end = rows[r + 1];
  if (k == end) { norm[r] = -1; return; }
  float m = 0;
  do { m = fmax(m, fabs(values[k])); } while (++k < end);
  if (m < 0.5f) { norm[r] = m; return; }
  float s = 0;
  for (k = rows[r]; k < end; k++) s += (values[k] / m) * (values[k] / m);
  norm[r] = m * sqrt(s);
}
// run: 64 by 32; records(64, "i4, i4, f8"), normal(40, type="f8"), zeros(64, "f8"), 64; on pvc
typedef struct { int row, column; double value; } Entry;
kernel void entries_double(global const Entry *e, global const double *x, global double *y, int n) {
  int i = get_global_id(0);
  if (i < n) y[i] = e[i].value * x[e[i].column % 40] + e[i].row;
}
