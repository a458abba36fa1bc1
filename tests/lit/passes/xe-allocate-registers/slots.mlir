// RUN: xegpu-opt %s -p 'xe-allocate-registers{grf_count=128}' | filecheck %s
// RUN: xegpu-opt %s -p 'xe-allocate-registers{grf_count=128}' --print-register-pressure 2>&1 | filecheck %s --check-prefix=PRESSURE

// Two pairs of blocks with 76 registers each: one of each pair goes to scratch, both to the same bytes. The constant is
// made again where it is used.
xe.kernel @k attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %c = xe.mov {exec_size = 16 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.imm<ud, 7>]} -> !xe.grf<64, 64>
  %ua = xe.undef : !xe.grf<4864, 64>
  %a = xe.mov into %ua : !xe.grf<4864, 64>(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>]} -> !xe.grf<4864, 64>
  %ub = xe.undef : !xe.grf<4864, 64>
  %b = xe.mov into %ub : !xe.grf<4864, 64>(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>]} -> !xe.grf<4864, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %b : !xe.grf<4864, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %a : !xe.grf<4864, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  %ud = xe.undef : !xe.grf<4864, 64>
  %d = xe.mov into %ud : !xe.grf<4864, 64>(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>]} -> !xe.grf<4864, 64>
  %ue = xe.undef : !xe.grf<4864, 64>
  %e = xe.mov into %ue : !xe.grf<4864, 64>(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>]} -> !xe.grf<4864, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %e : !xe.grf<4864, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %d : !xe.grf<4864, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %c : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}

// CHECK: spill_size = 4864 : i32
// CHECK-NOT: #xe.imm<ud, 7>
// CHECK: %[[A:.*]] = xe.mov into
// CHECK-NEXT: xe.spill %[[A]] to 0 :
// CHECK: %[[AGAIN:.*]] = xe.fill 0 :
// CHECK-NEXT: xe.store[{{.*}}] data %[[AGAIN]]
// CHECK: xe.spill %{{.*}} to 0 :
// CHECK: xe.fill 0 :
// CHECK: %[[C:.*]] = xe.mov {{.*}}#xe.imm<ud, 7>
// CHECK-NEXT: xe.store[{{.*}}] data %[[C]]
// PRESSURE: kernel 'k': at most 77 registers live, {{.*}}; 77 of 128 used, 4864 bytes spilled
