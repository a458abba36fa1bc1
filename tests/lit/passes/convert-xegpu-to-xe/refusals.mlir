// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} --split-input-file --verify-diagnostics

// Arguments.
gpu.module @m {
  // expected-error@+1 {{'gpu.func' op kernel argument 'm' of type memref<4xf32, 5}}
  gpu.func @local(%m: memref<4xf32, 5>) kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op kernel argument 'm' of type memref<4x4xf32, affine_map<(d0, d1) -> ((d0 mod 2), d1)>> cannot be passed}}
  gpu.func @layout(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d0 mod 2, d1)>>) kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op kernel argument 'n' of type i7 cannot be passed}}
  gpu.func @width(%n: i7) kernel {
    gpu.return
  }
}

// -----

// Operations of other kinds.
gpu.module @m {
  gpu.func @size(%m: memref<8xindex>, %i: index) kernel {
    // expected-error@+1 {{'vector.vscale' op is not supported in a kernel}}
    %s = vector.vscale
    memref.store %s, %m[%i] : memref<8xindex>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @print(%x: f32) kernel {
    // expected-error@+1 {{'gpu.printf' op prints a value of type f32 where its format has an integer}}
    gpu.printf "%d", %x : f32
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @print(%x: f32) kernel {
    // expected-error@+1 {{'gpu.printf' op has a format for 2 values, but prints 1}}
    gpu.printf "%% %f %d", %x : f32
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @print(%x: i32) kernel {
    // expected-error@+1 {{'gpu.printf' op has a format that is not supported in a kernel: '%s' is no directive for a number: expected one of d, i, u, o, x, X, c, p, f, F, e, E, g, G, a, A}}
    gpu.printf "%s", %x : i32
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @print(%x: i32) kernel {
    // expected-error@+1 {{'gpu.printf' op has a format that is not supported in a kernel: '%9999d' is wider than 512 characters}}
    gpu.printf "%9999d", %x : i32
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @print(%x: i128) kernel {
    // expected-error@+1 {{'gpu.printf' op prints a value of type i128, which is not supported in a kernel}}
    gpu.printf "%d", %x : i128
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @print(%x: si32) kernel {
    // expected-error@+1 {{'gpu.printf' op prints a value of type si32, which is not supported in a kernel}}
    gpu.printf "%d", %x : si32
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @print() kernel attributes {VectorComputeFunctionINTEL} {
    %v = arith.constant dense<0.0> : vector<20x20xf32>
    // expected-error@+1 {{'vector.print' op prints vector<20x20xf32>: up to 256 elements are supported in a kernel}}
    vector.print %v : vector<20x20xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @wide(%m: memref<4xi32>, %n: i32) kernel {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{'arith.extsi' op has a result of type i33, which registers do not hold}}
    %w = arith.extsi %n : i32 to i33
    %t = arith.trunci %w : i33 to i32
    memref.store %t, %m[%c0] : memref<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @constant(%m: memref<4xi32>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{'arith.constant' op of type i128 is not supported in a kernel}}
    %c = arith.constant 1 : i128
    %t = arith.trunci %c : i128 to i32
    memref.store %t, %m[%c0] : memref<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @lane(%m: memref<64xindex>) kernel attributes {VectorComputeFunctionINTEL} {
    // expected-error@+1 {{'gpu.lane_id' op has no meaning in a kernel that works on whole subgroups}}
    %l = gpu.lane_id
    memref.store %l, %m[%l] : memref<64xindex>
    gpu.return
  }
}

// -----

// Descriptors.
gpu.module @m {
  gpu.func @place(%m: memref<64x64xf32>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.thread_id x
    // expected-error@+1 {{'xegpu.create_nd_tdesc' op needs an operand that is the same in all work-items of a subgroup}}
    %t = xegpu.create_nd_tdesc %m[0, %i] : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    xegpu.prefetch_nd %t : !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}

// -----

#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @part(%m: memref<8x16xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #row>
    // expected-error@+1 {{'xegpu.load_nd' op has a work-item's part of a tile, vector<8x1xf32>, in a kernel that works on whole subgroups}}
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32, #row> -> vector<8x1xf32>
    xegpu.store_nd %v, %t : vector<8x1xf32>, !xegpu.tensor_desc<8x16xf32, #row>
    gpu.return
  }
}

// -----

#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @lanes(%m: memref<8x16xf32>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 32>} {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #row>
    // expected-error@+1 {{'xegpu.load_nd' op has an sg_map of 16 lanes in a kernel with subgroups of 32}}
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32, #row> -> vector<8x1xf32>
    xegpu.store_nd %v, %t : vector<8x1xf32>, !xegpu.tensor_desc<8x16xf32, #row>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @prefetch(%m: memref<64x64xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<1000x1000xf32>
    // expected-error@+1 {{'xegpu.prefetch_nd' op reads more than the 262144 bytes that pvc can load}}
    xegpu.prefetch_nd %t : !xegpu.tensor_desc<1000x1000xf32>
    gpu.return
  }
}

// -----

// Products.
gpu.module @m {
  gpu.func @product(%m: memref<64x64xf16>, %n: memref<64x64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %ta = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16>
    %tb = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf16> -> !xegpu.tensor_desc<16x8xf16>
    %tc = xegpu.create_nd_tdesc %n[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<8x8xf32>
    %a = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
    %b = xegpu.load_nd %tb : !xegpu.tensor_desc<16x8xf16> -> vector<16x8xf16>
    // expected-error@+1 {{'xegpu.dpas' op multiplies 8x16 by 16x8 elements of f16: pvc needs a multiple of 16 along K and of 16 along N}}
    %c = xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x8xf16> -> vector<8x8xf32>
    xegpu.store_nd %c, %tc : vector<8x8xf32>, !xegpu.tensor_desc<8x8xf32>
    gpu.return
  }
}

// -----

// Vectors.
gpu.module @m {
  gpu.func @position(%m: memref<16xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %t = xegpu.create_nd_tdesc %m[0] : memref<16xf32> -> !xegpu.tensor_desc<16xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    %c16 = arith.constant 16 : index
    // expected-error@+1 {{'vector.extract' op names position [16] of a vector of shape [16]}}
    %x = vector.extract %v[%c16] : f32 from vector<16xf32>
    memref.store %x, %m[%c0] : memref<16xf32>
    gpu.return
  }
}

// -----

// Vectors in memory.
gpu.module @m {
  gpu.func @bits(%m: memref<16xi1>, %w: memref<16xi8>, %i: index) kernel attributes {VectorComputeFunctionINTEL} {
    // expected-error@+1 {{'vector.load' op of i1 elements is not supported}}
    %v = vector.load %m[%i] : memref<16xi1>, vector<16xi1>
    %x = arith.extui %v : vector<16xi1> to vector<16xi8>
    vector.store %x, %w[%i] : memref<16xi8>, vector<16xi8>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @wider(%m: memref<16xf32>, %x: f64, %i: index) kernel attributes {VectorComputeFunctionINTEL} {
    %v = vector.broadcast %x : f64 to vector<4xf64>
    // expected-error@+1 {{'vector.transfer_write' op of vector<4xf64> in memref<16xf32> is not supported: their elements differ}}
    vector.transfer_write %v, %m[%i] : vector<4xf64>, memref<16xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @compressed(%m: memref<16xf32>, %k: i1, %x: f32, %i: index) kernel attributes {VectorComputeFunctionINTEL} {
    %v = vector.broadcast %x : f32 to vector<4x4xf32>
    %p = vector.broadcast %k : i1 to vector<4x4xi1>
    // expected-error@+1 {{'vector.compressstore' op of vector<4x4xf32> is not supported: it needs a vector of one dimension}}
    vector.compressstore %m[%i], %p, %v : memref<16xf32>, vector<4x4xi1>, vector<4x4xf32>
    gpu.return
  }
}
