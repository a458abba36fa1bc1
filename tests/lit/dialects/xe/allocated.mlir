// RUN: XEGPU_CANONICAL
//
// After allocation values have places, and the kernel says how many registers it takes.
module {
  xe.kernel @k attributes {arguments = [], grf_count = 128 : i32, implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 1 : i32, spill_size = 64 : i32, target = "arc"} {
  ^bb0(%0: !xe.grf<32, 32 at 0>):
    %1 = xe.mov(%0 : !xe.grf<32, 32 at 0>) {exec_size = 1 : i32, no_mask, reads = [#xe.read<ud, 4, [0, 1, 0]>], write = #xe.write<uq>} -> !xe.grf<8, 8 at 40>
    %2, %3 = xe.cmp(%1 : !xe.grf<8, 8 at 40>) {condition = "ge", exec_size = 1 : i32, no_mask, reads = [#xe.read<q, [0, 1, 0]>, #xe.imm<q, 18446744073709551615>], write = #xe.write<w>} -> !xe.grf<2, 2 at 32> flag !xe.flag<2>
    xe.eot
  }
}

