// Every way to write a constant that programs of this field use.
module {
  memref.global "private" constant @table : memref<2x3xf32> = dense<[[1.0, -2.5, 0x7FC00000], [0xFF800000, 1.000000e-38, 3.40282347E+38]]>
  memref.global "private" constant @splat : memref<8x16xbf16> = dense<1.500000e+00> {alignment = 64 : i64}
  memref.global "private" constant @blob : memref<4xi32> = dense<"0x01000000020000000300000004000000">
  memref.global @variable : memref<4xi32> = uninitialized
  memref.global "private" @filled : memref<2xi64> = dense<[-1, 9223372036854775807]>
  memref.global "private" @elsewhere : memref<8xf32>
  func.func @constants() -> (index, vector<4xi1>) {
    %0 = arith.constant true
    %1 = arith.constant -128 : i8
    %2 = arith.constant 0x7F800000 : f32
    %3 = arith.constant 1.0e10 : f64
    %4 = arith.constant dense<[true, false, true, true]> : vector<4xi1>
    %5 = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xindex>
    %7 = arith.constant dense<0xFC00> : vector<8xf16>
    %8 = arith.constant dense<[1.0, 2.0]> : vector<2xbf16>
    %9 = index.constant -4
    %10 = index.bool.constant true
    %11 = arith.constant -9223372036854775808 : i64
    %12 = arith.constant 42 : index
    %13 = memref.get_global @table : memref<2x3xf32>
    %14 = memref.get_global @blob : memref<4xi32>
    return %12, %4 : index, vector<4xi1>
  }
}
