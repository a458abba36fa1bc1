// RUN: XEGPU_CANONICAL
module {
  func.func @f(%v: vector<16xf32>, %v0: vector<f32>, %va: vector<4x8xf32>, %vb: vector<8x16xf32>, %vc: vector<4x16xf32>, %s: f32, %v8: vector<8xf32>, %v2: vector<8x16xf32>, %sv: vector<[4]xf32>) {
    %r0 = vector.fma %v, %v, %v : vector<16xf32>
    %r1 = vector.fma %v0, %v0, %v0 : vector<f32>
    %r2 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %va, %vb, %vc : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32>
    %r3 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %v, %v, %s : vector<16xf32>, vector<16xf32> into f32
    %r4 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<maxnumf>} %v, %v, %s {foo} : vector<16xf32>, vector<16xf32> into f32
    %r5 = vector.contract {fastmath = #arith.fastmath<fast>, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %va, %vb, %vc : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32>
    %r6 = vector.outerproduct %v8, %v : vector<8xf32>, vector<16xf32>
    %r7 = vector.outerproduct %v8, %v, %v2 {kind = #vector.kind<add>} : vector<8xf32>, vector<16xf32>
    %r8 = vector.outerproduct %v8, %v, %v2 {kind = #vector.kind<maxnumf>} : vector<8xf32>, vector<16xf32>
    %r9 = vector.outerproduct %v8, %s : vector<8xf32>, f32
    %r10 = vector.outerproduct %v8, %s, %v8 {kind = #vector.kind<add>} : vector<8xf32>, f32
    %r11 = vector.outerproduct %v8, %sv : vector<8xf32>, vector<[4]xf32>
    return
  }
}

