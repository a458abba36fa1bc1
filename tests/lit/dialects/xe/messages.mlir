// RUN: XEGPU_CANONICAL
// RUN: xegpu-opt %s -t xe-asm | filecheck %s
//
// Messages: lanes, blocks, 2-D blocks, memory of the work-group, and the thread's scratch space.
module {
  xe.kernel @messages attributes {arguments = [], grf_count = 128 : i32, implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, spill_size = 256 : i32, target = "pvc"} {
  ^bb0(%0: !xe.grf<128, 64 at 0>, %1: !xe.grf<64, 64 at 128>):
    // CHECK: cmp (16|M0) (eq)f3.1 null<1>:ud r0.0<1;1,0>:ud 0x0:ud
    %2 = xe.cmp(%0 : !xe.grf<128, 64 at 0>) {condition = "eq", exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag<7>
    // CHECK: load.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2
    %3 = xe.load[%0 : !xe.grf<128, 64 at 0>] {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: (W&~f3.1) load.ugm.d16u32.a64.uc.ca (16|M0) r4:1 flat[r0-0x40]:2
    %4 = xe.load into %3 : !xe.grf<64, 64 at 256> if %2 : !xe.flag<7>[%0 : !xe.grf<128, 64 at 0>] {exec_size = 16 : i32, inverted, message = #xe.message<unit = ugm, size = d16u32, cache = uc_ca, offset = -64>, no_mask} -> !xe.grf<64, 64 at 256>
    // CHECK: load.ugm.d64x4.a64 (8|M0) r5:8 flat[r0]:1
    %5 = xe.load[%0 : !xe.grf<128, 64 at 0>] {exec_size = 8 : i32, message = #xe.message<unit = ugm, size = d64, vector = 4>} -> !xe.grf<512, 64 at 320>
    // CHECK: (W) load.ugm.d32x16t.a64.ca.ca (1|M0) r6:1 flat[r1+0x40]:1
    %6 = xe.load into %5 : !xe.grf<512, 64 at 320>[%0 : !xe.grf<128, 64 at 0>] {address_offset = 64 : i32, exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 16, transposed, cache = ca_ca, offset = 64>, no_mask, result_offset = 64 : i32} -> !xe.grf<512, 64 at 320>
    // CHECK: store.slm.d32.a32 (16|M0) flat[r2]:1 r5:1
    xe.store[%1 : !xe.grf<64, 64 at 128>] data %6 : !xe.grf<512, 64 at 320> {exec_size = 16 : i32, message = #xe.message<unit = slm, size = d32, address = a32>}
    // CHECK: (f3.1) store.ugm.d8u32.a64.wb.wb (16|M0) flat[r0]:2 r7:1
    xe.store if %2 : !xe.flag<7>[%0 : !xe.grf<128, 64 at 0>] data %6 : !xe.grf<512, 64 at 320> {data_offset = 128 : i32, exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d8u32, cache = ri_ca>}
    // CHECK: (W) prefetch.ugm.d64x8t.a64 (1|M0) flat[r0]:1
    xe.prefetch[%0 : !xe.grf<128, 64 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, no_mask}
    // CHECK: (W) load_block2d.ugm.d16v.a64.ca.uc (1|M0) r11:2 flat[r2]:1 16x4x1
    %7 = xe.load_block2d into %5 : !xe.grf<512, 64 at 320>[%1 : !xe.grf<64, 64 at 128>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d16, vnni, cache = ca_uc, block = [16, 4, 1]>, no_mask, result_offset = 384 : i32} -> !xe.grf<512, 64 at 320>
    // CHECK: (W) load_block2d.ugm.d32t.a64 (1|M0) r13:8 flat[r2]:1 8x16x1
    %8 = xe.load_block2d[%1 : !xe.grf<64, 64 at 128>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, transposed, block = [8, 16, 1]>, no_mask} -> !xe.grf<512, 64 at 832>
    // CHECK: (W) load_block2d.ugm.d8.a64 (1|M0) r13:8 flat[r2]:1 16x8x4
    %9 = xe.load_block2d[%1 : !xe.grf<64, 64 at 128>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d8, block = [16, 8, 4]>, no_mask} -> !xe.grf<512, 64 at 832>
    // CHECK: (W) store_block2d.ugm.d64.a64.st.wb (1|M0) flat[r2]:1 r13:8 8x8x1
    xe.store_block2d[%1 : !xe.grf<64, 64 at 128>] data %9 : !xe.grf<512, 64 at 832> {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d64, cache = st_ca, block = [8, 8, 1]>, no_mask}
    // CHECK: (W) prefetch_block2d.ugm.d16.a64 (1|M0) flat[r2]:1 32x32x1
    xe.prefetch_block2d[%1 : !xe.grf<64, 64 at 128>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d16, block = [32, 32, 1]>, no_mask}
    // The address of scratch space comes from the last register.
    // CHECK: (W) mov (1|M0) r127.0<1>:ud 0x80:ud
    // CHECK-NEXT: (W) store.ugm.d64x16t.a32 (1|M0) ss[r127]:1 r4:2
    %10 = xe.undef : !xe.grf<128, 64 at 256>
    xe.spill %10 to 128 : !xe.grf<128, 64 at 256>
    // CHECK-NEXT: (W) mov (1|M0) r127.0<1>:ud 0x80:ud
    // CHECK-NEXT: (W) load.ugm.d64x16t.a32 (1|M0) r6:2 ss[r127]:1
    %11 = xe.fill 128 : !xe.grf<128, 64 at 384>
    // CHECK-NEXT: (W) mov (32|M0) r4.0<1>:ud r6.0<1;1,0>:ud
    %12 = xe.copy %11 : !xe.grf<128, 64 at 384> -> !xe.grf<128, 64 at 256>
    // CHECK-NEXT: eot
    xe.eot
  }
}

