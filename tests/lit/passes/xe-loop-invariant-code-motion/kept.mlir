// RUN: xegpu-opt %s -p xe-loop-invariant-code-motion | filecheck %s

// What takes more than a register stays in the loop, and so do flags.
xe.kernel @k attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %i = xe.mov {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.imm<ud, 0>]} -> !xe.grf<4, 4>
  xe.br ^bb1(%i : !xe.grf<4, 4>)
^bb1(%j: !xe.grf<4, 4>):
  %f = xe.cmp(%j : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, condition = "lt", reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 9>]} flag !xe.flag
  xe.cond_br %f, ^bb2, ^bb3 : !xe.flag
^bb2:
  %u = xe.undef : !xe.grf<128, 64>
  %p = xe.mov into %u : !xe.grf<128, 64> {exec_size = 32 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.imm<ud, 1>]} -> !xe.grf<128, 64>
  %g = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, condition = "lt", reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 5>]} flag !xe.flag
  %q = xe.mov into %p : !xe.grf<128, 64> if %g : !xe.flag {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.imm<ud, 2>]} -> !xe.grf<128, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %q : !xe.grf<128, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  %n = xe.add(%j : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 1>]} -> !xe.grf<4, 4>
  xe.br ^bb1(%n : !xe.grf<4, 4>)
^bb3:
  xe.eot
}

// CHECK: xe.br ^bb1
// CHECK: ^bb2:
// CHECK-NEXT: xe.undef
// CHECK-NEXT: xe.mov into
// CHECK-NEXT: xe.cmp
// CHECK-NEXT: xe.mov into
