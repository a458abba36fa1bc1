// Whole kernels: a GEMM for subgroups, and one for work groups with what it hands from subgroup to subgroup.
// RUN: XEGPU_CANONICAL
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @subgroup(%a: memref<1024x1024xf16>, %b: memref<1024x1024xf16>, %c: memref<1024x1024xf32>) kernel attributes {VectorComputeFunctionINTEL} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %c1024 = arith.constant 1024 : index
      %by = gpu.block_id y
      %bx = gpu.block_id x
      %m = arith.muli %by, %c64 : index
      %n = arith.muli %bx, %c64 : index
      %ct = xetile.init_tile %c[%m, %n] : memref<1024x1024xf32> -> !xetile.tile<64x64xf32>
      %cv = xetile.load_tile %ct {padding = 0.000000e+00 : f32} : !xetile.tile<64x64xf32> -> vector<64x64xf32>
      %at = xetile.init_tile %a[%m, %c0] : memref<1024x1024xf16> -> !xetile.tile<64x32xf16>
      %bt = xetile.init_tile %b[%c0, %n] : memref<1024x1024xf16> -> !xetile.tile<32x64xf16>
      %r0, %r1, %r2 = scf.for %k = %c0 to %c1024 step %c32 iter_args(%ai = %at, %bi = %bt, %acc = %cv) -> (!xetile.tile<64x32xf16>, !xetile.tile<32x64xf16>, vector<64x64xf32>) {
        %av = xetile.load_tile %ai : !xetile.tile<64x32xf16> -> vector<64x32xf16>
        %bv = xetile.load_tile %bi : !xetile.tile<32x64xf16> -> vector<32x64xf16>
        %an = xetile.update_tile_offset %ai, [%c0, %c32] : !xetile.tile<64x32xf16>
        %bn = xetile.update_tile_offset %bi, [%c32, %c0] : !xetile.tile<32x64xf16>
        xetile.prefetch_tile %an : !xetile.tile<64x32xf16>
        xetile.prefetch_tile %bn : !xetile.tile<32x64xf16>
        %sum = xetile.tile_mma %av, %bv, %acc : vector<64x32xf16>, vector<32x64xf16>, vector<64x64xf32> -> vector<64x64xf32>
        scf.yield %an, %bn, %sum : !xetile.tile<64x32xf16>, !xetile.tile<32x64xf16>, vector<64x64xf32>
      }
      xetile.store_tile %r2, %ct : vector<64x64xf32>, !xetile.tile<64x64xf32>
      gpu.return
    }
    gpu.func @work_group(%a: memref<256x32xf16>, %b: memref<32x256xf16>, %c: memref<256x256xf32>) kernel attributes {VectorComputeFunctionINTEL} {
      %at = xetile.init_tile %a[0, 0] : memref<256x32xf16> -> !xetile.tile<256x32xf16, #xetile.tile_attr<wg_map = <sg_layout = [8, 4], sg_data = [32, 32]>>>
      %bt = xetile.init_tile %b[0, 0] : memref<32x256xf16> -> !xetile.tile<32x256xf16, #xetile.tile_attr<wg_map = <sg_layout = [8, 4], sg_data = [32, 64]>>>
      %ct = xetile.init_tile %c[0, 0] : memref<256x256xf32> -> !xetile.tile<256x256xf32, #xetile.tile_attr<wg_map = <sg_layout = [32, 1], sg_data = [8, 256]>>>
      %av = xetile.load_tile %at : !xetile.tile<256x32xf16, #xetile.tile_attr<wg_map = <sg_layout = [8, 4], sg_data = [32, 32]>>> -> vector<256x32xf16>
      %bv = xetile.load_tile %bt : !xetile.tile<32x256xf16, #xetile.tile_attr<wg_map = <sg_layout = [8, 4], sg_data = [32, 64]>>> -> vector<32x256xf16>
      %p = xetile.tile_mma %av, %bv {wg_map_a = #xetile.wg_map<sg_layout = [8, 4], sg_data = [32, 32]>, wg_map_b = #xetile.wg_map<sg_layout = [8, 4], sg_data = [32, 64]>, wg_map_c = #xetile.wg_map<sg_layout = [8, 4], sg_data = [32, 64]>} : vector<256x32xf16>, vector<32x256xf16> -> vector<256x256xf32>
      %e = math.exp %p {map = #xetile.wg_map<sg_layout = [8, 4], sg_data = [32, 64]>} : vector<256x256xf32>
      %rows = xetile.convert_layout %e {wg_map_result = #xetile.wg_map<sg_layout = [32, 1], sg_data = [8, 256]>, wg_map_source = #xetile.wg_map<sg_layout = [8, 4], sg_data = [32, 64]>} : vector<256x256xf32>
      %sums = xetile.reduction <add>, %rows [1] {map = #xetile.wg_map<sg_layout = [32, 1], sg_data = [8, 1]>} : vector<256x256xf32> -> vector<256x1xf32>
      %all = xetile.broadcast %sums [1] {map = #xetile.wg_map<sg_layout = [32, 1], sg_data = [8, 256]>} : vector<256x1xf32> -> vector<256x256xf32>
      %s = arith.divf %rows, %all {map = #xetile.wg_map<sg_layout = [32, 1], sg_data = [8, 256]>} : vector<256x256xf32>
      xetile.store_tile %s, %ct : vector<256x256xf32>, !xetile.tile<256x256xf32, #xetile.tile_attr<wg_map = <sg_layout = [32, 1], sg_data = [8, 256]>>>
      gpu.return
    }
  }
}

