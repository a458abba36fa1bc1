// RUN: XEGPU_CANONICAL
module {
  func.func @f(%i: i32) {
    scf.for unsigned %b = %i to %i step %i : i32 {
    }
    return
  }
}

