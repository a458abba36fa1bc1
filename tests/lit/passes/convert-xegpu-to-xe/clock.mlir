// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc},canonicalize,cse | filecheck %s

// Reads of the clock are not shared, not dropped, and keep their places among messages; all lanes have one time.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @k
  // CHECK: %[[FIRST:.*]] = xe.clock : !xe.grf<8, 8>
  // CHECK: xe.store[
  // CHECK-NEXT: %[[SECOND:.*]] = xe.clock : !xe.grf<8, 8>
  // CHECK-NEXT: xe.clock
  // CHECK: xe.add(%[[SECOND]], %[[FIRST]] : !xe.grf<8, 8>, !xe.grf<8, 8>) {exec_size = 1 : i32
  gpu.func @k(%x: memref<64xf32>, %out: memref<64xi64>) kernel {
    %i = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    %a = llvm.call_intrinsic "llvm.readcyclecounter"() : () -> i64
    memref.store %one, %x[%i] : memref<64xf32>
    %b = llvm.call_intrinsic "llvm.readcyclecounter"() : () -> i64
    %unused = llvm.call_intrinsic "llvm.readsteadycounter"() : () -> i64
    %c = arith.subi %b, %a : i64
    memref.store %c, %out[%i] : memref<64xi64>
    gpu.return
  }
}
