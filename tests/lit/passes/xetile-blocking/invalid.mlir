// RUN: xegpu-opt %s -p xetile-blocking{target=pvc} --split-input-file --verify-diagnostics

gpu.module @m {
  gpu.func @depth(%a: vector<8x24xf16>, %b: vector<24x16xf16>) kernel {
    // expected-error@+1 {{'xetile.tile_mma' op multiplies 8x24 by 24x16 elements of f16: pvc needs a multiple of 16 along K and of 16 along N}}
    %c = xetile.tile_mma %a, %b : vector<8x24xf16>, vector<24x16xf16> -> vector<8x16xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @work_group(%x: memref<64x64xf32>) kernel {
    // expected-error@+1 {{'xetile.init_tile' op works on a whole work-group: run xetile-wg-to-sg first}}
    %t = xetile.init_tile %x[0, 0] : memref<64x64xf32> -> !xetile.tile<64x64xf32, #xetile.tile_attr<wg_map = <sg_layout = [2, 2], sg_data = [32, 32]>>>
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op argument #0 is a tile: expected tiles created in the kernel}}
  gpu.func @argument(%t: !xetile.tile<8x16xf32>) kernel {
    xetile.prefetch_tile %t : !xetile.tile<8x16xf32>
    gpu.return
  }
}

// -----

func.func @host(%x: memref<64x64xf32>) {
  // expected-error@+1 {{'xetile.init_tile' op is outside of a gpu.func: expected a kernel}}
  %t = xetile.init_tile %x[0, 0] : memref<64x64xf32> -> !xetile.tile<8x16xf32>
  return
}

// -----

gpu.module @m {
  gpu.func @huge(%x: memref<64x64xf32>) kernel {
    // expected-error@+1 {{'xetile.init_tile' op has a !xetile.tile<1000000x1000000xf32> of 1000000000000 elements: a subgroup of pvc holds 262144 bytes besides its registers}}
    %t = xetile.init_tile %x[0, 0] : memref<64x64xf32> -> !xetile.tile<1000000x1000000xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @prime(%x: memref<64x64xf32>) kernel {
    // expected-error@+1 {{'xetile.init_tile' op divides !xetile.tile<1x104729xf32> into 104729 blocks of 1x1: expected at most 4096}}
    %t = xetile.init_tile %x[0, 0] : memref<64x64xf32> -> !xetile.tile<1x104729xf32>
    xetile.prefetch_tile %t : !xetile.tile<1x104729xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @choice(%x: memref<64x64xf32>, %c: i1) kernel {
    %t = xetile.init_tile %x[0, 0] : memref<64x64xf32> -> !xetile.tile<8x16xf32>
    %u = xetile.init_tile %x[8, 0] : memref<64x64xf32> -> !xetile.tile<8x16xf32>
    // expected-error@+1 {{'arith.select' op uses or returns a !xetile.tile<8x16xf32>: only operations of XeTile and control flow have blocks}}
    %s = arith.select %c, %t, %u : !xetile.tile<8x16xf32>
    xetile.prefetch_tile %s : !xetile.tile<8x16xf32>
    gpu.return
  }
}
