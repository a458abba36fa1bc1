// RUN: xegpu-opt %s -p xe-allocate-registers --split-input-file --verify-diagnostics -t xe-asm

// A goto that leads up, to a block whose argument is changed and then used on the other way.
xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {condition = "eq", exec_size = 16 : i32, no_mask, reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag
  %x = xe.mov {exec_size = 16 : i32, no_mask, reads = [#xe.imm<ud, 0>], write = #xe.write<ud>} -> !xe.grf<64, 64>
  xe.br ^bb1(%x : !xe.grf<64, 64>)
^bb1(%a: !xe.grf<64, 64>):
  xe.join ^bb2
^bb2:
  %b = xe.mov into %a : !xe.grf<64, 64> {exec_size = 16 : i32, reads = [#xe.imm<ud, 1>], write = #xe.write<ud>} -> !xe.grf<64, 64>
  // expected-error@+1 {{goto leads up: blocks that it names must follow}}
  xe.cond_goto %f, ^bb1(%x : !xe.grf<64, 64>), ^bb3 : !xe.flag
^bb3:
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %b : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}

// -----

xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {condition = "eq", exec_size = 16 : i32, no_mask, reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag
  xe.br ^bb1
^bb1:
  xe.join ^bb2
^bb2:
  // expected-error@+1 {{goto leads up: blocks that it names must follow}}
  xe.cond_goto %f, ^bb1, ^bb3 : !xe.flag
^bb3:
  xe.eot
}
