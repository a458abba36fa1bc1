// RUN: XEGPU_CANONICAL
// RUN: xegpu-opt %s -t xe-asm | filecheck %s
//
// How instructions of the ALU read, write and choose channels: types, regions, modifiers, constants, predicates.
module {
  xe.kernel @operands attributes {arguments = [], grf_count = 256 : i32, implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, spill_size = 0 : i32, target = "pvc"} {
  ^bb0(%0: !xe.grf<128, 64 at 0>):
    // CHECK: (W) mov (32|M0) r4.0<1>:ub r0.0<1;1,0>:f
    %1 = xe.mov(%0 : !xe.grf<128, 64 at 0>) {exec_size = 32 : i32, no_mask, reads = [#xe.read<f>], write = #xe.write<ub>} -> !xe.grf<64, 64 at 256>
    // CHECK: mov (8|M16) r4.2<4>:w -(abs)r1.4<0;1,0>:hf
    %2 = xe.mov into %1 : !xe.grf<64, 64 at 256>(%0 : !xe.grf<128, 64 at 0>) {channel_offset = 16 : i32, exec_size = 8 : i32, reads = [#xe.read<hf, 72, [0, 1, 0], neg, abs>], write = #xe.write<w, 4, 4>} -> !xe.grf<64, 64 at 256>
    // CHECK: add (16|M0) (sat)r255.0<1>:d r0.0<16;8,2>:d -5:d
    %3 = xe.add(%0 : !xe.grf<128, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<d, [16, 8, 2]>, #xe.imm<d, 4294967291>], saturate, write = #xe.write<d>} -> !xe.grf<64, 64 at 16320>
    // CHECK: mov (4|M28) r4.0<1>:df 1.0:df
    %4 = xe.mov {channel_offset = 28 : i32, exec_size = 4 : i32, reads = [#xe.imm<df, 4607182418800017408>], write = #xe.write<df>} -> !xe.grf<32, 32 at 256>
    // CHECK: mov (8|M0) r4.0<1>:uw 0x76543210:uv
    %5 = xe.mov {exec_size = 8 : i32, reads = [#xe.imm<uv, 1985229328>], write = #xe.write<uw>} -> !xe.grf<16, 16 at 256>
    // CHECK: bfn.0xff (16|M0) r4.0<1>:uw r0.0<1;1,0>:uw r0.0<1;1,0>:uw 0x7:uw
    %6 = xe.bfn(%0, %0 : !xe.grf<128, 64 at 0>, !xe.grf<128, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<uw>, #xe.read<uw>, #xe.imm<uw, 7>], table = 255 : i32, write = #xe.write<uw>} -> !xe.grf<32, 32 at 256>
    // CHECK: cmp (16|M0) (un)f0.1 null<1>:f r0.0<1;1,0>:f r0.0<2;1,0>:f
    %7 = xe.cmp(%0, %0 : !xe.grf<128, 64 at 0>, !xe.grf<128, 64 at 0>) {condition = "un", exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<f, [2, 1, 0]>]} flag !xe.flag<1>
    // CHECK: (W&~f0.1) mul (16|M0) (ge)f0.1 r4.0<1>:f r0.0<1;1,0>:f r0.0<1;1,0>:f
    %8, %9 = xe.mul if %7 : !xe.flag<1>(%0, %0 : !xe.grf<128, 64 at 0>, !xe.grf<128, 64 at 0>) {condition = "ge", exec_size = 16 : i32, inverted, no_mask, reads = [#xe.read<f>, #xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 256> flag !xe.flag<1>
    // CHECK: (f0.1.any) mov (16|M0) r4.0<1>:f r0.0<1;1,0>:f
    %10 = xe.mov if %9 : !xe.flag<1>(%0 : !xe.grf<128, 64 at 0>) {combination = "any", exec_size = 16 : i32, reads = [#xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 256>
    // CHECK: (W&~f0.1.all) mov (16|M0) r4.0<1>:f r0.0<1;1,0>:f
    %11 = xe.mov if %9 : !xe.flag<1>(%0 : !xe.grf<128, 64 at 0>) {combination = "all", exec_size = 16 : i32, inverted, no_mask, reads = [#xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 256>
    // CHECK: (f0.1) sel (16|M0) r4.0<1>:f r0.0<1;1,0>:f r1.0<1;1,0>:f
    %12 = xe.sel if %9 : !xe.flag<1>(%0, %0 : !xe.grf<128, 64 at 0>, !xe.grf<128, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<f, 64>], write = #xe.write<f>} -> !xe.grf<64, 64 at 256>
    // CHECK: not (16|M0) r4.0<1>:ud ~r0.0<1;1,0>:ud
    %13 = xe.not(%0 : !xe.grf<128, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud, neg>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 256>
    // CHECK: (f0.1) addc (8|M8) (eq)f0.1 r4.0<1>:ud r6.1<1>:ud r0.0<1;1,0>:ud r0.1<0;1,0>:ud
    %14, %15, %16 = xe.addc if %9 : !xe.flag<1>(%0, %0 : !xe.grf<128, 64 at 0>, !xe.grf<128, 64 at 0>) {channel_offset = 8 : i32, condition = "eq", exec_size = 8 : i32, reads = [#xe.read<ud>, #xe.read<ud, 4, [0, 1, 0]>], write = #xe.write<ud>} -> !xe.grf<32, 32 at 256> flag !xe.flag<1> carry !xe.grf<32, 4 at 388>
    xe.eot
  }
}

