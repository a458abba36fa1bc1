// RUN: XEGPU_CANONICAL
module {
  memref.global "private" constant @g0 : memref<4xf32> = dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]>
  memref.global @g1 : memref<4xf32>
  memref.global @g2 : memref<4xf32> = uninitialized
  memref.global "public" @g3 : memref<2x2xi8> = dense<[[1, 2], [3, 4]]> {alignment = 64 : i64}
  memref.global "private" @g4 : memref<i32> = dense<3>
  memref.global "nested" @g5 : memref<4xf32, #gpu.address_space<workgroup>> = uninitialized
  memref.global "private" constant @g6 : memref<2xindex> = dense<[1, 2]>
  memref.global "private" constant @g7 : memref<2xi1> = dense<[true, false]>
  memref.global "private" constant @g8 : memref<4xbf16> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, -1.000000e+00]>
  memref.global "private" constant @g9 : memref<4xf32, strided<[2], offset: 4>> = dense<1.000000e+00>
  memref.global @g10 : memref<4xf32> {foo = "x"}
  memref.global @g11 : memref<4xf32> = dense<1.000000e+00> {alignment = 32 : i64, foo = "x"}
  func.func @f() {
    return
  }
}

