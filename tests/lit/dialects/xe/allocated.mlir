// RUN: XEGPU_CANONICAL
//
// After allocation values have places, and the kernel says how many registers it takes.
builtin.module {
  xe.kernel @k attributes {target = "arc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, grf_count = 128 : i32, spill_size = 64 : i32} {
  ^bb0(%0: !xe.grf<32, 32 at 0>):
    %1 = xe.mov(%0 : !xe.grf<32, 32 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.read<ud, 4, [0, 1, 0]>]} -> !xe.grf<8, 8 at 40>
    %2, %3 = xe.cmp(%1 : !xe.grf<8, 8 at 40>) {exec_size = 1 : i32, no_mask, condition = "ge", write = #xe.write<w>, reads = [#xe.read<q, [0, 1, 0]>, #xe.imm<q, 18446744073709551615>]} -> !xe.grf<2, 2 at 32> flag !xe.flag<2>
    xe.eot
  }
}

