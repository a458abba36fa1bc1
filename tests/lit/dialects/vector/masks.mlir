// RUN: XEGPU_CANONICAL
module {
  func.func @f(%i: index, %j: index, %vm: vector<16xi1>, %v: vector<16xf32>, %m: memref<8x16xf32>, %s: f32) {
    %r0 = vector.constant_mask [4] : vector<16xi1>
    %r1 = vector.constant_mask [4, 8] : vector<4x[8]xi1>
    %r2 = vector.constant_mask [1] : vector<i1>
    %r3 = vector.create_mask %i, %j : vector<8x16xi1>
    %r4 = vector.create_mask %i : vector<[4]xi1>
    %r5 = vector.create_mask %i : vector<i1>
    %r6 = vector.mask %vm { %0 = vector.reduction <add>, %v : vector<16xf32> into f32 } : vector<16xi1> -> f32
    %r7 = vector.mask %vm, %v { %1 = vector.transfer_read %m[%i, %j], %s : memref<8x16xf32>, vector<16xf32> } : vector<16xi1> -> vector<16xf32>
    vector.mask %vm { vector.transfer_write %v, %m[%i, %j] : vector<16xf32>, memref<8x16xf32> } : vector<16xi1>
    vector.mask %vm { vector.yield } : vector<16xi1>
    return
  }
}

