// RUN: XEGPU_CANONICAL
module {
  func.func @k(%p: !llvm.ptr<1>, %v: vector<2xi32>) {
    %0 = xevm.blockload %p <{cache_control = #xevm.load_cache_control<Use_Default>}> : (!llvm.ptr<1>) -> vector<2xi32>
    xevm.blockstore %p, %v <{cache_control = #xevm.store_cache_control<Use_Default>}> : (!llvm.ptr<1>, vector<2xi32>)
    return
  }
}

