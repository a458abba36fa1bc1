// RUN: XEGPU_CANONICAL
//
// The texts that a kernel prints, and the end of a thread that goes wrong.
module {
  xe.kernel @k attributes {arguments = [], implicit_arguments = [#xe.implicit_argument<printf_buffer, at 0, 8 bytes>], local_id_dimensions = 0 : i32, printf_strings = ["%d\0A", "100%%"], simd_size = 16 : i32, target = "pvc"} {
  ^bb0(%0: !xe.grf<64, 64 at 0>):
    xe.illegal
    xe.eot
  }
}

