// RUN: xegpu-opt %s -p xetile-init-duplicate --split-input-file --verify-diagnostics

gpu.module @m {
  // expected-error@+1 {{argument #0 is a tile: expected tiles created in the kernel}}
  gpu.func @k(%t: !xetile.tile<8x16xf32>) {
    gpu.return
  }
}
