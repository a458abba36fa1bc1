// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} --split-input-file --verify-diagnostics

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op kernel argument 'v' of type vector<8xi1> cannot be passed}}
  gpu.func @argument(%v: vector<8xi1>) kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @operation(%m: memref<4xf32>, %i: index) kernel {
    // expected-error@+1 {{'memref.copy' op is not supported in a kernel}}
    memref.copy %m, %m : memref<4xf32> to memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @dimension(%m: memref<?xf32>, %s: f32) kernel {
    %i = gpu.thread_id x
    // expected-error@+1 {{'memref.dim' op needs an operand that is the same in all work-items of a subgroup}}
    %d = memref.dim %m, %i : memref<?xf32>
    memref.store %s, %m[%d] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op subgroup size 8 is not one of pvc's: 16, 32}}
  gpu.func @size(%m: memref<16xf32>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 8>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @large(%m: memref<64x64xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<1000x1000xf32>
    // expected-error@+1 {{'xegpu.load_nd' op needs 4000000 bytes for vector<1000x1000xf32>: a thread of pvc has 262144 besides its registers; use smaller vectors}}
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<1000x1000xf32> -> vector<1000x1000xf32>
    xegpu.store_nd %v, %t : vector<1000x1000xf32>, !xegpu.tensor_desc<1000x1000xf32>
    gpu.return
  }
}
