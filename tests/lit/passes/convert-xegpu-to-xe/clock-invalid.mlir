// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} --split-input-file --verify-diagnostics

gpu.module @m {
  gpu.func @k() kernel {
    // expected-error@+1 {{calls 'llvm.returnaddress', which kernels have no instruction for}}
    %a = llvm.call_intrinsic "llvm.returnaddress"() : () -> i64
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k() kernel {
    // expected-error@+1 {{reads the clock as another function than () -> i64}}
    %a = llvm.call_intrinsic "llvm.readcyclecounter"() : () -> i32
    gpu.return
  }
}
