// RUN: xegpu-opt %s -p xe-cse | filecheck %s

// The second sum is the first one, in its block only; loads on both sides of a store differ.
xe.kernel @k attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %a = xe.add(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 1>]} -> !xe.grf<4, 4>
  %b = xe.add(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 1>]} -> !xe.grf<4, 4>
  %c = xe.add(%a, %b : !xe.grf<4, 4>, !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.read<ud, [0, 1, 0]>]} -> !xe.grf<64, 64>
  %v = xe.load[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask} -> !xe.grf<64, 64>
  %w = xe.load[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %v : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %w : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  %x = xe.load[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %x : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %c : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.br ^bb1
^bb1:
  %d = xe.add(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 1>]} -> !xe.grf<4, 4>
  %k = xe.mov(%d : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>]} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %k : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}

// CHECK: %[[A:.*]] = xe.add(%0
// CHECK-NEXT: xe.add(%[[A]], %[[A]]
// CHECK-NEXT: %[[V:.*]] = xe.load
// CHECK-NEXT: xe.store{{.*}} data %[[V]]
// CHECK-NEXT: xe.store{{.*}} data %[[V]]
// CHECK-NEXT: xe.load
// CHECK: ^bb1:
// CHECK-NEXT: xe.add(%0
