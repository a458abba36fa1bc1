// RUN: xegpu-opt %s -p xetile-canonicalization --verify-diagnostics

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op argument #0 is a tile: expected tiles created in the kernel}}
  gpu.func @argument(%t: !xetile.tile<8x16xf32>) kernel {
    xetile.prefetch_tile %t : !xetile.tile<8x16xf32>
    gpu.return
  }
}
