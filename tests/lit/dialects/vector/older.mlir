// RUN: XEGPU_CANONICAL
module {
  func.func @f(%v: vector<16xf32>, %v0: vector<f32>, %s: f32, %i: index, %w: i32) {
    %0 = vector.extractelement %v[%i : index] : vector<16xf32>
    %1 = vector.extractelement %v[%w : i32] : vector<16xf32>
    %2 = vector.extractelement %v0[] : vector<f32>
    %3 = vector.insertelement %s, %v[%i : index] : vector<16xf32>
    %4 = vector.insertelement %s, %v0[] : vector<f32>
    return
  }
}

