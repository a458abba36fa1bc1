// RUN: xegpu-opt %s -p 'xegpu-vector-linearize' | filecheck %s

gpu.module @m {
  // CHECK-LABEL: gpu.func @k
  // CHECK-SAME: %v: vector<2x4xf32>
  // CHECK:      %[[V:.*]] = vector.shape_cast %v : vector<2x4xf32> to vector<8xf32>
  // CHECK:      scf.for {{.*}} -> (vector<8xf32>)
  // CHECK:        arith.addf {{.*}} : vector<8xf32>
  // CHECK:      %[[S:.*]] = vector.shape_cast %{{.*}} : vector<8xf32> to vector<2x4xf32>
  // CHECK:      vector.transpose %[[S]]
  gpu.func @k(%v: vector<2x4xf32>, %n: index, %a: memref<8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %d = arith.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]> : vector<2x4xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> (vector<2x4xf32>) {
      %w = arith.addf %s, %d : vector<2x4xf32>
      scf.yield %w : vector<2x4xf32>
    }
    %t = vector.transpose %r, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
    %f = vector.shape_cast %t : vector<4x2xf32> to vector<8xf32>
    vector.store %f, %a[%c0] : memref<8xf32>, vector<8xf32>
    gpu.return
  }
}
