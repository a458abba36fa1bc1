// Memrefs in every space and layout.
func.func @spaces(%a: memref<4x4xf32>, %b: memref<4x4xf32, 3>, %c: memref<4x4xf32, #gpu.address_space<global>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>, %e: memref<4x?xf32, strided<[16, 2], offset: 3>, 1>, %f: memref<4x4xf32, affine_map<(i, j) -> (j, i)>>, %g: memref<*xf32>, %h: memref<f32>, %i: memref<2x2xvector<4xf32>>, %j: memref<4xindex>, %n: index) {
  %0 = memref.cast %d : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<4x4xf32, strided<[?, 1], offset: ?>>
  %1 = memref.cast %g : memref<*xf32> to memref<4x4xf32>
  %2 = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 4] : memref<4x4xf32> into memref<2x2x4xf32>
  %3 = memref.collapse_shape %2 [[0, 1, 2]] : memref<2x2x4xf32> into memref<16xf32>
  %4 = memref.subview %a[%n, 0] [2, %n] [1, 1] : memref<4x4xf32> to memref<2x?xf32, strided<[4, 1], offset: ?>>
  %5 = memref.reinterpret_cast %g to offset: [%n], sizes: [4, %n], strides: [%n, 1] : memref<*xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  %6 = memref.alloc(%n) {alignment = 128 : i64} : memref<?x4xf32>
  %7 = memref.alloca(%n) : memref<?xi8>
  %8 = memref.load %i[%n, %n] : memref<2x2xvector<4xf32>>
  %9 = memref.load %h[] : memref<f32>
  %10 = memref.atomic_rmw addf %9, %a[%n, %n] : (f32, memref<4x4xf32>) -> f32
  %11 = memref.memory_space_cast %b : memref<4x4xf32, 3> to memref<4x4xf32>
  %12 = memref.rank %g : memref<*xf32>
  memref.copy %11, %1 : memref<4x4xf32> to memref<4x4xf32>
  memref.store %10, %c[%n, %12] : memref<4x4xf32, #gpu.address_space<global>>
  memref.store %n, %j[%n] : memref<4xindex>
  memref.dealloc %6 : memref<?x4xf32>
  return
}
