// RUN: XEGPU_CANONICAL
module {
  memref.global "private" constant @g : memref<4xf32> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
  memref.global "private" @u : memref<4xf32> = uninitialized
  memref.global @e : memref<4xf32, 3> {alignment = 64 : i64}
  memref.global "private" @z : memref<4xf32> = dense<0.000000e+00> {alignment = 64 : i64}
  func.func @f(%m: memref<4x8xf32>, %d: memref<?x?xf32>, %u: memref<*xf32>, %s: memref<64xf32, 3>, %i: index, %x: f32, %st: memref<4x8xf32, strided<[16, 1], offset: ?>>) {
    %0 = memref.cast %m : memref<4x8xf32> to memref<?x?xf32>
    %1 = memref.cast %d : memref<?x?xf32> to memref<*xf32>
    %2 = memref.memory_space_cast %s : memref<64xf32, 3> to memref<64xf32>
    %3 = memref.extract_aligned_pointer_as_index %m : memref<4x8xf32> -> index
    %4 = memref.extract_aligned_pointer_as_index %u : memref<*xf32> -> index
    memref.copy %m, %m : memref<4x8xf32> to memref<4x8xf32>
    %5 = memref.rank %u : memref<*xf32>
    %6 = memref.dim %d, %i : memref<?x?xf32>
    %7 = memref.get_global @g : memref<4xf32>
    %8 = memref.atomic_rmw addf %x, %m[%i, %i] : (f32, memref<4x8xf32>) -> f32
    %9 = memref.load %m[%i, %i] : memref<4x8xf32>
    %10 = memref.alloc() : memref<4xf32, 3>
    %11 = memref.alloca() : memref<4xf32>
    %12 = memref.subview %m[0, %i] [2, 4] [1, 1] : memref<4x8xf32> to memref<2x4xf32, strided<[8, 1], offset: ?>>
    %13 = memref.reinterpret_cast %m to offset: [0], sizes: [32], strides: [1] : memref<4x8xf32> to memref<32xf32, strided<[1]>>
    memref.dealloc %10 : memref<4xf32, 3>
    %14, %15, %16, %17, %18, %19 = memref.extract_strided_metadata %d : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
    %20 = memref.alloc() : memref<2048xi8, 3>
    %21 = memref.view %20[%i][] : memref<2048xi8, 3> to memref<64xf32, 3>
    return
  }
}

