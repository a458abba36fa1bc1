// RUN: XEGPU_CANONICAL
module {
  func.func @f(%w: i32, %sm: vector<[4]xi1>, %b: i1, %vi: vector<16xi32>, %h: f16, %vf8: vector<32xf8E4M3FN>, %s: f32, %v: vector<16xf32>, %i: index, %vx: vector<16xindex>, %mi1: memref<2xindex>, %t: tensor<8x16xf32>, %mi: memref<8x16xi32>) {
    %r0 = arith.extsi %w : i32 to i64
    %r1 = arith.extsi %sm : vector<[4]xi1> to vector<[4]xi32>
    %r2 = arith.extui %b : i1 to i32
    %r3 = arith.trunci %w : i32 to i8
    %r4 = arith.trunci %w overflow<nsw> : i32 to i8
    %r5 = arith.trunci %vi overflow<nsw,nuw> : vector<16xi32> to vector<16xi8>
    %r6 = arith.extf %h : f16 to f32
    %r7 = arith.extf %h fastmath<fast> : f16 to f32
    %r8 = arith.extf %vf8 : vector<32xf8E4M3FN> to vector<32xf32>
    %r9 = arith.truncf %s : f32 to bf16
    %r10 = arith.truncf %s to_nearest_even : f32 to f16
    %r11 = arith.truncf %s to_nearest_away : f32 to f16
    %r12 = arith.truncf %s fastmath<fast> : f32 to f16
    %r13 = arith.truncf %s downward fastmath<fast> : f32 to f16
    %r14 = arith.truncf %v : vector<16xf32> to vector<16xf8E5M2>
    %r15 = arith.sitofp %w : i32 to f32
    %r16 = arith.uitofp %vi : vector<16xi32> to vector<16xf32>
    %r17 = arith.fptosi %s : f32 to i32
    %r18 = arith.fptoui %s : f32 to i8
    %r19 = arith.index_cast %i : index to i32
    %r20 = arith.index_cast %vx : vector<16xindex> to vector<16xi32>
    %r21 = arith.index_cast %mi1 : memref<2xindex> to memref<2xi64>
    %r22 = arith.index_castui %i : index to i32
    %r23 = arith.bitcast %s : f32 to i32
    %r24 = arith.bitcast %v : vector<16xf32> to vector<16xi32>
    %r25 = arith.bitcast %t : tensor<8x16xf32> to tensor<8x16xi32>
    %r26 = arith.bitcast %mi : memref<8x16xi32> to memref<8x16xf32>
    return
  }
}

