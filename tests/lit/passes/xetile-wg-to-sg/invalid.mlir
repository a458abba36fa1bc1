// What cannot be distributed is refused where it stands.
// RUN: xegpu-opt %s -p xetile-wg-to-sg{target=pvc} --split-input-file --verify-diagnostics
#two = #xetile.wg_map<sg_layout = [2, 1], sg_data = [16, 32]>
#four = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
gpu.module @kernels {
  gpu.func @numbers(%x: memref<32x32xf32>) kernel {
    %t = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #two>>
    // expected-error@+1 {{expected all maps of a kernel to distribute over the same number of subgroups}}
    %u = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #four>>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @map_that_does_not_divide() kernel {
    // expected-error@+1 {{expected sg_data of map to divide the shape [32, 24], got [16, 16]}}
    %c = arith.constant {map = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>} dense<0.0> : vector<32x24xf32>
    gpu.return
  }
}

// -----

#two = #xetile.wg_map<sg_layout = [2, 1], sg_data = [16, 32]>
gpu.module @kernels {
  gpu.func @values_of_one_subgroup(%x: memref<32x32xf32>) kernel {
    %t = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #two>>
    %u = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32>
    // expected-note@+1 {{the value is defined here}}
    %v = xetile.load_tile %u : !xetile.tile<32x32xf32> -> vector<32x32xf32>
    // expected-error@+1 {{needs a value of the work-group, shared as 16x32 parts of 32x32}}
    xetile.store_tile %v, %t : vector<32x32xf32>, !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #two>>
    gpu.return
  }
}

// -----

#two = #xetile.wg_map<sg_layout = [2, 1], sg_data = [16, 32]>
gpu.module @kernels {
  gpu.func @elements(%x: memref<32x32xf32>) kernel {
    %t = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #two>>
    %v = xetile.load_tile %t : !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #two>> -> vector<32x32xf32>
    // expected-error@+1 {{cannot be distributed over the subgroups of a work-group, which share vector<32x32xf32>}}
    %e = vector.extract %v[3, 4] : f32 from vector<32x32xf32>
    gpu.return
  }
}

// -----

#columns = #xetile.wg_map<sg_layout = [1, 2], sg_data = [32, 16]>
gpu.module @kernels {
  gpu.func @shapes(%x: memref<32x32xf32>) kernel {
    %t = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #columns>>
    %v = xetile.load_tile %t : !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #columns>> -> vector<32x32xf32>
    // expected-error@+1 {{cannot be distributed over subgroups: 32x16 parts of 32x32 (subgroups: all, 2 by 1) has no corresponding parts as vector<1024xf32>}}
    %s = vector.shape_cast %v : vector<32x32xf32> to vector<1024xf32>
    gpu.return
  }
}

// -----

#two = #xetile.wg_map<sg_layout = [2, 1], sg_data = [32, 32]>
gpu.module @kernels {
  gpu.func @atomics(%x: memref<32x32xf32>) kernel {
    %t = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #two>>
    %v = xetile.load_tile %t : !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #two>> -> vector<32x32xf32>
    // expected-error@+1 {{would update elements several times: 2 subgroups share 32x32 parts of 32x32}}
    %o = xetile.atomic_rmw addf %v, %t : vector<32x32xf32>, !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #two>> -> vector<32x32xf32>
    gpu.return
  }
}

// -----

#from = #xetile.wg_map<sg_layout = [2, 1], sg_data = [16, 32]>
#to = #xetile.wg_map<sg_layout = [1, 2], sg_data = [32, 16]>
gpu.module @kernels {
  gpu.func @divergent(%x: memref<32x32xf32>) kernel {
    %c0 = arith.constant 0 : index
    // expected-note@+1 {{through this value}}
    %id = gpu.subgroup_id : index
    %first = arith.cmpi eq, %id, %c0 : index
    %t = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #from>>
    %u = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #to>>
    // expected-note@+1 {{control flow depends on the subgroup}}
    scf.if %first {
      %v = xetile.load_tile %t : !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #from>> -> vector<32x32xf32>
      // expected-error@+1 {{cannot move data between subgroups: some of them may not execute this operation}}
      %w = xetile.convert_layout %v {wg_map_result = #to} : vector<32x32xf32>
      xetile.store_tile %w, %u : vector<32x32xf32>, !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #to>>
    }
    gpu.return
  }
}

// -----

#thin = #xetile.wg_map<sg_layout = [2, 1], sg_data = [1, 1]>
gpu.module @kernels {
  gpu.func @parts(%x: memref<1000000x1000000xf32>) kernel {
    // expected-error@+1 {{gives each subgroup 250000 parts, expected at most 1024}}
    %t = xetile.init_tile %x[0, 0] : memref<1000000x1000000xf32> -> !xetile.tile<500000x500000xf32, #xetile.tile_attr<wg_map = #thin>>
    gpu.return
  }
}

// -----

#uneven = #xetile.wg_map<sg_layout = [2, 1], sg_data = [16, 16]>
gpu.module @kernels {
  gpu.func @uneven(%x: memref<48x16xf32>) kernel {
    %t = xetile.init_tile %x[0, 0] : memref<48x16xf32> -> !xetile.tile<48x16xf32, #xetile.tile_attr<wg_map = #uneven>>
    %v = xetile.load_tile %t : !xetile.tile<48x16xf32, #xetile.tile_attr<wg_map = #uneven>> -> vector<48x16xf32>
    // expected-error@+1 {{cannot combine over subgroups: some elements would be counted twice}}
    %s = xetile.reduction <add>, %v [0] : vector<48x16xf32> -> vector<1x16xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error@+1 {{argument #0 is a tile: expected tiles created in the kernel}}
  gpu.func @arguments(%t: !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = <sg_layout = [2, 1], sg_data = [16, 32]>>>) {
    xetile.prefetch_tile %t : !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = <sg_layout = [2, 1], sg_data = [16, 32]>>>
    gpu.return
  }
}

// -----

#two = #xetile.wg_map<sg_layout = [2, 1], sg_data = [16, 32]>
gpu.module @kernels {
  // expected-error@+1 {{argument #0 is a vector, which a work-group cannot share}}
  gpu.func @vectors(%v: vector<32x32xf32>, %x: memref<32x32xf32>) {
    %t = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #two>>
    xetile.store_tile %v, %t : vector<32x32xf32>, !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #two>>
    gpu.return
  }
}

// -----

#two = #xetile.wg_map<sg_layout = [2, 1], sg_data = [16, 32]>
gpu.module @kernels {
  // expected-error@+1 {{maps distribute over 2 subgroups, known_block_size [3, 1, 1] launches 3}}
  gpu.func @too_many(%x: memref<32x32xf32>) kernel attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 3, 1, 1>} {
    %t = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #two>>
    xetile.prefetch_tile %t : !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #two>>
    gpu.return
  }
}

// -----

#two = #xetile.wg_map<sg_layout = [2, 1], sg_data = [16, 32]>
gpu.module @kernels {
  // expected-error@+1 {{maps distribute over 2 subgroups of 16 work-items, known_block_size [16, 1, 1] launches 16}}
  gpu.func @too_few(%x: memref<32x32xf32>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>, known_block_size = array<i32: 16, 1, 1>} {
    %t = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #two>>
    xetile.prefetch_tile %t : !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #two>>
    gpu.return
  }
}
