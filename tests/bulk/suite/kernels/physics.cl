// Bodies, particles, rays and fields.

// run: 96 by 32; uniform(384, 0.1, 1), zeros(384), 96, 0.01; within 64
kernel void nbody_tiled(global const float4 *a, global float4 *force, int n, float soft) {
  local float4 t[32];
  int l = get_local_id(0), i = get_global_id(0);
  float4 p = a[i];
  float3 f = 0;
  for (int b = 0; b < n; b += 32) {
    t[l] = a[b + l];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
    for (int k = 0; k < 32; k++) {
      float3 d = t[k].xyz - p.xyz;
      float r = rsqrt(dot(d, d) + soft);
      f += d * (t[k].w * r * r * r);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  force[i] = (float4)(f, p.w);
}
// run: 40 by 8; normal(160, type="f8"), zeros(160, "f8"), 40; on pvc; within 64
kernel void nbody_double(global const double4 *a, global double4 *out, int n) {
  double4 p = a[get_global_id(0)], f = 0;
  for (int k = 0; k < n; k++) {
    double4 d = a[k] - p;
    d.w = 0;
    double r = dot(d, d) + 0.125;
    f += d / (r * sqrt(r));
  }
  out[get_global_id(0)] = f;
}
// run: 50 by 16; uniform(150, 0, 3), ints(400, 0, 50), zeros(200), 50, 8, 1.5; within 256
kernel void lennard_jones(global const float *at, global const int *neighbours, global float4 *out, int n, int most, float cutoff) {
  int i = get_global_id(0);
  if (i >= n) return;
  float3 p = vload3(i, at);
  float4 f = 0;
  for (int k = 0; k < most; k++) {
    int j = neighbours[i * most + k];
    float3 d = p - vload3(j, at);
    float r2 = dot(d, d) + 0.5f;
    if (j == i || r2 > cutoff * cutoff) continue;
    float s = 1 / (r2 * r2 * r2);
    f.xyz += d * (s * (s - 0.5f) / r2);
    f.w += s * (s - 1);
  }
  out[i] = f;
}
// run: 24 by 8; records(24, "(4,)f4, (4,)f4, f4, i4, (2,)i4"), zeros(24, "(4,)f4, (4,)f4, f4, i4, (2,)i4"), 0.1, 10; within 32
typedef struct { float3 at, velocity; float mass; int alive; } Particle;
kernel void particles_bounce(global const Particle *in, global Particle *out, float dt, int steps) {
  Particle p = in[get_global_id(0)];
  for (int k = 0; k < steps; k++) {
    p.velocity.y -= 0.5f * dt;
    p.at = mad(p.velocity, dt, p.at);
    if (p.at.y < 0) { p.at.y = 0; p.velocity.y *= -0.75f; p.alive++; }
    if (p.mass < 0.25f) break;
  }
  global Particle *o = out + get_global_id(0);
  o->mass = p.mass * p.at.x;
  o->alive = p.alive;
  vstore3(p.at, 0, (global float *)&o->at);
  vstore3(p.velocity, 0, (global float *)&o->velocity);
}
// run: 24 16 by 8 4; zeros(384, "i4"), zeros(384), 24, 16; within 64
typedef struct { float4 centre; float radius; int colour; } Sphere;
constant Sphere scene[3] = {{{0, 0, 4, 0}, 1.0f, 10}, {{0.75f, 0.5f, 3, 0}, 0.5f, 20}, {{-1, -0.25f, 5, 0}, 1.5f, 30}};
kernel void spheres(global int *hit, global float *depth, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1), best = -1;
  float4 d = normalize((float4)((x + 0.3f - w / 2) / w, (y + 0.3f - h / 2) / w, 1, 0));
  float near = 1e9f;
  for (int k = 0; k < 3; k++) {
    float b = dot(d, scene[k].centre), q = b * b - dot(scene[k].centre, scene[k].centre) + scene[k].radius * scene[k].radius;
    if (q < 0) continue;
    float t = b - sqrt(q);
    if (t > 0 && t < near) { near = t; best = scene[k].colour; }
  }
  hit[y * w + x] = best;
  depth[y * w + x] = best < 0 ? 0 : near;
}
// run: 32 by 8; normal(96), normal(96), normal(9), zeros(32, "i4"), zeros(32)
kernel void triangle_hits(global const float *origins, global const float *directions, constant float *corners,
                          global int *hit, global float *where) {
  int i = get_global_id(0);
  float3 o = vload3(i, origins), d = vload3(i, directions), a = vload3(0, corners);
  float3 e = vload3(1, corners) - a, f = vload3(2, corners) - a, p = cross(d, f), t = o - a;
  float det = dot(e, p), u = dot(t, p);
  int inside = det > 0.5f && u > 0;
  hit[i] = inside;
  where[i] = inside ? 1 : 0;
}
// run: 16 16 by 8 8; zeros(256, "i4"), zeros(256); within 4096
float boxes(float4 p) { float4 q = fabs(p) - (float4)(0.5f, 0.25f, 0.5f, 0); return length(fmax(q, 0.0f)) + fmin(fmax(q.x, fmax(q.y, q.z)), 0.0f) - 0.125f; }
kernel void distance_field(global int *steps, global float *far) {
  int x = get_global_id(0), y = get_global_id(1), k = 0;
  float4 d = normalize((float4)(x / 8.0f - 1, y / 8.0f - 1, 2, 0)), p = (float4)(0, 0, -3, 0);
  float t = 0;
  while (k < 24) {
    float s = boxes(p + t * d);
    if (s < 0.01f || t > 8) break;
    t += s;
    k++;
  }
  steps[y * 16 + x] = t > 8;
  far[y * 16 + x] = t > 8 ? -1 : t;
}
// run: 64 by 16; uniform(64, 0, 8), zeros(8, "i4"), zeros(64, "i4"), 64
kernel void particles_to_cells(global const float *at, volatile global int *cells, global int *mine, int n) {
  int i = get_global_id(0);
  float whole, part = fract(at[i], &whole);
  int c = (int)whole, weight = (int)(part * 256);
  atomic_add(&cells[c], 256 - weight);
  atomic_add(&cells[(c + 1) & 7], weight);
  mine[i] = c;
}
// run: 48 by 16; uniform(48, -1, 1), uniform(48, -1, 1), zeros(96), 20, 0.05; within 512
kernel void runge_kutta(global const float *x0, global const float *v0, global float2 *out, int steps, float h) {
  float2 s = (float2)(x0[get_global_id(0)], v0[get_global_id(0)]);
  for (int k = 0; k < steps; k++) {
    float2 a = (float2)(s.y, -s.x - 0.1f * s.y * s.y * s.y), q = s + 0.5f * h * a;
    float2 b = (float2)(q.y, -q.x - 0.1f * q.y * q.y * q.y);
    q = s + 0.5f * h * b;
    float2 c = (float2)(q.y, -q.x - 0.1f * q.y * q.y * q.y);
    q = s + h * c;
    float2 d = (float2)(q.y, -q.x - 0.1f * q.y * q.y * q.y);
    s += h / 6 * (a + 2 * b + 2 * c + d);
  }
  out[get_global_id(0)] = s;
}
// run: 16 16 by 16 2; ints(256, 0, 2), bits(256), zeros(256, "i4"), 16, 0; within 2
kernel void ising_half(global const int *spins, global const uint *noise, global int *out, int n, int parity) {
  int x = get_global_id(0), y = get_global_id(1), i = y * n + x, s = 2 * spins[i] - 1;
  out[i] = s;
  if ((x + y & 1) != parity) return;
  int around = 2 * (spins[y * n + (x + 1) % n] + spins[y * n + (x + n - 1) % n] + spins[(y + 1) % n * n + x] + spins[(y + n - 1) % n * n + x]) - 4;
  int cost = 2 * s * around;
  const uint chance[5] = {~0u, 0x90000000u, 0x50000000u, 0x2c000000u, 0x18000000u};
  if (cost <= 0 || noise[i] < chance[min(cost / 4, 4)]) out[i] = -s;
}
// run: 32 by 32; uniform(32), zeros(32), 10; within 32
kernel void spring_chain(global const float *start, global float *out, int steps) {
  local float x[34];
  int l = get_local_id(0);
  float v = 0;
  x[l + 1] = start[l];
  if (l < 2) x[l * 33] = l;
  for (int k = 0; k < steps; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float f = x[l] - 2 * x[l + 1] + x[l + 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    v = 0.875f * v + 0.25f * f;
    x[l + 1] += v;
  }
  out[l] = x[l + 1];
}
// run: 20 by 4; uniform(60, -1, 1), zeros(80), zeros(180); within 64
kernel void quaternions(global const float *axes, global float4 *turned, global float *matrices) {
  int i = get_global_id(0);
  float3 a = normalize(vload3(i, axes));
  float4 q = (float4)(0.6f * a, 0.8f);
  float4 v = (float4)(1, 2, 3, 0), t = 2 * cross((float4)(q.xyz, 0), v);
  turned[i] = v + q.w * t + cross((float4)(q.xyz, 0), t);
  float m[3][3];
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) m[r][c] = 2 * ((float *)&q)[r] * ((float *)&q)[c] + (r == c ? 2 * q.w * q.w - 1 : 0);
  for (int k = 0; k < 9; k++) matrices[i * 9 + k] = m[k / 3][k % 3];
}
