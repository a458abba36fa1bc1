// RUN: xegpu-opt %s -p 'scf-loop-unroll{unroll-factor=3}' --split-input-file | filecheck %s
// RUN: not xegpu-opt %s -p 'scf-loop-unroll{unroll-factor=0}' --split-input-file 2>&1 | filecheck %s --check-prefix=REFUSED
// REFUSED: error: 'builtin.module' op expected an unroll-factor of at least 1, got 0

// Bounds that are not known: a loop does what is left. The end of the first one does not wrap around.
gpu.module @m {
  // CHECK-LABEL: gpu.func @unknown
  gpu.func @unknown(%m: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %z = arith.constant 0.0 : f32
    // CHECK:      %[[LEAST:.*]] = arith.constant -9223372036854775803 : index
    // CHECK-NEXT: %[[SAFE:.*]] = arith.maxsi %n, %[[LEAST]] : index
    // CHECK-NEXT: %[[FIVE:.*]] = arith.constant 5 : index
    // CHECK-NEXT: %[[END:.*]] = arith.subi %[[SAFE]], %[[FIVE]] : index
    // CHECK:      %[[SIX:.*]] = arith.constant 6 : index
    // CHECK-NEXT: %[[AT:.*]], %[[SUM:.*]] = scf.for %[[I:.*]] = %c0 to %[[END]] step %[[SIX]] iter_args(%{{.*}} = %c0, %[[A:.*]] = %z) -> (index, f32) {
    // CHECK-NEXT:   memref.load %m[%[[I]]]
    // CHECK-NEXT:   arith.addf %[[A]],
    // CHECK-NEXT:   %[[J:.*]] = arith.addi %[[I]], %{{.*}} : index
    // CHECK-NEXT:   memref.load %m[%[[J]]]
    // CHECK-NEXT:   arith.addf
    // CHECK-NEXT:   %[[K:.*]] = arith.addi %[[I]], %{{.*}} : index
    // CHECK-NEXT:   memref.load %m[%[[K]]]
    // CHECK-NEXT:   %[[B:.*]] = arith.addf
    // CHECK-NEXT:   %[[NEXT:.*]] = arith.addi %[[I]], %[[SIX]] : index
    // CHECK-NEXT:   scf.yield %[[NEXT]], %[[B]]
    // CHECK-NEXT: } {no_unroll}
    // CHECK-NEXT: scf.for %{{.*}} = %[[AT]] to %n step %c2 iter_args(%{{.*}} = %[[SUM]]) -> (f32) {
    // CHECK-NEXT:   memref.load
    // CHECK-NEXT:   arith.addf
    // CHECK-NEXT:   scf.yield
    // CHECK-NEXT: } {no_unroll}
    %r = scf.for %i = %c0 to %n step %c2 iter_args(%a = %z) -> (f32) {
      %v = memref.load %m[%i] : memref<?xf32>
      %b = arith.addf %a, %v : f32
      scf.yield %b : f32
    }
    memref.store %r, %m[%c0] : memref<?xf32>
    gpu.return
  }
}

// -----

// Seven turns are two times three and one; five are straight code; loops inside of others, with steps that are not
// known, and with the attribute stay.
gpu.module @m {
  // CHECK-LABEL: gpu.func @known
  gpu.func @known(%m: memref<?xf32>, %step: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : index
    %x = arith.constant 0.0 : f32
    // CHECK:         scf.for %[[I:.*]] = %c0 to %{{.*}} step
    // CHECK-COUNT-3:   memref.store
    // CHECK-NEXT:    } {no_unroll}
    // CHECK-NEXT:    %[[LAST:.*]] = arith.constant 6 : index
    // CHECK-NEXT:    memref.store %x, %m[%[[LAST]]]
    scf.for %i = %c0 to %c7 step %c1 {
      memref.store %x, %m[%i] : memref<?xf32>
    }
    // CHECK-NOT:     scf.for
    // CHECK-COUNT-5: memref.store
    // CHECK-NOT:     memref.store
    scf.for %i = %c0 to %c5 step %c1 {
      memref.store %x, %m[%i] : memref<?xf32>
    }
    // CHECK:      scf.for %{{.*}} = %c0 to %c7 step %step {
    // CHECK-NEXT:   memref.store
    // CHECK-NEXT: }
    scf.for %i = %c0 to %c7 step %step {
      memref.store %x, %m[%i] : memref<?xf32>
    }
    // CHECK:      scf.for %{{.*}} = %c0 to %c7 step %c1 {
    // CHECK-NEXT:   memref.store
    // CHECK-NEXT: } {no_unroll}
    scf.for %i = %c0 to %c7 step %c1 {
      memref.store %x, %m[%i] : memref<?xf32>
    } {no_unroll}
    // CHECK:      scf.for %{{.*}} = %c0 to %c7 step %c1 {
    // CHECK-NOT:    scf.for
    // CHECK-COUNT-5: memref.store
    // CHECK-NOT:     memref.store
    // CHECK:      }
    scf.for %j = %c0 to %c7 step %c1 {
      scf.for %i = %c0 to %c5 step %c1 {
        memref.store %x, %m[%i] : memref<?xf32>
      }
    }
    gpu.return
  }
}
