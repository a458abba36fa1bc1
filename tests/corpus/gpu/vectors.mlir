// Vector code as kernels without descriptors write it: masks, transfers, gathers, slices.
func.func @vectors(%m: memref<?x?xf32>, %line: memref<1024xf32>, %n: index, %i: index, %places: vector<16xi32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.000000e+00 : f32
  %nothing = arith.constant dense<0.000000e+00> : vector<16xf32>
  %mask = vector.create_mask %n : vector<16xi1>
  %some = vector.constant_mask [8] : vector<16xi1>
  %a = vector.transfer_read %m[%i, %c0], %zero {in_bounds = [true, false]} : memref<?x?xf32>, vector<8x16xf32>
  %b = vector.maskedload %line[%i], %mask, %nothing : memref<1024xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %c = vector.gather %line[%c0] [%places], %some, %b : memref<1024xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %d = vector.load %line[%c16] : memref<1024xf32>, vector<16xf32>
  %row = vector.extract %a[3] : vector<16xf32> from vector<8x16xf32>
  %dynamic = vector.extract %row[%i] : f32 from vector<16xf32>
  %all = vector.broadcast %dynamic : f32 to vector<16xf32>
  %sum = vector.fma %c, %d, %all : vector<16xf32>
  %chosen = arith.select %mask, %sum, %nothing : vector<16xi1>, vector<16xf32>
  %positive = arith.cmpf ogt, %chosen, %nothing : vector<16xf32>
  %both = arith.andi %positive, %mask : vector<16xi1>
  vector.maskedstore %line[%i], %both, %chosen : memref<1024xf32>, vector<16xi1>, vector<16xf32>
  vector.scatter %line[%c0] [%places], %both, %chosen : memref<1024xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32>
  %e = vector.insert %chosen, %a [2] : vector<16xf32> into vector<8x16xf32>
  vector.transfer_write %e, %m[%i, %c0] {in_bounds = [false, true]} : vector<8x16xf32>, memref<?x?xf32>
  vector.store %chosen, %line[%c0] {alignment = 64 : i64} : memref<1024xf32>, vector<16xf32>
  %low = vector.extract_strided_slice %chosen {offsets = [0], sizes = [8], strides = [1]} : vector<16xf32> to vector<8xf32>
  %mixed = vector.shuffle %low, %low [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15] : vector<8xf32>, vector<8xf32>
  %woven = vector.interleave %low, %low : vector<8xf32> -> vector<16xf32>
  %even, %odd = vector.deinterleave %woven : vector<16xf32> -> vector<8xf32>
  %outer = vector.outerproduct %even, %odd : vector<8xf32>, vector<8xf32>
  %corner = vector.extract %outer[0, 0] : f32 from vector<8x8xf32>
  %built = vector.from_elements %corner, %dynamic : vector<2xf32>
  %x, %y = vector.to_elements %built : vector<2xf32>
  %scan = arith.addf %x, %y : f32
  %scans = vector.broadcast %scan : f32 to vector<16xf32>
  %result = arith.mulf %mixed, %scans : vector<16xf32>
  return %result : vector<16xf32>
}
