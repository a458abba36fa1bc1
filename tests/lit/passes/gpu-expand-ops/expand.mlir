// RUN: xegpu-opt -p gpu-expand-ops %s | filecheck %s

// Host code stays as it is.
// CHECK-LABEL: func.func @host
// CHECK: memref.copy
func.func @host(%m: memref<8xf32>, %n: memref<8xf32>) {
  memref.copy %m, %n : memref<8xf32> to memref<8xf32>
  func.return
}
gpu.module @m {
  // CHECK-LABEL: gpu.func @parallel
  // CHECK-SAME: (%[[M:.*]]: memref<8x8xf32>, %[[O:.*]]: memref<2xf32>, %[[L:.*]]: index, %[[H:.*]]: index, %[[S:.*]]: index, %[[Z:.*]]: f32)
  gpu.func @parallel(%m: memref<8x8xf32>, %o: memref<2xf32>, %l: index, %h: index, %s: index, %z: f32) kernel {
    // CHECK-NEXT: %{{.*}}, %{{.*}} = scf.for %[[I:.*]] = %[[L]] to %[[H]] step %[[S]] iter_args(%[[A:.*]] = %[[Z]], %[[B:.*]] = %[[Z]])
    // CHECK-NEXT:   %{{.*}}, %{{.*}} = scf.for %[[J:.*]] = %[[L]] to %[[S]] step %[[H]] iter_args(%[[C:.*]] = %[[A]], %[[D:.*]] = %[[B]])
    // CHECK-NEXT:     %[[E:.*]] = memref.load %[[M]][%[[I]], %[[J]]]
    // CHECK-NEXT:     %[[T:.*]] = arith.addf %[[C]], %[[E]] : f32
    // CHECK-NEXT:     %[[U:.*]] = arith.mulf %[[D]], %[[E]] : f32
    // CHECK-NEXT:     scf.yield %[[T]], %[[U]]
    // CHECK-NEXT:   }
    // CHECK-NEXT:   scf.yield
    // CHECK-NEXT: }
    %r:2 = scf.parallel (%i, %j) = (%l, %l) to (%h, %s) step (%s, %h) init (%z, %z) -> (f32, f32) {
      %e = memref.load %m[%i, %j] : memref<8x8xf32>
      scf.reduce (%e, %e : f32, f32) {
      ^bb0(%a: f32, %b: f32):
        %t = arith.addf %a, %b : f32
        scf.reduce.return %t : f32
      }, {
      ^bb0(%a: f32, %b: f32):
        %t = arith.mulf %a, %b : f32
        scf.reduce.return %t : f32
      }
    }
    memref.store %r#0, %o[%l] : memref<2xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @copy
  // CHECK-SAME: (%[[M:.*]]: memref<?x4xf32>, %[[N:.*]]: memref<?x?xf32, strided<[?, 2]>>)
  gpu.func @copy(%m: memref<?x4xf32>, %n: memref<?x?xf32, strided<[?, 2]>>) kernel {
    // CHECK: %[[H:.*]] = memref.dim %[[M]]
    // CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[H]]
    // CHECK: %[[W:.*]] = arith.constant 4 : index
    // CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[W]]
    // CHECK-NEXT: %[[V:.*]] = memref.load %[[M]][%[[I]], %[[J]]]
    // CHECK-NEXT: memref.store %[[V]], %[[N]][%[[I]], %[[J]]]
    memref.copy %m, %n : memref<?x4xf32> to memref<?x?xf32, strided<[?, 2]>>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @reshape
  // CHECK-SAME: (%[[M:.*]]: memref<?xf32>, %[[N:.*]]: memref<3xi32>, %[[X:.*]]: f32, %[[I:.*]]: index)
  gpu.func @reshape(%m: memref<?xf32>, %n: memref<3xi32>, %x: f32, %i: index) kernel {
    // CHECK: %[[A:.*]] = memref.load %[[N]]
    // CHECK-NEXT: %[[S:.*]] = arith.index_cast %[[A]] : i32 to index
    // CHECK: %[[B:.*]] = memref.load %[[N]]
    // CHECK-NEXT: %[[T:.*]] = arith.index_cast %[[B]] : i32 to index
    // CHECK: %[[U:.*]] = arith.muli {{.*}}%[[T]]
    // CHECK: memref.reinterpret_cast %[[M]] to offset: [0], sizes: [%[[S]], 4, %[[T]]], strides: [%[[U]], %[[T]], 1]
    %v = memref.reshape %m(%n) : (memref<?xf32>, memref<3xi32>) -> memref<?x4x?xf32>
    memref.store %x, %v[%i, %i, %i] : memref<?x4x?xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @scope
  // CHECK-NOT: memref.alloca_scope
  // CHECK: memref.alloca
  gpu.func @scope(%m: memref<8xf32>, %x: f32, %i: index) kernel {
    %r = memref.alloca_scope -> (f32) {
      %a = memref.alloca() : memref<8xf32>
      memref.store %x, %a[%i] : memref<8xf32>
      %y = memref.load %a[%i] : memref<8xf32>
      memref.alloca_scope.return %y : f32
    }
    memref.store %r, %m[%i] : memref<8xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @switch
  // CHECK-SAME: (%[[M:.*]]: memref<8xi32>, %[[X:.*]]: i32, %[[I:.*]]: index)
  gpu.func @switch(%m: memref<8xi32>, %x: i32, %i: index) kernel {
    // CHECK-NEXT: cf.br ^[[T0:.*]]
    // CHECK-NEXT: ^[[T0]]:
    // CHECK-NEXT: %[[C0:.*]] = arith.constant 3 : i32
    // CHECK-NEXT: %[[P0:.*]] = arith.cmpi eq, %[[X]], %[[C0]]
    // CHECK-NEXT: cf.cond_br %[[P0]], ^[[END:.*]], ^[[T1:.*]]
    // CHECK-NEXT: ^[[T1]]:
    // CHECK-NEXT: %[[C1:.*]] = arith.constant -4 : i32
    // CHECK-NEXT: %[[P1:.*]] = arith.cmpi eq, %[[X]], %[[C1]]
    // CHECK-NEXT: cf.cond_br %[[P1]], ^[[STORE:.*]](%[[X]] : i32), ^[[STORE]](%[[X]] : i32)
    cf.switch %x : i32, [
      default: ^store(%x : i32),
      3: ^end,
      -4: ^store(%x : i32)
    ]
  ^store(%v: i32):
    memref.store %v, %m[%i] : memref<8xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}
