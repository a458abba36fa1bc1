// C = A x B of 256x256x256, bf16 inputs and f32 accumulation, for xegpu-tune: a work-group of ${sg_m}x${sg_n} subgroups
// computes a tile of ${m}x${n}, in steps of ${k}.
#map_a = #xetile.wg_map<sg_layout = [${sg_m}, ${sg_n}], sg_data = [${m // sg_m}, ${k}]>
#map_b = #xetile.wg_map<sg_layout = [${sg_m}, ${sg_n}], sg_data = [${k}, ${n // sg_n}]>
#map_c = #xetile.wg_map<sg_layout = [${sg_m}, ${sg_n}], sg_data = [${m // sg_m}, ${n // sg_n}]>
!tile_a = !xetile.tile<${m}x${k}xbf16, #xetile.tile_attr<wg_map = #map_a>>
!tile_b = !xetile.tile<${k}x${n}xbf16, #xetile.tile_attr<wg_map = #map_b>>
!tile_c = !xetile.tile<${m}x${n}xf32, #xetile.tile_attr<wg_map = #map_c>>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<256x256xbf16>, %b: memref<256x256xbf16>, %c: memref<256x256xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: ${sg_m * sg_n}, 1, 1>} {
    %c0 = arith.constant 0 : index
    %step = arith.constant ${k} : index
    %end = arith.constant 256 : index
    %rows = arith.constant ${m} : index
    %columns = arith.constant ${n} : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %rows : index
    %n = arith.muli %by, %columns : index
    %a0 = xetile.init_tile %a[%m, 0] : memref<256x256xbf16> -> !tile_a
    %b0 = xetile.init_tile %b[0, %n] : memref<256x256xbf16> -> !tile_b
    %zero = arith.constant dense<0.0> : vector<${m}x${n}xf32>
    %result:3 = scf.for %i = %c0 to %end step %step iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!tile_a, !tile_b, vector<${m}x${n}xf32>) {
      %va = xetile.load_tile %ta : !tile_a -> vector<${m}x${k}xbf16>
      %vb = xetile.load_tile %tb : !tile_b -> vector<${k}x${n}xbf16>
      %na = xetile.update_tile_offset %ta, [%c0, %step] : !tile_a
      %nb = xetile.update_tile_offset %tb, [%step, %c0] : !tile_b
      %sum = xetile.tile_mma %va, %vb, %acc {wg_map_a = #map_a, wg_map_b = #map_b, wg_map_c = #map_c}
          : vector<${m}x${k}xbf16>, vector<${k}x${n}xbf16>, vector<${m}x${n}xf32> -> vector<${m}x${n}xf32>
      scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<${m}x${n}xf32>
    }
    %tc = xetile.init_tile %c[%m, %n] : memref<256x256xf32> -> !tile_c
    xetile.store_tile %result#2, %tc : vector<${m}x${n}xf32>, !tile_c
    gpu.return
  }
}
