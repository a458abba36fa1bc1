// RUN: xegpu-opt %s -p xetile-blocking{target=pvc} | filecheck %s --check-prefixes=CHECK,PVC
// RUN: xegpu-opt %s -p 'xetile-blocking{target=arc}' | filecheck %s --check-prefixes=CHECK,ARC

// Tiles and the accumulator go through the loop in blocks; a load brings several blocks of A, which are cut from it.
gpu.module @m {
  gpu.func @gemm(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %ta = xetile.init_tile %a[0, 0] : memref<64x64xf16> -> !xetile.tile<16x16xf16>
    %tb = xetile.init_tile %b[0, 0] : memref<64x64xf16> -> !xetile.tile<16x32xf16>
    %tc = xetile.init_tile %c[0, 0] : memref<64x64xf32> -> !xetile.tile<16x32xf32>
    %zero = arith.constant dense<0.0> : vector<16x32xf32>
    %la, %lb, %sum = scf.for %k = %c0 to %c64 step %c16 iter_args(%ia = %ta, %ib = %tb, %acc = %zero) -> (!xetile.tile<16x16xf16>, !xetile.tile<16x32xf16>, vector<16x32xf32>) {
      %va = xetile.load_tile %ia : !xetile.tile<16x16xf16> -> vector<16x16xf16>
      %vb = xetile.load_tile %ib : !xetile.tile<16x32xf16> -> vector<16x32xf16>
      xetile.prefetch_tile %ia {l1_hint = #xetile.cache_hint<cached>} : !xetile.tile<16x16xf16>
      %next = xetile.tile_mma %va, %vb, %acc : vector<16x16xf16>, vector<16x32xf16>, vector<16x32xf32> -> vector<16x32xf32>
      %na = xetile.update_tile_offset %ia, [%c0, %c16] : !xetile.tile<16x16xf16>
      %nb = xetile.update_tile_offset %ib, [%c16, %c0] : !xetile.tile<16x32xf16>
      scf.yield %na, %nb, %next : !xetile.tile<16x16xf16>, !xetile.tile<16x32xf16>, vector<16x32xf32>
    }
    xetile.store_tile %sum, %tc : vector<16x32xf32>, !xetile.tile<16x32xf32>
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @gemm
// PVC: %ta = xetile.init_tile %a[0, 0] : memref<64x64xf16> -> !xetile.tile<16x16xf16>
// PVC: %tb = xetile.init_tile %b[0, 0] : memref<64x64xf16> -> !xetile.tile<16x16xf16>
// PVC-NEXT: %tb_1 = xetile.init_tile %b[0, 16] : memref<64x64xf16> -> !xetile.tile<16x16xf16>
// PVC-NEXT: %tc = xetile.init_tile %c[0, 0] : memref<64x64xf32> -> !xetile.tile<8x16xf32>
// PVC-NEXT: %tc_1 = xetile.init_tile %c[0, 16]
// PVC-NEXT: %tc_2 = xetile.init_tile %c[8, 0]
// PVC-NEXT: %tc_3 = xetile.init_tile %c[8, 16]
// PVC-NEXT: %zero = arith.constant dense<0.000000e+00> : vector<8x16xf32>
// PVC: scf.for {{.*}} iter_args(%ia = %ta, %ib = %tb, %ib_1 = %tb_1, %acc = %zero, %acc_1 = %zero, %acc_2 = %zero, %acc_3 = %zero)
// PVC-NEXT: [[A:%.*]] = xetile.load_tile %ia : !xetile.tile<16x16xf16> -> vector<16x16xf16>
// PVC-NEXT: %va = vector.extract_strided_slice [[A]] {offsets = [0, 0], sizes = [8, 16], strides = [1, 1]}
// PVC-NEXT: %va_1 = vector.extract_strided_slice [[A]] {offsets = [8, 0], sizes = [8, 16], strides = [1, 1]}
// PVC-NEXT: %vb = xetile.load_tile %ib : !xetile.tile<16x16xf16> -> vector<16x16xf16>
// PVC-NEXT: %vb_1 = xetile.load_tile %ib_1
// PVC-NEXT: xetile.prefetch_tile %ia {l1_hint = #xetile.cache_hint<cached>} : !xetile.tile<16x16xf16>
// PVC-NEXT: %next = xetile.tile_mma %va, %vb, %acc : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf32> -> vector<8x16xf32>
// PVC-NEXT: %next_1 = xetile.tile_mma %va, %vb_1, %acc_1
// PVC-NEXT: %next_2 = xetile.tile_mma %va_1, %vb, %acc_2
// PVC-NEXT: %next_3 = xetile.tile_mma %va_1, %vb_1, %acc_3
// PVC-NEXT: %na = xetile.update_tile_offset %ia, [%c0, %c16] : !xetile.tile<16x16xf16>
// PVC-NEXT: %nb = xetile.update_tile_offset %ib, [%c16, %c0] : !xetile.tile<16x16xf16>
// PVC-NEXT: %nb_1 = xetile.update_tile_offset %ib_1, [%c16, %c0] : !xetile.tile<16x16xf16>
// PVC-NEXT: scf.yield %na, %nb, %nb_1, %next, %next_1, %next_2, %next_3
// PVC: xetile.store_tile %sum, %tc : vector<8x16xf32>, !xetile.tile<8x16xf32>
// PVC-NEXT: xetile.store_tile %sum_1, %tc_1
// PVC-NEXT: xetile.store_tile %sum_2, %tc_2
// PVC-NEXT: xetile.store_tile %sum_3, %tc_3

// ARC: %tb_3 = xetile.init_tile %b[0, 24] : memref<64x64xf16> -> !xetile.tile<16x8xf16>
// ARC: %next = xetile.tile_mma %va, %vb, %acc : vector<8x16xf16>, vector<16x8xf16>, vector<8x8xf32> -> vector<8x8xf32>
