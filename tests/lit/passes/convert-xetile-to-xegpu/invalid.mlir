// RUN: xegpu-opt %s -p convert-xetile-to-xegpu{target=pvc} --split-input-file --verify-diagnostics

gpu.module @m {
  // expected-error@+1 {{argument #0 is a tile: expected tiles created in the kernel}}
  gpu.func @k(%t: !xetile.tile<8x16xf32>) {
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%a: memref<64x64xf32>) kernel {
    // expected-error@+1 {{works on a whole work-group: run xetile-wg-to-sg first}}
    %t = xetile.init_tile %a[0, 0] : memref<64x64xf32> -> !xetile.tile<64x64xf32, #xetile.tile_attr<wg_map = <sg_layout = [4, 4], sg_data = [16, 16]>>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%x: vector<64x64xf32>) {
    // expected-error@+1 {{works on a whole work-group: run xetile-wg-to-sg first}}
    %y = xetile.convert_layout %x {wg_map_result = #xetile.wg_map<sg_layout = [4, 4], sg_data = [16, 16]>} : vector<64x64xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%a: vector<16x16xf16>, %b: vector<16x16xf16>) {
    // expected-error@+1 {{works on a whole work-group: run xetile-wg-to-sg first}}
    %y = xetile.tile_mma %a, %b {wg_map_a = #xetile.wg_map<sg_layout = [1, 1], sg_data = [16, 16]>} : vector<16x16xf16>, vector<16x16xf16> -> vector<16x16xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%a: memref<64x64xindex>) kernel {
    // expected-error@+1 {{descriptors do not support elements of type index}}
    %t = xetile.init_tile %a[0, 0] : memref<64x64xindex> -> !xetile.tile<8x16xindex>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%a: memref<64x64xf32, 5>) kernel {
    // expected-error@+1 {{expected global (0) or shared local memory (3)}}
    %t = xetile.init_tile %a[0, 0] : memref<64x64xf32, 5> -> !xetile.tile<8x16xf32, #xetile.tile_attr<memory_space = 5 : i32>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%a: memref<64x64xf32>, %p: i1) kernel {
    %t = xetile.init_tile %a[0, 0] : memref<64x64xf32> -> !xetile.tile<8x16xf32>
    %u = xetile.init_tile %a[8, 0] : memref<64x64xf32> -> !xetile.tile<8x16xf32>
    // expected-error@+1 {{cannot be lowered: it uses or returns a !xetile.tile<8x16xf32>}}
    %s = arith.select %p, %t, %u : !xetile.tile<8x16xf32>
    gpu.return
  }
}

// -----

// A block that may lie in one of two buffers can be described, but not placed.
gpu.module @m {
  gpu.func @k(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %p: i1) kernel {
    %t = scf.if %p -> (!xetile.tile<8x16xf32>) {
      %x = xetile.init_tile %a[0, 0] : memref<64x64xf32> -> !xetile.tile<8x16xf32>
      scf.yield %x : !xetile.tile<8x16xf32>
    } else {
      // expected-note@+1 {{another location}}
      %y = xetile.init_tile %b[0, 0] : memref<64x64xf32> -> !xetile.tile<8x16xf32>
      scf.yield %y : !xetile.tile<8x16xf32>
    }
    // expected-error@+1 {{accesses a tile that may have several locations in memory, which is not supported}}
    %v = xetile.load_tile %t {padding = 1.0 : f32} : !xetile.tile<8x16xf32> -> vector<8x16xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%a: memref<?x64xf32>, %n: index, %p: i1) kernel {
    %t = scf.execute_region -> (!xetile.tile<8x16xf32>) {
      // expected-note@+1 {{the value is defined here}}
      %h = arith.addi %n, %n : index
      %x = xetile.init_tile %a[0, 0], [%h, 64], [64, 1] : memref<?x64xf32> -> !xetile.tile<8x16xf32>
      scf.yield %x : !xetile.tile<8x16xf32>
    }
    // expected-error@+1 {{accesses a tile that depends on a value of type index, which is not visible here}}
    %v = xetile.load_tile %t {padding = 1.0 : f32} : !xetile.tile<8x16xf32> -> vector<8x16xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%a: memref<64x64xi32, strided<[64, 1], offset: ?>>, %v: vector<1x16xi32>) kernel {
    %t = xetile.init_tile %a[0, 0] : memref<64x64xi32, strided<[64, 1], offset: ?>> -> !xetile.tile<1x16xi32>
    // expected-error@+1 {{whose offset is not known at compile time}}
    %old = xetile.atomic_rmw addi %v, %t : vector<1x16xi32>, !xetile.tile<1x16xi32> -> vector<1x16xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%x: vector<4x1000000000xf32>) {
    // expected-error@+1 {{has a vector<4x1000000000xf32> of 4000000000 elements: a subgroup of pvc holds 262144 bytes besides its registers}}
    %r = xetile.reduction <add>, %x [0] : vector<4x1000000000xf32> -> vector<1x1000000000xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%v: vector<65536x1xi32>) {
    %slm = memref.alloc() : memref<65536x1xi32, 3>
    %t = xetile.init_tile %slm[0, 0] : memref<65536x1xi32, 3> -> !xetile.tile<65536x1xi32, #xetile.tile_attr<memory_space = 3 : i32>>
    // expected-error@+1 {{takes 65536 accesses: expected at most 4096}}
    %old = xetile.atomic_rmw addi %v, %t : vector<65536x1xi32>, !xetile.tile<65536x1xi32, #xetile.tile_attr<memory_space = 3 : i32>> -> vector<65536x1xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%a: memref<64x64xf32, strided<[1, 64]>>) kernel {
    // expected-error@+1 {{column-major tiles do not support an sg_map}}
    %t = xetile.init_tile %a[0, 0] : memref<64x64xf32, strided<[1, 64]>> -> !xetile.tile<8x16xf32, #xetile.tile_attr<sg_map = <wi_layout = [1, 16], wi_data = [1, 1]>, order = [0, 1]>>
    gpu.return
  }
}
