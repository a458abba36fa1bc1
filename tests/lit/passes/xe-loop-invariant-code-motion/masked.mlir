// RUN: xegpu-opt %s -p xe-loop-invariant-code-motion | filecheck %s

// What depends on the channels that are on stays in the loop; what all channels compute goes in front of it.
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %x = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud>]} -> !xe.grf<64, 64>
  xe.br ^bb1
^bb1:
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, no_mask, condition = "lt", reads = [#xe.read<ud>, #xe.imm<ud, 9>]} flag !xe.flag
  xe.cond_goto %f, ^bb3, ^bb2 : !xe.flag
^bb2:
  %y = xe.add(%x : !xe.grf<64, 64>) {exec_size = 16 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud>, #xe.imm<ud, 1>]} -> !xe.grf<64, 64>
  %z = xe.mov into %x : !xe.grf<64, 64>(%y : !xe.grf<64, 64>) {exec_size = 16 : i32, write = #xe.write<ud>, reads = [#xe.read<ud>]} -> !xe.grf<64, 64>
  %d = xe.div(%x : !xe.grf<64, 64>) {exec_size = 16 : i32, write = #xe.write<ud>, reads = [#xe.read<ud>, #xe.imm<ud, 3>]} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %z : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %d : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.br ^bb1
^bb3:
  xe.join ^bb4
^bb4:
  xe.eot
}

// CHECK: xe.add(%x
// CHECK-NEXT: xe.br ^bb1
// CHECK: ^bb2:
// CHECK-NEXT: xe.mov into %x
// CHECK-NEXT: xe.div(%x
