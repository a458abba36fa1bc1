// RUN: XEGPU_CANONICAL
module {
  func.func @f(%v2: vector<8x16xf32>, %v0: vector<f32>, %sv2: vector<4x[8]xf32>, %s: f32, %sv: vector<[4]xf32>, %v1: vector<1xf32>, %v: vector<16xf32>, %i: index, %v8: vector<8xf32>) {
    %r0 = vector.shape_cast %v2 : vector<8x16xf32> to vector<128xf32>
    %r1 = vector.shape_cast %v0 : vector<f32> to vector<1xf32>
    %r2 = vector.shape_cast %sv2 : vector<4x[8]xf32> to vector<2x2x[8]xf32>
    %r3 = vector.broadcast %v0 : vector<f32> to vector<8x16xf32>
    %r4 = vector.broadcast %s : f32 to vector<[4]xf32>
    %r5 = vector.broadcast %sv : vector<[4]xf32> to vector<3x[4]xf32>
    %r6 = vector.broadcast %v1 : vector<1xf32> to vector<8x16xf32>
    %r7 = vector.transpose %sv2, [1, 0] : vector<4x[8]xf32> to vector<[8]x4xf32>
    %r8 = vector.transpose %v0, [] : vector<f32> to vector<f32>
    %r9 = vector.bitcast %v : vector<16xf32> to vector<32xf16>
    %r10 = vector.bitcast %sv : vector<[4]xf32> to vector<[8]xf16>
    %r11 = vector.bitcast %v0 : vector<f32> to vector<i32>
    %r12 = vector.extract %v2[3] : vector<16xf32> from vector<8x16xf32>
    %r13 = vector.extract %v0[] : f32 from vector<f32>
    %r14 = vector.extract %sv2[1] : vector<[8]xf32> from vector<4x[8]xf32>
    %r15 = vector.insert %s, %v0 [] : f32 into vector<f32>
    %r16 = vector.insert %v, %v2 [%i] : vector<16xf32> into vector<8x16xf32>
    %r17 = vector.shuffle %v, %v [0, 5, 31] : vector<16xf32>, vector<16xf32>
    %r18 = vector.shuffle %v2, %v2 [0, 5, 15] : vector<8x16xf32>, vector<8x16xf32>
    %r19 = vector.shuffle %v, %v [0, -1, 31] : vector<16xf32>, vector<16xf32>
    %r20 = vector.shuffle %v0, %v0 [0, 1] : vector<f32>, vector<f32>
    %r21 = vector.interleave %v, %v : vector<16xf32> -> vector<32xf32>
    %r22 = vector.interleave %v2, %v2 : vector<8x16xf32> -> vector<8x32xf32>
    %r23 = vector.interleave %v0, %v0 : vector<f32> -> vector<2xf32>
    %r24 = vector.interleave %sv, %sv : vector<[4]xf32> -> vector<[8]xf32>
    %r25, %r26 = vector.deinterleave %v : vector<16xf32> -> vector<8xf32>
    %r27, %r28 = vector.deinterleave %v2 : vector<8x16xf32> -> vector<8x8xf32>
    %r29 = vector.extract_strided_slice %v2 {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]} : vector<8x16xf32> to vector<2x4xf32>
    %r30 = vector.extract_strided_slice %v2 {offsets = [0], sizes = [2], strides = [1]} : vector<8x16xf32> to vector<2x16xf32>
    %r31 = vector.extract_strided_slice %sv2 {offsets = [0], sizes = [2], strides = [1]} : vector<4x[8]xf32> to vector<2x[8]xf32>
    %r32 = vector.insert_strided_slice %v8, %v2 {offsets = [0, 2], strides = [1]} : vector<8xf32> into vector<8x16xf32>
    return
  }
}

