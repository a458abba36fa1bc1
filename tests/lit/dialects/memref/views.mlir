// RUN: XEGPU_CANONICAL
module {
  func.func @f(%m: memref<8x16xf32>, %mu: memref<*xf32>, %ms: memref<64xf32, 3>, %m1: memref<64xf32>, %i: index, %j: index, %k: index, %mi1: memref<2xindex>, %mi64: memref<3xi64>, %md: memref<?x?xf32>, %m0: memref<f32>, %mst: memref<8x16xf32, strided<[?, 1], offset: ?>>, %mb: memref<2048xi8>, %mc: memref<64xi8, 3>) {
    %r0 = memref.cast %m : memref<8x16xf32> to memref<?x?xf32>
    %r1 = memref.cast %m : memref<8x16xf32> to memref<?x16xf32, strided<[?, 1], offset: ?>>
    %r2 = memref.cast %mu : memref<*xf32> to memref<?x?xf32>
    %r3 = memref.cast %ms : memref<64xf32, 3> to memref<*xf32, 3>
    %r4 = memref.memory_space_cast %ms : memref<64xf32, 3> to memref<64xf32>
    %r5 = memref.memory_space_cast %mu : memref<*xf32> to memref<*xf32, 3>
    %r6, %r7, %r8, %r9 = memref.extract_strided_metadata %m1 : memref<64xf32> -> memref<f32>, index, index, index
    %r10, %r11, %r12, %r13 = memref.extract_strided_metadata %ms : memref<64xf32, 3> -> memref<f32, 3>, index, index, index
    %r14 = memref.extract_aligned_pointer_as_index %m : memref<8x16xf32> -> index
    %r15 = memref.reinterpret_cast %m to offset: [0], sizes: [32], strides: [1] : memref<8x16xf32> to memref<32xf32>
    %r16 = memref.reinterpret_cast %m to offset: [%i], sizes: [%j, 4], strides: [%k, 1] : memref<8x16xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
    %r17 = memref.reinterpret_cast %mu to offset: [0], sizes: [4], strides: [1] : memref<*xf32> to memref<4xf32>
    %r18 = memref.reinterpret_cast %m to offset: [0], sizes: [], strides: [] : memref<8x16xf32> to memref<f32>
    %r19 = memref.reinterpret_cast %m to offset: [0], sizes: [32], strides: [1] {foo} : memref<8x16xf32> to memref<32xf32>
    %r20 = memref.reshape %m1(%mi1) : (memref<64xf32>, memref<2xindex>) -> memref<?x?xf32>
    %r21 = memref.reshape %mu(%mi64) : (memref<*xf32>, memref<3xi64>) -> memref<?x?x?xf32>
    %r22 = memref.expand_shape %m1 [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
    %r23 = memref.expand_shape %md [[0, 1], [2]] output_shape [%i, 4, %j] : memref<?x?xf32> into memref<?x4x?xf32>
    %r24 = memref.expand_shape %m0 [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
    %r25 = memref.collapse_shape %m [[0, 1]] : memref<8x16xf32> into memref<128xf32>
    %r26 = memref.collapse_shape %md [[0, 1]] : memref<?x?xf32> into memref<?xf32>
    %r27 = memref.subview %m[0, %i] [2, 4] [1, 1] : memref<8x16xf32> to memref<2x4xf32, strided<[16, 1], offset: ?>>
    %r28 = memref.subview %m[%i, %j] [%i, %j] [%i, %j] : memref<8x16xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %r29 = memref.subview %m[0, 0] [1, 16] [1, 1] : memref<8x16xf32> to memref<16xf32, strided<[1]>>
    %r30 = memref.subview %m[0, 0] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1]>>
    %r31 = memref.subview %m[1, 1] [4, 4] [2, 2] : memref<8x16xf32> to memref<4x4xf32, strided<[32, 2], offset: 17>>
    %r32 = memref.subview %ms[4] [4] [1] : memref<64xf32, 3> to memref<4xf32, strided<[1], offset: 4>, 3>
    %r33 = memref.transpose %m (d0, d1) -> (d1, d0) : memref<8x16xf32> to memref<16x8xf32, strided<[1, 16]>>
    %r34 = memref.transpose %m (d0, d1) -> (d1, d0) : memref<8x16xf32> to memref<16x8xf32, strided<[1, 16]>>
    %r35 = memref.transpose %m (d0, d1) -> (d1, d0) {foo} : memref<8x16xf32> to memref<16x8xf32, strided<[1, 16]>>
    %r36 = memref.transpose %m (d0, d1) -> (d1, d0) : memref<8x16xf32> to memref<16x8xf32, affine_map<(d0, d1) -> (((d1 * 16) + d0))>>
    %r37 = memref.transpose %md (d0, d1) -> (d1, d0) : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
    %r38 = memref.transpose %mst (d0, d1) -> (d1, d0) : memref<8x16xf32, strided<[?, 1], offset: ?>> to memref<16x8xf32, strided<[1, ?], offset: ?>>
    %r39 = memref.view %mb[%i][] : memref<2048xi8> to memref<64xf32>
    %r40 = memref.view %mb[%i][%j] : memref<2048xi8> to memref<?x4xf32>
    %r41 = memref.view %mc[%i][] : memref<64xi8, 3> to memref<4x4xf32, 3>
    return
  }
}

