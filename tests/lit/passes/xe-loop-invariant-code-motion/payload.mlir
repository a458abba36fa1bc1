// RUN: xegpu-opt %s -p xe-loop-invariant-code-motion | filecheck %s

// The part of the address that does not change moves; what depends on the counter, loads and constants stay.
xe.kernel @k attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %i = xe.mov {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.imm<ud, 0>]} -> !xe.grf<4, 4>
  xe.br ^bb1(%i : !xe.grf<4, 4>)
^bb1(%j: !xe.grf<4, 4>):
  %f = xe.cmp(%j : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, condition = "lt", reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 9>]} flag !xe.flag
  xe.cond_br %f, ^bb2, ^bb3 : !xe.flag
^bb2:
  %u = xe.undef : !xe.grf<64, 64>
  %p = xe.mov into %u : !xe.grf<64, 64>(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.read<uq, [0, 1, 0]>]} -> !xe.grf<64, 64>
  %q = xe.mov into %p : !xe.grf<64, 64>(%j : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud, 20>, reads = [#xe.read<ud, [0, 1, 0]>]} -> !xe.grf<64, 64>
  %v = xe.load[%q : !xe.grf<64, 64>] {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask} -> !xe.grf<64, 64>
  %x = xe.load[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask} -> !xe.grf<64, 64>
  %c = xe.mov {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.imm<ud, 7>]} -> !xe.grf<4, 4>
  %d = xe.mov(%c : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>]} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %d : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %v : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %x : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  %n = xe.add(%j : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 1>]} -> !xe.grf<4, 4>
  xe.br ^bb1(%n : !xe.grf<4, 4>)
^bb3:
  xe.eot
}

// CHECK: xe.kernel @k
// CHECK: %[[U:.*]] = xe.undef
// CHECK-NEXT: %[[P:.*]] = xe.mov into %[[U]]
// CHECK-NEXT: xe.br ^bb1
// CHECK: ^bb2:
// CHECK-NEXT: xe.mov into %[[P]]
// CHECK-NEXT: xe.load
// CHECK-NEXT: xe.load[%0
// CHECK-NEXT: xe.mov {
