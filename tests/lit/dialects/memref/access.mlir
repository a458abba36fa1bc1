// RUN: XEGPU_CANONICAL
module {
  func.func @f(%m: memref<8x16xf32>, %i: index, %j: index, %m0: memref<f32>, %s: f32, %mst: memref<8x16xf32, strided<[?, 1], offset: ?>>, %mu: memref<*xf32>) {
    %r0 = memref.load %m[%i, %j] {nontemporal = true} : memref<8x16xf32>
    %r1 = memref.load %m[%i, %j] {alignment = 16 : i64} : memref<8x16xf32>
    %r2 = memref.load %m[%i, %j] {foo, nontemporal = true} : memref<8x16xf32>
    %r3 = memref.load %m0[] : memref<f32>
    memref.store %s, %m[%i, %j] {nontemporal = true} : memref<8x16xf32>
    memref.store %s, %m[%i, %j] {alignment = 8 : i64} : memref<8x16xf32>
    memref.copy %m, %mst : memref<8x16xf32> to memref<8x16xf32, strided<[?, 1], offset: ?>>
    %r4 = memref.dim %m, %i : memref<8x16xf32>
    %r5 = memref.dim %mu, %i : memref<*xf32>
    %r6 = memref.rank %mu : memref<*xf32>
    %r7 = memref.rank %m : memref<8x16xf32>
    memref.prefetch %m[%i, %j], read, locality<1>, data : memref<8x16xf32>
    memref.prefetch %m[%i, %j], write, locality<3>, instr : memref<8x16xf32>
    memref.copy %m, %mu : memref<8x16xf32> to memref<*xf32>
    return
  }
}

