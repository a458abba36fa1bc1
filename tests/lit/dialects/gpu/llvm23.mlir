// RUN: XEGPU_CANONICAL
module {
  gpu.module @k {
    gpu.func @f(%p: i1) {
      %g = gpu.ballot %p : i32
      %h = gpu.ballot %p {a} : i16
      gpu.return
    }
  }
}

