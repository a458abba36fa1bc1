// RUN: xegpu-opt %s -p xe-hoist-loads --split-input-file | filecheck %s

// Loads go up to what they need and stay in order, behind stores.
xe.kernel @order attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %a = xe.add(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 1>]} -> !xe.grf<4, 4>
  %v = xe.load[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask} -> !xe.grf<64, 64>
  %b = xe.add(%a : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 2>]} -> !xe.grf<4, 4>
  %p = xe.mov(%b : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>]} -> !xe.grf<64, 64>
  %w = xe.load[%p : !xe.grf<64, 64>] {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %v : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  %k = xe.mov(%a : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>]} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %k : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  %x = xe.load[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %w : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %x : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}
// CHECK-LABEL: xe.kernel @order
// CHECK-NEXT: ^bb0
// CHECK-NEXT: xe.load[%0
// CHECK-NEXT: xe.add
// CHECK-NEXT: xe.add
// CHECK-NEXT: %[[P:.*]] = xe.mov
// CHECK-NEXT: xe.load[%[[P]]
// CHECK-NEXT: xe.store
// CHECK-NEXT: xe.mov
// CHECK-NEXT: xe.store
// CHECK-NEXT: xe.load
// CHECK-NEXT: xe.store

// -----

// The kernel needs 115 registers. 128 hold it with room for alignment, but not if the loads come before %b.
xe.kernel @pressure attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %u = xe.undef : !xe.grf<7296, 64>
  %a = xe.mov into %u : !xe.grf<7296, 64> {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.imm<ud, 1>]} -> !xe.grf<7296, 64>
  %b = xe.mov(%a : !xe.grf<7296, 64>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>]} -> !xe.grf<64, 64>
  %v = xe.load[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask} -> !xe.grf<64, 64>
  %w = xe.load[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %b : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %v : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %w : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}
// CHECK-LABEL: xe.kernel @pressure
// CHECK-NEXT: ^bb0
// CHECK-NEXT: xe.undef
// CHECK-NEXT: xe.mov into
// CHECK-NEXT: xe.mov(
// CHECK-NEXT: xe.load
