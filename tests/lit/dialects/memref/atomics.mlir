// RUN: XEGPU_CANONICAL
module {
  func.func @f(%s: f32, %m: memref<8x16xf32>, %i: index, %j: index, %w: i32, %mi: memref<8x16xi32>) {
    %r0 = memref.atomic_rmw addf %s, %m[%i, %j] : (f32, memref<8x16xf32>) -> f32
    %r1 = memref.atomic_rmw xori %w, %mi[%i, %j] : (i32, memref<8x16xi32>) -> i32
    %r2 = memref.atomic_rmw ori %w, %mi[%i, %j] : (i32, memref<8x16xi32>) -> i32
    %r3 = memref.atomic_rmw andi %w, %mi[%i, %j] : (i32, memref<8x16xi32>) -> i32
    %r4 = memref.atomic_rmw maxu %w, %mi[%i, %j] : (i32, memref<8x16xi32>) -> i32
    %r5 = memref.atomic_rmw minnumf %s, %m[%i, %j] : (f32, memref<8x16xf32>) -> f32
    %r6 = memref.atomic_rmw maxnumf %s, %m[%i, %j] : (f32, memref<8x16xf32>) -> f32
    %r7 = memref.atomic_rmw assign %s, %m[%i, %j] : (f32, memref<8x16xf32>) -> f32
    %r8 = memref.atomic_rmw assign %w, %mi[%i, %j] {foo} : (i32, memref<8x16xi32>) -> i32
    %r9 = memref.generic_atomic_rmw %m[%i, %j] : memref<8x16xf32> {
    ^bb0(%old: f32):
      %0 = arith.addf %old, %old : f32
      memref.atomic_yield %0 : f32
    }
    %r10 = memref.atomic_rmw addf %s, %m[%i, %j] : (f32, memref<8x16xf32>) -> f32
    %r11 = memref.atomic_rmw assign %s, %m[%i, %j] : (f32, memref<8x16xf32>) -> f32
    %r12 = memref.atomic_rmw mulf %s, %m[%i, %j] : (f32, memref<8x16xf32>) -> f32
    %r13 = memref.atomic_rmw maximumf %s, %m[%i, %j] : (f32, memref<8x16xf32>) -> f32
    %r14 = memref.atomic_rmw minimumf %s, %m[%i, %j] : (f32, memref<8x16xf32>) -> f32
    %r15 = memref.atomic_rmw maxnumf %s, %m[%i, %j] : (f32, memref<8x16xf32>) -> f32
    %r16 = memref.atomic_rmw minnumf %s, %m[%i, %j] : (f32, memref<8x16xf32>) -> f32
    %r17 = memref.atomic_rmw addi %w, %mi[%i, %j] : (i32, memref<8x16xi32>) -> i32
    %r18 = memref.atomic_rmw muli %w, %mi[%i, %j] : (i32, memref<8x16xi32>) -> i32
    %r19 = memref.atomic_rmw maxs %w, %mi[%i, %j] : (i32, memref<8x16xi32>) -> i32
    %r20 = memref.atomic_rmw maxu %w, %mi[%i, %j] : (i32, memref<8x16xi32>) -> i32
    %r21 = memref.atomic_rmw mins %w, %mi[%i, %j] : (i32, memref<8x16xi32>) -> i32
    %r22 = memref.atomic_rmw minu %w, %mi[%i, %j] : (i32, memref<8x16xi32>) -> i32
    %r23 = memref.atomic_rmw ori %w, %mi[%i, %j] : (i32, memref<8x16xi32>) -> i32
    %r24 = memref.atomic_rmw andi %w, %mi[%i, %j] : (i32, memref<8x16xi32>) -> i32
    %r25 = memref.atomic_rmw xori %w, %mi[%i, %j] : (i32, memref<8x16xi32>) -> i32
    return
  }
}

