// RUN: XEGPU_CANONICAL
module {
  func.func @f(%m1: memref<64xf32>, %i: index, %m1s: memref<64xf32, 1>, %tag: memref<1xi32>, %j: index, %k: index) {
    memref.dma_start %m1[%i], %m1s[%i], %i, %tag[%i] : memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
    memref.dma_start %m1[%i], %m1s[%i], %i, %tag[%i], %j, %k : memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
    memref.dma_wait %tag[%i], %j : memref<1xi32>
    return
  }
}

