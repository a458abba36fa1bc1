// RUN: xegpu-opt %s -p xetile-blockop-fallback{target=pvc} --split-input-file --verify-diagnostics

gpu.module @m {
  gpu.func @k(%a: memref<32x20xf16>, %b: memref<32x20xf16>, %p: i1) kernel {
    %t = scf.if %p -> (!xetile.tile<4x8xf16>) {
      %x = xetile.init_tile %a[0, 0] : memref<32x20xf16> -> !xetile.tile<4x8xf16>
      scf.yield %x : !xetile.tile<4x8xf16>
    } else {
      // expected-note@+1 {{another location}}
      %y = xetile.init_tile %b[0, 0] : memref<32x20xf16> -> !xetile.tile<4x8xf16>
      scf.yield %y : !xetile.tile<4x8xf16>
    }
    // expected-error@+1 {{accesses a tile that may have several locations in memory, which is not supported}}
    %v = xetile.load_tile %t : !xetile.tile<4x8xf16> -> vector<4x8xf16>
    gpu.return
  }
}
