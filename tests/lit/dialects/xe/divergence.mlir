// RUN: xegpu-opt %s | filecheck %s
// RUN: xegpu-opt %s | xegpu-opt | filecheck %s
// RUN: xegpu-opt %s --print-op-generic | xegpu-opt | filecheck %s

// Both sides of a choice run, one after the other; a value goes along where one of them is left out.
// CHECK-LABEL: xe.kernel @choice
xe.kernel @choice attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%header: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%header : !xe.grf<64, 64 at 0>) {condition = "eq", exec_size = 16 : i32, no_mask, reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag
  %r = xe.undef : !xe.grf<64, 64>
  // CHECK: xe.cond_goto %f, ^bb2(%r : !xe.grf<64, 64>), ^bb1 {inverted} : !xe.flag
  xe.cond_goto %f, ^bb2(%r : !xe.grf<64, 64>), ^bb1 {inverted} : !xe.flag
^bb1:
  %a = xe.mov into %r : !xe.grf<64, 64> {exec_size = 16 : i32, reads = [#xe.imm<ud, 1>], write = #xe.write<ud>} -> !xe.grf<64, 64>
  // CHECK: xe.goto ^bb4, ^bb2(%a : !xe.grf<64, 64>)
  xe.goto ^bb4, ^bb2(%a : !xe.grf<64, 64>)
^bb2(%s: !xe.grf<64, 64>):
  // CHECK: xe.join ^bb3, ^bb4(%s : !xe.grf<64, 64>)
  xe.join ^bb3, ^bb4(%s : !xe.grf<64, 64>)
^bb3:
  %b = xe.mov into %s : !xe.grf<64, 64> {exec_size = 16 : i32, reads = [#xe.imm<ud, 2>], write = #xe.write<ud>} -> !xe.grf<64, 64>
  xe.br ^bb4(%b : !xe.grf<64, 64>)
^bb4(%t: !xe.grf<64, 64>):
  // CHECK: xe.join ^bb5{{$}}
  xe.join ^bb5
^bb5:
  xe.eot
}

// Without values; the flag's own channels wait.
// CHECK-LABEL: xe.kernel @loop
xe.kernel @loop attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 32 : i32, target = "pvc"} {
^bb0(%header: !xe.grf<64, 64 at 0>):
  xe.br ^bb1
^bb1:
  %f = xe.cmp(%header : !xe.grf<64, 64 at 0>) {condition = "eq", exec_size = 32 : i32, no_mask, reads = [#xe.read<uw>, #xe.imm<uw, 0>]} flag !xe.flag
  // CHECK: xe.cond_goto %f, ^bb3, ^bb2 : !xe.flag
  xe.cond_goto %f, ^bb3, ^bb2 : !xe.flag
^bb2:
  xe.br ^bb1
^bb3:
  xe.join ^bb4
^bb4:
  xe.eot
}
