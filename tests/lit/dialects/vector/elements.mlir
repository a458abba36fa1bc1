// RUN: XEGPU_CANONICAL
module {
  func.func @f(%s: f32, %v0: vector<f32>) {
    %r0 = vector.from_elements %s, %s : vector<2xf32>
    %r1 = vector.from_elements %s : vector<f32>
    %r2 = vector.to_elements %v0 : vector<f32>
    %r3 = vector.step : vector<16xindex>
    %r4 = vector.step : vector<[4]xindex>
    return
  }
}

