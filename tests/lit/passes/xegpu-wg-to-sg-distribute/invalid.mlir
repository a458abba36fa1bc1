// RUN: xegpu-opt %s -p xegpu-wg-to-sg-distribute{target=pvc} --split-input-file --verify-diagnostics

gpu.module @kernels {
  gpu.func @blocks(%x: memref<24xf32>) kernel {
    %v = arith.constant dense<1.0> : vector<24xf32>
    %t = xegpu.create_nd_tdesc %x : memref<24xf32> -> !xegpu.tensor_desc<24xf32>
    // expected-error @+1 {{cannot distribute the shape [24] using #xegpu.layout<sg_layout = [4], sg_data = [16]>: 24 elements over 4 subgroups in blocks of 16}}
    xegpu.store_nd %v, %t[0] <{layout = #xegpu.layout<sg_layout = [4], sg_data = [16]>}> : vector<24xf32>, !xegpu.tensor_desc<24xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @rank(%x: memref<32xf32>) kernel {
    %v = arith.constant dense<1.0> : vector<32xf32>
    %t = xegpu.create_nd_tdesc %x : memref<32xf32> -> !xegpu.tensor_desc<32xf32>
    // expected-error @+1 {{expected a layout of rank 1 for the shape [32], got #xegpu.layout<sg_layout = [2, 2]>}}
    xegpu.store_nd %v, %t[0] <{layout = #xegpu.layout<sg_layout = [2, 2]>}> : vector<32xf32>, !xegpu.tensor_desc<32xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{layouts distribute over 4 subgroups of 16 work-items, known_block_size [32, 1, 1] launches 32}}
  gpu.func @size(%x: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %v = arith.constant dense<1.0> : vector<32xf32>
    %t = xegpu.create_nd_tdesc %x : memref<32xf32> -> !xegpu.tensor_desc<32xf32>
    xegpu.store_nd %v, %t[0] <{layout = #xegpu.layout<sg_layout = [4]>}> : vector<32xf32>, !xegpu.tensor_desc<32xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @range(%x: memref<32xf32>, %c: i1) kernel {
    scf.if %c {
      %v = arith.constant dense<1.0> : vector<32xf32>
      %t = xegpu.create_nd_tdesc %x : memref<32xf32> -> !xegpu.tensor_desc<32xf32>
      // expected-error @+1 {{#xegpu.layout<sg_layout = [4]> distributes over 4 subgroups, but sg_id_range names 2 of them}}
      xegpu.store_nd %v, %t[0] <{layout = #xegpu.layout<sg_layout = [4]>}> : vector<32xf32>, !xegpu.tensor_desc<32xf32>
    } {sg_id_range = #xegpu.range<[1, 3]>}
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @transposed(%x: memref<32x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %x : memref<32x16xf32> -> !xegpu.tensor_desc<32x16xf32>
    // expected-error @+1 {{cannot be distributed over subgroups: expected a value like the block !xegpu.tensor_desc<32x16xf32>, neither packed nor transposed, got vector<16x32xf32>}}
    %v = xegpu.load_nd %t[0, 0] <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<32x16xf32> -> vector<16x32xf32>
    %u = xegpu.create_nd_tdesc %x : memref<32x16xf32> -> !xegpu.tensor_desc<16x32xf32>
    xegpu.store_nd %v, %u[0, 0] <{layout = #xegpu.layout<sg_layout = [2, 2]>}> : vector<16x32xf32>, !xegpu.tensor_desc<16x32xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @divergent(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
    // expected-note @+1 {{through this value}}
    %id = gpu.subgroup_id : index
    %c1 = arith.constant 1 : index
    %is = arith.cmpi ult, %id, %c1 : index
    %t = xegpu.create_nd_tdesc %x : memref<32xf32> -> !xegpu.tensor_desc<32xf32>
    // expected-note @+1 {{control flow depends on the subgroup}}
    scf.if %is {
      %v = xegpu.load_nd %t[0] <{layout = #xegpu.layout<sg_layout = [4]>}> : !xegpu.tensor_desc<32xf32> -> vector<32xf32>
      // expected-error @+1 {{cannot move data between subgroups: some of them may not execute this operation}}
      %w = xegpu.convert_layout %v <{input_layout = #xegpu.layout<sg_layout = [4]>, target_layout = #xegpu.layout<sg_layout = [2]>}> : vector<32xf32>
      xegpu.store_nd %w, %t[0] <{layout = #xegpu.layout<sg_layout = [2]>}> : vector<32xf32>, !xegpu.tensor_desc<32xf32>
    }
    gpu.return
  }
}
