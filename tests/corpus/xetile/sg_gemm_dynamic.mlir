// Sizes are known at launch only: tiles carry the sizes and strides of the matrices.
gpu.module @kernels {
  gpu.func @gemm(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %c: memref<?x?xf32>, %m: index, %n: index, %k: index) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %bx, %c16 overflow<nsw> : index
    %j = arith.muli %by, %c16 overflow<nsw> : index
    %a0 = xetile.init_tile %a[%i, %c0], [%m, %k], [%k, %c1] : memref<?x?xf16> -> !xetile.tile<16x16xf16>
    %b0 = xetile.init_tile %b[%c0, %j], [%k, %n], [%n, 1] : memref<?x?xf16> -> !xetile.tile<16x16xf16>
    %ct = xetile.init_tile %c[%i, %j], [%m, %n], [%n, 1] : memref<?x?xf32> -> !xetile.tile<16x16xf32>
    %start = xetile.load_tile %ct : !xetile.tile<16x16xf32> -> vector<16x16xf32>
    %has_work = arith.cmpi ugt, %k, %c0 : index
    %sum = scf.if %has_work -> (vector<16x16xf32>) {
      %loop:3 = scf.for %p = %c0 to %k step %c16 iter_args(%at = %a0, %bt = %b0, %acc = %start) -> (!xetile.tile<16x16xf16>, !xetile.tile<16x16xf16>, vector<16x16xf32>) {
        %av = xetile.load_tile %at {padding = 0.000000e+00 : f32} : !xetile.tile<16x16xf16> -> vector<16x16xf16>
        %bv = xetile.load_tile %bt {padding = 0.000000e+00 : f32} : !xetile.tile<16x16xf16> -> vector<16x16xf16>
        %next = xetile.tile_mma %av, %bv, %acc : vector<16x16xf16>, vector<16x16xf16>, vector<16x16xf32> -> vector<16x16xf32>
        %at1 = xetile.update_tile_offset %at, [%c0, %c16] : !xetile.tile<16x16xf16>
        %bt1 = xetile.update_tile_offset %bt, [%c16, %c0] : !xetile.tile<16x16xf16>
        scf.yield %at1, %bt1, %next : !xetile.tile<16x16xf16>, !xetile.tile<16x16xf16>, vector<16x16xf32>
      }
      scf.yield %loop#2 : vector<16x16xf32>
    } else {
      scf.yield %start : vector<16x16xf32>
    }
    xetile.store_tile %sum, %ct : vector<16x16xf32>, !xetile.tile<16x16xf32>
    gpu.return
  }
}
