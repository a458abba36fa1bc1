// RUN: XEGPU_CANONICAL
module {
  func.func @f(%v: vector<16xf32>, %s: f32, %w: i32, %i: index) {
    vector.print %v : vector<16xf32>
    vector.print %s : f32
    vector.print %w : i32
    vector.print %v : vector<16xf32> punctuation <comma>
    vector.print
    vector.print punctuation <open>
    vector.print str "hello"
    vector.print %i : index
    return
  }
}

