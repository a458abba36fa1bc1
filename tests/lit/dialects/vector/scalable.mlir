// RUN: XEGPU_CANONICAL
module {
  func.func @f(%v4: vector<4xf32>, %sv: vector<[4]xf32>) {
    %r0 = vector.scalable.insert %v4, %sv[0] : vector<4xf32> into vector<[4]xf32>
    %r1 = vector.scalable.extract %sv[0] : vector<4xf32> from vector<[4]xf32>
    %r2 = vector.vscale
    return
  }
}

