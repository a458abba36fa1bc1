// RUN: xegpu-opt %s -p 'xegpu-blocking{target=pvc},canonicalize' | filecheck %s

#b = #xegpu.layout<inst_data = [8, 16], lane_layout = [1, 16], lane_data = [1, 1]>

gpu.module @m {
  // Accesses, arithmetic and what loops carry are cut; layouts of lanes stay.
  // CHECK-LABEL: gpu.func @cut
  // CHECK:      %[[T:.*]] = xegpu.create_nd_tdesc %a : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32, #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>>
  // CHECK-DAG:  xegpu.load_nd %[[T]][0, 0] <{layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}>
  // CHECK-DAG:  xegpu.load_nd %[[T]][0, 16]
  // CHECK:      scf.for {{.*}} -> (vector<8x16xf32>, vector<8x16xf32>)
  // CHECK:        arith.addf {{.*}} : vector<8x16xf32>
  // CHECK:        arith.addf {{.*}} : vector<8x16xf32>
  // CHECK:        scf.yield
  // CHECK:      xegpu.store_nd {{.*}}[8, 0]
  // CHECK:      xegpu.store_nd {{.*}}[8, 16]
  gpu.func @cut(%a: memref<64x64xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = xegpu.create_nd_tdesc %a : memref<64x64xf32> -> !xegpu.tensor_desc<8x32xf32, #b>
    %v = xegpu.load_nd %t[0, 0] <{layout = #b}> : !xegpu.tensor_desc<8x32xf32, #b> -> vector<8x32xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> (vector<8x32xf32>) {
      %w = arith.addf %s, %s : vector<8x32xf32>
      scf.yield %w : vector<8x32xf32>
    }
    xegpu.store_nd %r, %t[8, 0] <{layout = #b}> : vector<8x32xf32>, !xegpu.tensor_desc<8x32xf32, #b>
    gpu.return
  }

  // Without inst_data nothing is cut.
  // CHECK-LABEL: gpu.func @without
  // CHECK: xegpu.load_nd {{.*}} -> vector<8x32xf32>
  gpu.func @without(%a: memref<64x64xf32>) kernel {
    %t = xegpu.create_nd_tdesc %a : memref<64x64xf32> -> !xegpu.tensor_desc<8x32xf32>
    %v = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<8x32xf32> -> vector<8x32xf32>
    xegpu.store_nd %v, %t[8, 0] : vector<8x32xf32>, !xegpu.tensor_desc<8x32xf32>
    gpu.return
  }
}
