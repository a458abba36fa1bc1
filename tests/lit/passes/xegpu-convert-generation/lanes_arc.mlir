// RUN: xegpu-opt %s -p 'xegpu-convert-generation{target=arc}' --verify-diagnostics --split-input-file

// Kernels of lanes are written for subgroups of 16, those of whole subgroups for any.

gpu.module @m {
  gpu.func @block(%a: memref<8x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %a : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{'xegpu.load_nd' op is an access of a lane in a subgroup of 16, a subgroup of arc has 8: write the kernel for whole subgroups, or compile it for another GPU}}
    %v = xegpu.load_nd %t[%c0, %c0] : !xegpu.tensor_desc<8x16xf32> -> vector<8xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @gather(%a: memref<64xf32>) kernel {
    %i = gpu.lane_id
    %m = arith.constant true
    // expected-error@+1 {{'xegpu.load' op is an access of a lane in a subgroup of 16}}
    %v = xegpu.load %a[%i], %m : memref<64xf32>, index, i1 -> f32
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @subgroup(%a: memref<8x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %a : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %c0 = arith.constant 0 : index
    %v = xegpu.load_nd %t[%c0, %c0] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    xegpu.store_nd %v, %t[%c0, %c0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
