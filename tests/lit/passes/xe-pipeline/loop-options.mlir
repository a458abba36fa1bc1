// RUN: xegpu-opt %s -p 'xe-pipeline{target=pvc pipeline-stages=2 unroll-factor=4}' -t xe-asm | filecheck %s
// RUN: xegpu-opt %s -p 'xe-pipeline{target=pvc}' --dump-pass-pipeline 2>&1 >/dev/null | filecheck %s --check-prefix=PLAIN
// RUN: not xegpu-opt %s -p 'xe-pipeline{target=pvc pipeline-stages=0}' 2>&1 | filecheck %s --check-prefix=STAGES
// PLAIN-NOT: scf-loop
// STAGES: error: 'builtin.module' op expected from 1 to 8 stages, got 0

// Four turns in one, each with the loads of the next one, and no moves: 16 turns are 12 in the loop and 4 behind it.
// CHECK:         load_block2d
// CHECK:         load_block2d
// CHECK:      L1:
// CHECK:         cmp {{.*}} 192:q
// CHECK:         load_block2d
// CHECK-NEXT:    load_block2d
// CHECK-NOT:     mov
// CHECK:         dpas
// CHECK-NOT:     mov
// CHECK:         dpas
// CHECK-NOT:     mov
// CHECK:         dpas
// CHECK-NOT:     mov
// CHECK:         dpas
// CHECK-NEXT:    add
// CHECK-NEXT:    jmpi {{.*}} L1
// CHECK:      L2:
// CHECK-COUNT-4: dpas
// CHECK:         store_block2d
gpu.module @m {
  gpu.func @gemm(%a: memref<64x256xbf16>, %b: memref<256x64xbf16>, %c: memref<64x64xf32>) kernel
      attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c256 = arith.constant 256 : index
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<64x256xbf16> -> !xegpu.tensor_desc<8x16xbf16>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<256x64xbf16> -> !xegpu.tensor_desc<16x16xbf16>
    %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %r:3 = scf.for %k = %c0 to %c256 step %c16 iter_args(%acc = %zero, %na = %ta, %nb = %tb)
        -> (vector<8x16xf32>, !xegpu.tensor_desc<8x16xbf16>, !xegpu.tensor_desc<16x16xbf16>) {
      %va = xegpu.load_nd %na : !xegpu.tensor_desc<8x16xbf16> -> vector<8x16xbf16>
      %vb = xegpu.load_nd %nb <{packed}> : !xegpu.tensor_desc<16x16xbf16> -> vector<8x16x2xbf16>
      %next = xegpu.dpas %va, %vb, %acc : vector<8x16xbf16>, vector<8x16x2xbf16>, vector<8x16xf32> -> vector<8x16xf32>
      %ma = xegpu.update_nd_offset %na, [0, 16] : !xegpu.tensor_desc<8x16xbf16>
      %mb = xegpu.update_nd_offset %nb, [16, 0] : !xegpu.tensor_desc<16x16xbf16>
      scf.yield %next, %ma, %mb : vector<8x16xf32>, !xegpu.tensor_desc<8x16xbf16>, !xegpu.tensor_desc<16x16xbf16>
    }
    xegpu.store_nd %r#0, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
