// RUN: xegpu-opt -p gpu-inline-calls %s | filecheck %s

// Calls in kernels become what they call; functions themselves, and other callers, stay as they are.
gpu.module @m {
  // CHECK-LABEL: func.func private @add
  func.func private @add(%a: i32, %b: i32) -> i32 {
    %r = arith.addi %a, %b : i32
    func.return %r : i32
  }
  // CHECK-LABEL: func.func @triple
  // CHECK-COUNT-2: call @add
  func.func @triple(%a: i32) -> i32 {
    %t = func.call @add(%a, %a) : (i32, i32) -> i32
    %r = func.call @add(%t, %a) : (i32, i32) -> i32
    func.return %r : i32
  }
  // Blocks of one function stay together.
  func.func @clamp(%a: i32, %most: i32) -> i32 {
    %more = arith.cmpi sgt, %a, %most : i32
    cf.cond_br %more, ^above, ^below
  ^above:
    func.return %most : i32
  ^below:
    func.return %a : i32
  }
  // CHECK-LABEL: gpu.func @k
  // CHECK-SAME: (%[[M:.*]]: memref<4xi32>, %[[X:.*]]: i32, %[[I:.*]]: index) kernel
  gpu.func @k(%m: memref<4xi32>, %x: i32, %i: index) kernel {
    // CHECK-NEXT: %[[T:.*]] = arith.addi %[[X]], %[[X]] : i32
    // CHECK-NEXT: %[[R:.*]] = arith.addi %[[T]], %[[X]] : i32
    %r = func.call @triple(%x) : (i32) -> i32
    // CHECK-NEXT: %[[C:.*]] = scf.execute_region -> (i32) {
    // CHECK-NEXT:   %[[P:.*]] = arith.cmpi sgt, %[[R]], %[[X]] : i32
    // CHECK-NEXT:   cf.cond_br %[[P]]
    // CHECK:        scf.yield %[[X]] : i32
    // CHECK:        scf.yield %[[R]] : i32
    // CHECK:      }
    %c = func.call @clamp(%r, %x) : (i32, i32) -> i32
    // CHECK-NEXT: memref.store %[[C]]
    memref.store %c, %m[%i] : memref<4xi32>
    // CHECK-NEXT: gpu.return
    gpu.return
  }
}
