// RUN: XEGPU_CANONICAL
module {
  func.func @named(%id: i8, %n: i8) {
    xegpu.alloc_nbarrier 8
    xegpu.alloc_nbarrier 4 {note}
    %nb = xegpu.init_nbarrier %id, %n : i8, i8 -> !xegpu.nbarrier
    xegpu.nbarrier_arrive %nb : !xegpu.nbarrier
    xegpu.nbarrier_wait %nb {note} : !xegpu.nbarrier
    return
  }
}

