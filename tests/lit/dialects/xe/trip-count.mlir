// RUN: XEGPU_CANONICAL
//
// How often a loop runs stands where it is left.
module {
  gpu.module @m {
    xe.kernel @k attributes {arguments = [#xe.argument<"n" : "index", at 0, 8 bytes>], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
    ^bb0(%0: !xe.grf<64, 64 at 0>):
      %1 = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {condition = "eq", exec_size = 1 : i32, no_mask, reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag
      xe.br ^bb1
    ^bb1:
      xe.cond_br %1, ^bb2, ^bb3 {trip_count = #xe.trip_count<argument = 0, scale = 2, offset = -5, step = 16>} : !xe.flag
    ^bb2:
      xe.br ^bb1
    ^bb3:
      xe.cond_br %1, ^bb3, ^bb4 {trip_count = #xe.trip_count<offset = 64>} : !xe.flag
    ^bb4:
      xe.cond_br %1, ^bb4, ^bb5 {trip_count = #xe.trip_count<offset = 0>} : !xe.flag
    ^bb5:
      xe.eot
    }
  }
}

