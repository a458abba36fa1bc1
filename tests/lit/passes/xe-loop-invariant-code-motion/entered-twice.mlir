// RUN: xegpu-opt %s -p xe-loop-invariant-code-motion | filecheck %s

// A loop with two ways in has no block in front of it.
xe.kernel @k attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, condition = "lt", reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 5>]} flag !xe.flag
  xe.cond_br %f, ^bb1, ^bb2 : !xe.flag
^bb1:
  %a = xe.add(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 1>]} -> !xe.grf<4, 4>
  %k = xe.mov(%a : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>]} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %k : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.br ^bb2
^bb2:
  xe.cond_br %f, ^bb1, ^bb3 : !xe.flag
^bb3:
  xe.eot
}

// CHECK: ^bb1:
// CHECK-NEXT: xe.add(%0
