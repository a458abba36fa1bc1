// What LLVM IR has no instruction for is the same operation afterwards, and structured control flow becomes blocks.
// RUN: xegpu-opt %s -p convert-llvm-to-gpu | filecheck %s
gpu.module @m {
  // CHECK-LABEL: gpu.func @kept(%p: !llvm.ptr<1>, %n: i64)
  // CHECK-SAME: known_block_size = array<i32: 32, 1, 1>
  // CHECK: %[[LANE:.*]] = xevm.lane_id : i32
  // CHECK: %[[X:.*]] = math.exp2 %{{.*}} : vector<4xf32>
  // CHECK: cf.cond_br
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<1>
  llvm.func @kept(%p: !llvm.ptr<1>, %n: i64) attributes {gpu.kernel, gpu.known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end = builtin.unrealized_conversion_cast %n : i64 to index
    %zero = llvm.mlir.zero : vector<4xf32>
    %lane = xevm.lane_id : i32
    %f = llvm.uitofp %lane : i32 to f32
    %u = llvm.mlir.poison : vector<4xf32>
    %v = llvm.insertelement %f, %u[%lane : i32] : vector<4xf32>
    %sum = scf.for %i = %c0 to %end step %c1 iter_args(%s = %zero) -> (vector<4xf32>) {
      %e = math.exp2 %v : vector<4xf32>
      %t = llvm.fadd %s, %e : vector<4xf32>
      scf.yield %t : vector<4xf32>
    }
    %one = llvm.extractelement %sum[%lane : i32] : vector<4xf32>
    %q = llvm.getelementptr %p[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %one, %q : f32, !llvm.ptr<1>
    llvm.return
  }
}
