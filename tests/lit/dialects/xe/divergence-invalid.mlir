// RUN: xegpu-opt %s --split-input-file --verify-diagnostics

xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.goto' op channels can only wait at a block that ends with 'xe.join'}}
  xe.goto ^bb1, ^bb1
^bb1:
  xe.eot
}

// -----

xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.goto' op passes 0 values to a block of 1}}
  xe.goto ^bb2, ^bb1
^bb1(%1: !xe.grf<64, 64>):
  xe.eot
^bb2:
  xe.join ^bb3
^bb3:
  xe.eot
}

// -----

xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {condition = "eq", exec_size = 16 : i32, no_mask, reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag
  // expected-error@+1 {{'xe.cond_goto' op channels can only wait at a block that ends with 'xe.join'}}
  xe.cond_goto %f, ^bb1, ^bb2 : !xe.flag
^bb1:
  xe.br ^bb2
^bb2:
  xe.eot
}

// -----

xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {condition = "eq", exec_size = 16 : i32, no_mask, reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag
  // expected-error@+1 {{'xe.cond_goto' op a block argument changes its size: 64 to 128 bytes}}
  xe.cond_goto %f, ^bb1(%0 : !xe.grf<64, 64 at 0>), ^bb2 : !xe.flag
^bb1(%1: !xe.grf<128, 64>):
  xe.join ^bb2
^bb2:
  xe.eot
}

// -----

xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {condition = "eq", exec_size = 16 : i32, no_mask, reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag
  // expected-error@+1 {{'xe.cond_goto' op leads to a block with arguments, but passes none}}
  xe.cond_goto %f, ^bb2, ^bb1 : !xe.flag
^bb1(%1: !xe.grf<128, 64>):
  xe.br ^bb2
^bb2:
  xe.join ^bb3
^bb3:
  xe.eot
}

// -----

xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.join' op leads to a block with arguments, but passes none}}
  xe.join ^bb1
^bb1(%1: !xe.grf<64, 64>):
  xe.eot
}

// -----

xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.join' op passes 1 values to a block of 0}}
  xe.join ^bb1, ^bb1(%0 : !xe.grf<64, 64 at 0>)
^bb1:
  xe.eot
}

// -----

xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.join' op passes 1 values, but to no block}}
  xe.join ^bb1 (%0 : !xe.grf<64, 64 at 0>)
^bb1:
  xe.eot
}
