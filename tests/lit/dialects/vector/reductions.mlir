// RUN: XEGPU_CANONICAL
module {
  func.func @f(%v: vector<16xf32>, %s: f32, %vi: vector<16xi32>, %w: i32, %v0: vector<f32>, %sv: vector<[4]xf32>, %v2: vector<8x16xf32>, %v8: vector<8xf32>) {
    %r0 = vector.reduction <add>, %v : vector<16xf32> into f32
    %r1 = vector.reduction <add>, %v, %s fastmath<reassoc> : vector<16xf32> into f32
    %r2 = vector.reduction <minsi>, %vi : vector<16xi32> into i32
    %r3 = vector.reduction <xor>, %vi, %w : vector<16xi32> into i32
    %r4 = vector.reduction <maxnumf>, %v0 : vector<f32> into f32
    %r5 = vector.reduction <add>, %sv : vector<[4]xf32> into f32
    %r6 = vector.multi_reduction <add>, %v2, %v8 [1] : vector<8x16xf32> to vector<8xf32>
    %r7 = vector.multi_reduction <mul>, %v2, %s [0, 1] : vector<8x16xf32> to f32
    %r8, %r9 = vector.scan <add>, %v2, %v {inclusive = true, reduction_dim = 0 : i64} : vector<8x16xf32>, vector<16xf32>
    %r10, %r11 = vector.scan <add>, %v, %v0 {inclusive = false, reduction_dim = 0 : i64} : vector<16xf32>, vector<f32>
    return
  }
}

