// Attention of 16 queries without holding the whole matrix of scores: the running maximum and sum rescale the output.
gpu.module @kernels {
  gpu.func @attention(%q: memref<512x64xf16>, %k: memref<512x64xf16>, %v: memref<512x64xf16>, %o: memref<512x64xf32>, %scale: f32) kernel attributes {VectorComputeFunctionINTEL, spirv.entry_point_abi = #spirv.entry_point_abi<>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c512 = arith.constant 512 : index
    %lowest = arith.constant dense<0xFF800000> : vector<16x1xf32>
    %zero = arith.constant dense<0.000000e+00> : vector<16x1xf32>
    %nothing = arith.constant dense<0.000000e+00> : vector<16x64xf32>
    %block = gpu.block_id x
    %i = arith.muli %block, %c16 : index
    %scales = vector.broadcast %scale : f32 to vector<16x16xf32>
    %qt = xetile.init_tile %q[%i, 0] : memref<512x64xf16> -> !xetile.tile<16x64xf16>
    %qv = xetile.load_tile %qt : !xetile.tile<16x64xf16> -> vector<16x64xf16>
    %k0 = xetile.init_tile %k[0, 0] : memref<512x64xf16> -> !xetile.tile<16x64xf16>
    %v0 = xetile.init_tile %v[0, 0] : memref<512x64xf16> -> !xetile.tile<16x64xf16>
    %r:5 = scf.for %j = %c0 to %c512 step %c16 iter_args(%kt = %k0, %vt = %v0, %max = %lowest, %sum = %zero, %acc = %nothing) -> (!xetile.tile<16x64xf16>, !xetile.tile<16x64xf16>, vector<16x1xf32>, vector<16x1xf32>, vector<16x64xf32>) {
      %kv = xetile.load_tile %kt : !xetile.tile<16x64xf16> -> vector<16x64xf16>
      %k_turned = xetile.transpose %kv, [1, 0] : vector<16x64xf16> -> vector<64x16xf16>
      %raw = xetile.tile_mma %qv, %k_turned : vector<16x64xf16>, vector<64x16xf16> -> vector<16x16xf32>
      %scores = arith.mulf %raw, %scales fastmath<fast> : vector<16x16xf32>
      %block_max = xetile.reduction <maximumf>, %scores [1] : vector<16x16xf32> -> vector<16x1xf32>
      %new_max = arith.maximumf %max, %block_max : vector<16x1xf32>
      %max_all = xetile.broadcast %new_max [1] : vector<16x1xf32> -> vector<16x16xf32>
      %shifted = arith.subf %scores, %max_all : vector<16x16xf32>
      %p = math.exp %shifted : vector<16x16xf32>
      %fall = arith.subf %max, %new_max : vector<16x1xf32>
      %rescale = math.exp %fall : vector<16x1xf32>
      %block_sum = xetile.reduction <add>, %p [1] : vector<16x16xf32> -> vector<16x1xf32>
      %old_sum = arith.mulf %sum, %rescale : vector<16x1xf32>
      %new_sum = arith.addf %old_sum, %block_sum : vector<16x1xf32>
      %vv = xetile.load_tile %vt : !xetile.tile<16x64xf16> -> vector<16x64xf16>
      %p_narrow = arith.truncf %p : vector<16x16xf32> to vector<16x16xf16>
      %rescale_all = xetile.broadcast %rescale [1] : vector<16x1xf32> -> vector<16x64xf32>
      %old_acc = arith.mulf %acc, %rescale_all : vector<16x64xf32>
      %new_acc = xetile.tile_mma %p_narrow, %vv, %old_acc : vector<16x16xf16>, vector<16x64xf16>, vector<16x64xf32> -> vector<16x64xf32>
      %kt1 = xetile.update_tile_offset %kt, [%c16, %c0] : !xetile.tile<16x64xf16>
      %vt1 = xetile.update_tile_offset %vt, [%c16, %c0] : !xetile.tile<16x64xf16>
      scf.yield %kt1, %vt1, %new_max, %new_sum, %new_acc : !xetile.tile<16x64xf16>, !xetile.tile<16x64xf16>, vector<16x1xf32>, vector<16x1xf32>, vector<16x64xf32>
    }
    %sum_all = xetile.broadcast %r#3 [1] : vector<16x1xf32> -> vector<16x64xf32>
    %result = arith.divf %r#4, %sum_all : vector<16x64xf32>
    %ot = xetile.init_tile %o[%i, 0] : memref<512x64xf32> -> !xetile.tile<16x64xf32>
    xetile.store_tile %result, %ot : vector<16x64xf32>, !xetile.tile<16x64xf32>
    gpu.return
  }
}
