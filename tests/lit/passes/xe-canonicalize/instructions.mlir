// RUN: xegpu-opt %s -p xe-canonicalize | filecheck %s
// RUN: xegpu-opt %s -p canonicalize | filecheck %s

// Constants become immediates, chains of them one instruction, and what nobody reads goes with its operands. Writes to
// memory stay, and so do values that another block reads. A move between integers of one size is the value itself.
xe.kernel @k attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %one = xe.mov {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.imm<ud, 1>]} -> !xe.grf<4, 4>
  %a = xe.add(%0, %one : !xe.grf<64, 64 at 0>, !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.read<ud, [0, 1, 0]>]} -> !xe.grf<4, 4>
  %b = xe.add(%a, %one : !xe.grf<4, 4>, !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.read<ud, [0, 1, 0]>]} -> !xe.grf<64, 64>
  %unread = xe.mul(%b : !xe.grf<64, 64>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 3>]} -> !xe.grf<4, 4>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %b : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  %c = xe.add(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 0>]} -> !xe.grf<4, 4>
  xe.br ^bb1
^bb1:
  %k = xe.shl(%c : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 2>]} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %k : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  %signed = xe.mov(%k : !xe.grf<64, 64>) {exec_size = 16 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<d>]} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %signed : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}

// CHECK: ^bb0
// CHECK-NEXT: %[[B:.*]] = xe.add(%0 {{.*}}#xe.imm<ud, 2>
// CHECK-NEXT: xe.store{{.*}} data %[[B]]
// CHECK-NEXT: %[[C:.*]] = xe.mov(%0
// CHECK-NEXT: xe.br
// CHECK: %[[K:.*]] = xe.shl(%[[C]]
// CHECK-NEXT: xe.store{{.*}} data %[[K]]
// CHECK-NEXT: xe.store{{.*}} data %[[K]]
// CHECK-NEXT: xe.eot

// A product with a power of two is a shift; chains of products and shifts to the left, in any order, are one of both.
xe.kernel @factors attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %a = xe.mul(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<d>, reads = [#xe.read<d, [0, 1, 0]>, #xe.imm<d, 16>]} -> !xe.grf<4, 4>
  %b = xe.shl(%a : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<d>, reads = [#xe.read<d, [0, 1, 0]>, #xe.imm<d, 3>]} -> !xe.grf<4, 4>
  %c = xe.mul(%b : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<d>, reads = [#xe.read<d, [0, 1, 0]>, #xe.imm<d, 3>]} -> !xe.grf<4, 4>
  %d = xe.shl(%c : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<d>, reads = [#xe.read<d, [0, 1, 0]>, #xe.imm<d, 30>]} -> !xe.grf<4, 4>
  // A shift by 33 bits shifts by one.
  %e = xe.shl(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<d>, reads = [#xe.read<d, [0, 1, 0]>, #xe.imm<d, 33>]} -> !xe.grf<4, 4>
  %f = xe.mul(%e : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<d>, reads = [#xe.read<d, [0, 1, 0]>, #xe.imm<d, 5>]} -> !xe.grf<4, 4>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %b : !xe.grf<4, 4> {message = #xe.message<unit = ugm, size = d32, vector = 1>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %c : !xe.grf<4, 4> {message = #xe.message<unit = ugm, size = d32, vector = 1>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %d : !xe.grf<4, 4> {message = #xe.message<unit = ugm, size = d32, vector = 1>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %f : !xe.grf<4, 4> {message = #xe.message<unit = ugm, size = d32, vector = 1>, exec_size = 1 : i32, no_mask}
  xe.eot
}

// CHECK: @factors
// CHECK: xe.shl(%0 {{.*}}#xe.imm<d, 7>
// CHECK-NEXT: xe.mul(%0 {{.*}}#xe.imm<d, 384>
// CHECK-NEXT: xe.mul(%0 {{.*}}#xe.imm<d, 0>
// CHECK-NEXT: xe.mul(%0 {{.*}}#xe.imm<d, 10>
