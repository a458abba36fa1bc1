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

// -----

gpu.module @m {
  gpu.func @shared() kernel {
    // expected-error @below {{'scf.forall' op has a mapping in a kernel: let mlir-opt share the iterations first}}
    scf.forall (%i) in (8) {
    } {mapping = [#gpu.thread<x>]}
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @reduced(%x: i32) kernel {
    // expected-error @below {{'affine.parallel' op cannot reduce i32 by "addf"}}
    %r = affine.parallel (%i) = (0) to (8) reduce ("addf") -> i32 {
      affine.yield %x : i32
    }
    gpu.return
  }
}
