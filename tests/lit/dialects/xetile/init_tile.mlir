// RUN: XEGPU_CANONICAL
module {
  func.func @memrefs(%a: memref<1024x1024xf16>, %batch: memref<8x1024x512xf16>, %slm: memref<64x64xf16, 3>, %x: memref<64x64xindex>, %i: index) {
    %0 = xetile.init_tile %a[%i, 64] : memref<1024x1024xf16> -> !xetile.tile<32x64xf16>
    %1 = xetile.init_tile %a[-8, 1000] {note = "may leave the memref"} : memref<1024x1024xf16> -> !xetile.tile<80x64xf16>
    %2 = xetile.init_tile %batch[%i, %i, 0] : memref<8x1024x512xf16> -> !xetile.tile<32x64xf16>
    %3 = xetile.init_tile %slm[0, 0] : memref<64x64xf16, 3> -> !xetile.tile<16x16xf16, #xetile.tile_attr<memory_space = 3 : i32>>
    %4 = xetile.init_tile %x[0, 0] : memref<64x64xindex> -> !xetile.tile<16x16xindex, #xetile.tile_attr<memory_space = 0 : i32>>
    %5 = xetile.init_tile %a[0, 0] : memref<1024x1024xf16> -> !xetile.tile<256x256xf16, #xetile.tile_attr<wg_map = <sg_layout = [8, 4], sg_data = [32, 64]>>>
    return
  }
  func.func @layouts(%padded: memref<64x64xf16, strided<[80, 1], offset: ?>>, %columns: memref<64x32xf16, strided<[1, 64]>>, %mapped: memref<64x32xf16, affine_map<(d0, d1) -> (d1, d0)>>, %linear: memref<64x32xf16, affine_map<(d0, d1) -> ((((d0 * 40) + d1) + 8))>>, %planes: memref<4x64x32xf16, affine_map<(d0, d1, d2) -> (d0, d2, d1)>>, %row: memref<1x16xf16>) {
    %0 = xetile.init_tile %padded[0, 0] : memref<64x64xf16, strided<[80, 1], offset: ?>> -> !xetile.tile<8x16xf16>
    %1 = xetile.init_tile %columns[0, 0] : memref<64x32xf16, strided<[1, 64]>> -> !xetile.tile<8x16xf16, #xetile.tile_attr<order = [0, 1]>>
    %2 = xetile.init_tile %mapped[0, 0] : memref<64x32xf16, affine_map<(d0, d1) -> (d1, d0)>> -> !xetile.tile<8x16xf16, #xetile.tile_attr<order = [0, 1]>>
    %3 = xetile.init_tile %linear[0, 0] : memref<64x32xf16, affine_map<(d0, d1) -> ((((d0 * 40) + d1) + 8))>> -> !xetile.tile<8x16xf16>
    %4 = xetile.init_tile %planes[0, 0, 0] : memref<4x64x32xf16, affine_map<(d0, d1, d2) -> (d0, d2, d1)>> -> !xetile.tile<8x16xf16, #xetile.tile_attr<order = [0, 1]>>
    %5 = xetile.init_tile %row[0, 0] : memref<1x16xf16> -> !xetile.tile<1x16xf16>
    return
  }
  func.func @lists(%d: memref<?x?xf32>, %half: memref<64x?xf32>, %p: ui64, %q: i32, %i: index, %h: index, %w: index) {
    %0 = xetile.init_tile %d[%i, 0], [%h, %w], [%w, 1] : memref<?x?xf32> -> !xetile.tile<32x64xf32>
    %1 = xetile.init_tile %d[%i, %i], [%h, %w], [%w, %i] : memref<?x?xf32> -> !xetile.tile<32x64xf32>
    %2 = xetile.init_tile %half[0, %i], [64, %w], [%w, 1] : memref<64x?xf32> -> !xetile.tile<32x64xf32>
    %3 = xetile.init_tile %p[%i, 0], [128, 96], [96, 1] : ui64 -> !xetile.tile<32x64xf32>
    %4 = xetile.init_tile %q[%i, 0, 0], [4, 128, 96], [%w, 1, 128] : i32 -> !xetile.tile<32x64xf32, #xetile.tile_attr<order = [0, 1]>>
    return
  }
  func.func @indices(%m: memref<4096xf32>, %d: memref<?xf32>, %one: memref<f32, 3 : i32>, %i: vector<4x16xindex>, %j: vector<16xindex>) {
    %0 = xetile.init_tile %m, %i : memref<4096xf32>, vector<4x16xindex> -> !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>
    %1 = xetile.init_tile %d, %j {note} : memref<?xf32>, vector<16xindex> -> !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>
    %2 = xetile.init_tile %one, %j : memref<f32, 3 : i32>, vector<16xindex> -> !xetile.tile<16xf32, #xetile.tile_attr<memory_space = 3 : i64, scattered = true>>
    return
  }
}

