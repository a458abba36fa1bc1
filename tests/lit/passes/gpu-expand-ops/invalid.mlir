// RUN: xegpu-opt -p gpu-expand-ops --verify-diagnostics --split-input-file %s

gpu.module @m {
  gpu.func @copy(%m: memref<*xf32>, %n: memref<8xf32>) kernel {
    // expected-error @below {{'memref.copy' op of memref<*xf32> is not supported in a kernel: cast it to a ranked memref first}}
    memref.copy %m, %n : memref<*xf32> to memref<8xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @reshape(%m: memref<*xf32>, %n: memref<1xindex>) kernel {
    // expected-error @below {{'memref.reshape' op of memref<*xf32> is not supported in a kernel: cast it to a ranked memref first}}
    %v = memref.reshape %m(%n) : (memref<*xf32>, memref<1xindex>) -> memref<?xf32>
    gpu.return
  }
}
