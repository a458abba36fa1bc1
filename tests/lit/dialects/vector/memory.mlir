// RUN: XEGPU_CANONICAL
module {
  func.func @f(%m: memref<8x16xf32>, %i: index, %j: index, %mv: memref<4xvector<16xf32>>, %v: vector<16xf32>, %vm: vector<16xi1>, %vm2: vector<8x16xi1>, %v2: vector<8x16xf32>, %vi: vector<16xi32>, %vx2: vector<8x16xindex>, %t: tensor<8x16xf32>, %s: f32, %md: memref<?x?xf32>, %v0: vector<f32>) {
    %r0 = vector.load %m[%i, %j] : memref<8x16xf32>, vector<8xf32>
    %r1 = vector.load %m[%i, %j] {nontemporal = true} : memref<8x16xf32>, vector<8xf32>
    %r2 = vector.load %m[%i, %j] {alignment = 16 : i64} : memref<8x16xf32>, vector<8xf32>
    %r3 = vector.load %mv[%i] : memref<4xvector<16xf32>>, vector<16xf32>
    %r4 = vector.load %m[%i, %j] : memref<8x16xf32>, vector<f32>
    %r5 = vector.load %m[%i, %j] : memref<8x16xf32>, vector<[4]xf32>
    vector.store %v, %m[%i, %j] : memref<8x16xf32>, vector<16xf32>
    vector.store %v, %m[%i, %j] {alignment = 8 : i64, nontemporal = true} : memref<8x16xf32>, vector<16xf32>
    vector.store %v, %mv[%i] : memref<4xvector<16xf32>>, vector<16xf32>
    %r6 = vector.maskedload %m[%i, %j], %vm, %v : memref<8x16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    %r7 = vector.maskedload %m[%i, %j], %vm2, %v2 : memref<8x16xf32>, vector<8x16xi1>, vector<8x16xf32> into vector<8x16xf32>
    %r8 = vector.maskedload %m[%i, %j], %vm, %v {alignment = 8 : i64} : memref<8x16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    vector.maskedstore %m[%i, %j], %vm, %v : memref<8x16xf32>, vector<16xi1>, vector<16xf32>
    vector.maskedstore %m[%i, %j], %vm, %v {alignment = 8 : i64} : memref<8x16xf32>, vector<16xi1>, vector<16xf32>
    %r9 = vector.gather %m[%i, %j] [%vi], %vm, %v : memref<8x16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    %r10 = vector.gather %m[%i, %j] [%vx2], %vm2, %v2 : memref<8x16xf32>, vector<8x16xindex>, vector<8x16xi1>, vector<8x16xf32> into vector<8x16xf32>
    %r11 = vector.gather %t[%i, %j] [%vi], %vm, %v : tensor<8x16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    %r12 = vector.gather %m[%i, %j] [%vi], %vm, %v {alignment = 8 : i64} : memref<8x16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    vector.scatter %m[%i, %j] [%vi], %vm, %v : memref<8x16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32>
    vector.scatter %m[%i, %j] [%vi], %vm, %v {alignment = 8 : i64} : memref<8x16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32>
    %r13 = vector.expandload %m[%i, %j], %vm, %v : memref<8x16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    %r14 = vector.expandload %m[%i, %j], %vm, %v {alignment = 8 : i64} : memref<8x16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    vector.compressstore %m[%i, %j], %vm, %v : memref<8x16xf32>, vector<16xi1>, vector<16xf32>
    %r15 = vector.transfer_read %m[%i, %j], %s : memref<8x16xf32>, vector<16xf32>
    %r16 = vector.transfer_read %m[%i, %j], %s {in_bounds = [true]} : memref<8x16xf32>, vector<16xf32>
    %r17 = vector.transfer_read %m[%i, %j], %s {in_bounds = [true, true]} : memref<8x16xf32>, vector<8x16xf32>
    %r18 = vector.transfer_read %m[%i, %j], %s, %vm {in_bounds = [true]} : memref<8x16xf32>, vector<16xf32>
    %r19 = vector.transfer_read %m[%i, %j], %s {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<8x16xf32>, vector<16x8xf32>
    %r20 = vector.transfer_read %m[%i, %j], %s {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (0, d1)>} : memref<8x16xf32>, vector<4x8xf32>
    %r21 = vector.transfer_read %t[%i, %j], %s : tensor<8x16xf32>, vector<16xf32>
    %r22 = vector.transfer_read %md[%i, %j], %s : memref<?x?xf32>, vector<[4]xf32>
    %r23 = vector.transfer_read %m[%i, %j], %s : memref<8x16xf32>, vector<f32>
    %r24 = vector.transfer_read %mv[%i], %v : memref<4xvector<16xf32>>, vector<4x16xf32>
    vector.transfer_write %v, %m[%i, %j] : vector<16xf32>, memref<8x16xf32>
    vector.transfer_write %v, %m[%i, %j] {in_bounds = [true]} : vector<16xf32>, memref<8x16xf32>
    vector.transfer_write %v, %m[%i, %j], %vm {in_bounds = [true]} : vector<16xf32>, memref<8x16xf32>
    vector.transfer_write %v2, %m[%i, %j] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<8x16xf32>, memref<8x16xf32>
    %r25 = vector.transfer_write %v, %t[%i, %j] : vector<16xf32>, tensor<8x16xf32>
    vector.transfer_write %v0, %m[%i, %j] : vector<f32>, memref<8x16xf32>
    %r26 = vector.type_cast %m : memref<8x16xf32> to memref<vector<8x16xf32>>
    return
  }
}

