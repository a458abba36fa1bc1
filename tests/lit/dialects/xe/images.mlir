// RUN: XEGPU_CANONICAL
// RUN: xegpu-opt %s -t xe-asm | filecheck %s
//
// Messages to images: texels that are read, sampled and stored, under a predicate and in parts of registers.
module {
  xe.kernel @images attributes {arguments = [], grf_count = 128 : i32, implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "arc"} {
  ^bb0(%0: !xe.grf<256, 32 at 0>):
    // CHECK: cmp (16|M0) (eq)f0.0 null<1>:ud r0.0<1;1,0>:ud 0x0:ud
    %1 = xe.cmp(%0 : !xe.grf<256, 32 at 0>) {condition = "eq", exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag<0>
    // CHECK: load_quad.tgm.d32.xyzw.uv (16|M0) r20:8 bss[r0.0][r0:4]
    %2 = xe.load_quad[%0 : !xe.grf<256, 32 at 0>] surface %0 : !xe.grf<256, 32 at 0> {exec_size = 16 : i32, image = #xe.image<tgm, xyzw, uv>} -> !xe.grf<256, 32 at 640>
    // CHECK: (W&~f0.0) ld.smpl.d32.xz.u (8|M0) r21:2 bss[r1.1][r4:1]
    %3 = xe.ld into %2 : !xe.grf<256, 32 at 640> if %1 : !xe.flag<0>[%0 : !xe.grf<256, 32 at 0>] surface %0 : !xe.grf<256, 32 at 0> {address_offset = 128 : i32, exec_size = 8 : i32, image = #xe.image<smpl, xz, u>, inverted, no_mask, result_offset = 32 : i32, surface_offset = 40 : i32} -> !xe.grf<256, 32 at 640>
    // CHECK: sample_lz.smpl.d32.w.uvr (8|M8) r28:1 bss[r0.0][r0:3] sampler[r0.3]
    %4 = xe.sample_lz[%0 : !xe.grf<256, 32 at 0>] surface %0 : !xe.grf<256, 32 at 0> sampler %0 : !xe.grf<256, 32 at 0> {channel_offset = 8 : i32, exec_size = 8 : i32, image = #xe.image<smpl, w, uvr>, sampler_offset = 24 : i32} -> !xe.grf<32, 32 at 896>
    // CHECK: sample_l.smpl.d32.xyzw.uvrl (8|M0) r30:4 bss[r0.0][r0:4] sampler[r0.1]
    %5 = xe.sample_l[%0 : !xe.grf<256, 32 at 0>] surface %0 : !xe.grf<256, 32 at 0> sampler %0 : !xe.grf<256, 32 at 0> {exec_size = 8 : i32, image = #xe.image<smpl, xyzw, uvrl>, sampler_offset = 8 : i32} -> !xe.grf<128, 32 at 960>
    // CHECK: (f0.0) store_quad.tgm.d32.xy.uv.uc.uc (8|M0) bss[r0.0][r0:2] r22:2
    xe.store_quad if %1 : !xe.flag<0>[%0 : !xe.grf<256, 32 at 0>] surface %0 : !xe.grf<256, 32 at 0> data %3 : !xe.grf<256, 32 at 640> {data_offset = 64 : i32, exec_size = 8 : i32, image = #xe.image<tgm, xy, uv, uc_uc>}
    // CHECK-NEXT: eot
    xe.eot
  }
}

