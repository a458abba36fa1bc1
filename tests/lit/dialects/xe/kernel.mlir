// RUN: XEGPU_CANONICAL
//
// A kernel before allocation: blocks, what allocation inserts, and the forms of instructions.
module {
  gpu.module @m {
    xe.kernel @k attributes {arguments = [#xe.argument<"a" : "memref<4xf32>", at 0, 8 bytes, pointer global readonly>, #xe.argument<"s" : "f32", at 8, 4 bytes>], implicit_arguments = [#xe.implicit_argument<local_size, at 12, 12 bytes>], local_id_dimensions = 2 : i32, required_work_group_size = array<i32: 16, 2, 1>, simd_size = 16 : i32, target = "pvc"} {
    ^bb0(%0: !xe.grf<64, 64 at 0>, %1: !xe.grf<64, 64 at 192>):
      %2 = xe.undef : !xe.grf<128, 64>
      %3 = xe.mov into %2 : !xe.grf<128, 64>(%1 : !xe.grf<64, 64 at 192>) {exec_size = 16 : i32, no_mask, reads = [#xe.read<f, 8, [0, 1, 0], neg, abs>], write = #xe.write<f, 64>} -> !xe.grf<128, 64>
      %4 = xe.mul(%3 : !xe.grf<128, 64>) {exec_size = 32 : i32, no_mask, reads = [#xe.read<f>, #xe.imm<f, 1065353216>], saturate, write = #xe.write<f>} -> !xe.grf<128, 64>
      %5 = xe.cmp(%4 : !xe.grf<128, 64>) {condition = "lt", exec_size = 16 : i32, reads = [#xe.read<f, 64>, #xe.imm<f, 0>]} flag !xe.flag
      xe.cond_br %5, ^bb1, ^bb2 : !xe.flag
    ^bb1:
      %6 = xe.copy %4 : !xe.grf<128, 64> -> !xe.grf<128, 64>
      %7 = xe.sel if %5 : !xe.flag(%6, %4 : !xe.grf<128, 64>, !xe.grf<128, 64>) {channel_offset = 16 : i32, exec_size = 16 : i32, inverted, reads = [#xe.read<w, [2, 1, 0]>, #xe.read<w, [4, 1, 0]>], write = #xe.write<w, 2, 2>} -> !xe.grf<128, 64>
      xe.br ^bb3(%7 : !xe.grf<128, 64>)
    ^bb2:
      xe.spill %4 to 128 : !xe.grf<128, 64>
      %8 = xe.fill 128 : !xe.grf<128, 64>
      xe.br ^bb3(%8 : !xe.grf<128, 64>)
    ^bb3(%9: !xe.grf<128, 64>):
      %10 = xe.dpas(%9, %9 : !xe.grf<128, 64>, !xe.grf<128, 64>) {exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<bf>, #xe.read<bf, 32>], repeat = 1 : i32, write = #xe.write<f>} -> !xe.grf<64, 64>
      %11 = xe.dpas into %10 : !xe.grf<64, 64> acc %10 : !xe.grf<64, 64>(%9, %9 : !xe.grf<128, 64>, !xe.grf<128, 64>) {exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<tf32>, #xe.read<tf32>], repeat = 1 : i32, write = #xe.write<f>} -> !xe.grf<64, 64>
      %12 = xe.load if %5 : !xe.flag[%9 : !xe.grf<128, 64>] {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d16u32>} -> !xe.grf<64, 64>
      %13 = xe.load_block2d into %2 : !xe.grf<128, 64>[%0 : !xe.grf<64, 64 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d16, vnni, cache = ca_ca, block = [16, 2, 2]>, no_mask} -> !xe.grf<128, 64>
      xe.prefetch[%0 : !xe.grf<64, 64 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d64, vector = 8, transposed, offset = 64>, no_mask}
      xe.store[%0 : !xe.grf<64, 64 at 0>] data %13 : !xe.grf<128, 64> {address_offset = 0 : i32, data_offset = 64 : i32, exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 16, transposed, address = a32, model = ss>, no_mask}
      xe.eot
    }
    xe.kernel @resources attributes {arguments = [#xe.argument<"s" : "memref<4xf32, 3>", at 0, 8 bytes, pointer local readwrite>], barrier_count = 4 : i32, implicit_arguments = [], local_id_dimensions = 0 : i32, private_size = 128 : i32, simd_size = 16 : i32, slm_size = 1000 : i32, target = "pvc"} {
    ^bb0(%0: !xe.grf<64, 64 at 0>):
      xe.eot
    }
    xe.kernel @objects attributes {arguments = [#xe.argument<"i" : "image2d_t", at 0, 8 bytes, pointer image writeonly>, #xe.argument<"s" : "sampler_t", at 8, 8 bytes, pointer sampler>, #xe.argument<"p" : "i64", at 16, 8 bytes, address>, #xe.argument<"t" : "S", at 28, 12 bytes, structure>], implicit_arguments = [#xe.implicit_argument<image_width, at 24, 4 bytes, of 0>], local_id_dimensions = 0 : i32, ordered_subgroups, printf_strings = ["%d"], simd_size = 16 : i32, target = "arc", walk_order = array<i32: 1, 0, 2>} {
    ^bb0(%0: !xe.grf<32, 32 at 0>):
      xe.eot
    }
  }
}

