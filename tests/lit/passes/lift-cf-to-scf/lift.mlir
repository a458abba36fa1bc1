// RUN: xegpu-opt -p lift-cf-to-scf %s | filecheck %s

gpu.module @m {
  // A choice: what both sides lead to comes behind it.
  // CHECK-LABEL: gpu.func @choice
  // CHECK: %[[R:.*]] = scf.if %p -> (f32) {
  // CHECK-NEXT:   %y = arith.negf %x : f32
  // CHECK-NEXT:   scf.yield %y : f32
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   scf.yield %x : f32
  // CHECK-NEXT: }
  // CHECK-NEXT: memref.store %[[R]], %m[]
  // CHECK-NEXT: gpu.return
  gpu.func @choice(%m: memref<f32>, %x: f32, %p: i1) kernel {
    cf.cond_br %p, ^then, ^join(%x : f32)
  ^then:
    %y = arith.negf %x : f32
    cf.br ^join(%y : f32)
  ^join(%r: f32):
    memref.store %r, %m[] : memref<f32>
    gpu.return
  }

  // A loop: the number 0 says that it goes on. What it computes and others use behind it leaves with it.
  // CHECK-LABEL: gpu.func @loop
  // CHECK: %[[W:.*]], %{{.*}}, %[[I:.*]] = scf.while (%{{.*}} = %n) : (i32) -> (i32, i32, i32) {
  // CHECK:   scf.if
  // CHECK:   arith.cmpi eq
  // CHECK:   scf.condition
  // CHECK: } do {
  // CHECK: }
  // CHECK-NEXT: memref.store %[[I]], %m[]
  gpu.func @loop(%m: memref<i32>, %n: i32, %one: i32) kernel {
    cf.br ^head(%n : i32)
  ^head(%i: i32):
    %more = arith.cmpi sgt, %i, %one : i32
    cf.cond_br %more, ^body, ^done
  ^body:
    %less = arith.subi %i, %one : i32
    cf.br ^head(%less : i32)
  ^done:
    memref.store %i, %m[] : memref<i32>
    gpu.return
  }

  // Both sides of the choice go on with the same number, which does not become a result of the choice.
  // CHECK-LABEL: gpu.func @steps
  // CHECK: scf.while (%[[S:.*]] = %n) : (i32) -> (i32, i32) {
  // CHECK: } else {
  // CHECK-NEXT: %[[HALF:.*]] = arith.shrui %[[S]], %one : i32
  // CHECK-NEXT: %[[TAG:.*]] = arith.constant 0 : i32
  // CHECK-NEXT: scf.if %p {
  // CHECK-NEXT:   memref.store %[[HALF]], %m[]
  // CHECK-NEXT: } else {
  // CHECK-NEXT: }
  // CHECK-NEXT: scf.yield %[[TAG]], %[[HALF]] : i32, i32
  gpu.func @steps(%m: memref<i32>, %n: i32, %p: i1) kernel {
    %one = arith.constant 1 : i32
    cf.br ^head(%n : i32)
  ^head(%s: i32):
    %end = arith.cmpi ult, %s, %one : i32
    cf.cond_br %end, ^done, ^step
  ^step:
    %half = arith.shrui %s, %one : i32
    cf.cond_br %p, ^add, ^head(%half : i32)
  ^add:
    memref.store %half, %m[] : memref<i32>
    cf.br ^head(%half : i32)
  ^done:
    gpu.return
  }

  // Regions within a kernel, and helpers, which are no kernels.
  // CHECK-LABEL: gpu.func @within
  // CHECK: scf.execute_region -> (f32) {
  // CHECK-NEXT: %[[R:.*]] = scf.if %p -> (f32) {
  // CHECK: scf.yield %[[R]] : f32
  gpu.func @within(%m: memref<f32>, %x: f32, %p: i1) kernel {
    %r = scf.execute_region -> f32 {
      cf.cond_br %p, ^a, ^b
    ^a:
      %y = arith.negf %x : f32
      scf.yield %y : f32
    ^b:
      scf.yield %x : f32
    }
    memref.store %r, %m[] : memref<f32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @helper
  // CHECK: cf.cond_br
  gpu.func @helper(%p: i1) {
    cf.cond_br %p, ^a, ^b
  ^a:
    gpu.return
  ^b:
    gpu.return
  }
}
