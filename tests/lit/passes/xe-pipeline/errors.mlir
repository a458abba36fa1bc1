// RUN: xegpu-opt %s -p 'xe-pipeline{target=arc}' --split-input-file --verify-diagnostics
// RUN: not xegpu-opt %s -p 'xe-pipeline{target=moon}' --split-input-file 2>&1 | filecheck %s

// CHECK: error: {{.*}}unknown target 'moon', expected one of: pvc, arc

// Each pass of the pipeline reports for itself: the target's rules come first.
gpu.module @m {
  gpu.func @types(%a: memref<8x8xtf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %a[0, 0] : memref<8x8xtf32> -> !xegpu.tensor_desc<8x8xtf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x8xtf32> -> vector<8x8xtf32>
    // expected-error@+1 {{'xegpu.dpas' op multiplies tf32, which the matrix engine of arc does not support}}
    %c = xegpu.dpas %v, %v : vector<8x8xtf32>, vector<8x8xtf32> -> vector<8x8xf32>
    gpu.return
  }
}

// -----

// Then distribution.
#a = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 2]>
#b = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [2, 1]>
gpu.module @m {
  gpu.func @product(%x: memref<8x32xf16>, %y: memref<32x8xf16>) kernel {
    %s = xegpu.create_nd_tdesc %x[0, 0] : memref<8x32xf16> -> !xegpu.tensor_desc<8x32xf16, #a>
    %t = xegpu.create_nd_tdesc %y[0, 0] : memref<32x8xf16> -> !xegpu.tensor_desc<32x8xf16, #b>
    %v = xegpu.load_nd %s : !xegpu.tensor_desc<8x32xf16, #a> -> vector<8x32xf16>
    %w = xegpu.load_nd %t <{packed}> : !xegpu.tensor_desc<32x8xf16, #b> -> vector<16x8x2xf16>
    // expected-error@+1 {{'xegpu.dpas' op multiplies 8x32 by 32x8: work-items of arc share only products of 16 along K and 8 along N}}
    %r = xegpu.dpas %v, %w : vector<8x32xf16>, vector<16x8x2xf16> -> vector<8x8xf32>
    gpu.return
  }
}

// -----

// Then the conversion to instructions; folding and merging before it keep places.
gpu.module @m {
  gpu.func @wait() kernel {
    // expected-error@+1 {{'gpu.wait' op is not supported in a kernel}}
    gpu.wait
    gpu.return
  }
}

// -----

// Then allocation, at the kernel: private memory leaves little of the scratch space for what is spilled.
gpu.module @m {
  // expected-error@+1 {{spills more than the 2112 bytes of scratch space left per thread of arc}}
  gpu.func @large(%a: memref<4096xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %p = memref.alloca() : memref<65000xf32>
    %v = vector.load %a[%c0] : memref<4096xf32>, vector<4096xf32>
    vector.store %v, %p[%c0] : memref<65000xf32>, vector<4096xf32>
    vector.store %v, %a[%c0] : memref<4096xf32>, vector<4096xf32>
    gpu.return
  }
}

// -----

// Messages name what the user has written before what it has become.
gpu.module @m {
  gpu.func @matrix(%c: i1, %v: vector<8x16xf32>) kernel attributes {intel_reqd_sub_group_size = 16 : i32} {
    %c0 = arith.constant 0 : index
    %slm = memref.alloca() : memref<512xi8, 3>
    %matrix = xegpu.create_mem_desc %slm : memref<512xi8, 3> -> !xegpu.mem_desc<8x16xf32>
    %x = gpu.thread_id x
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      // expected-error@+1 {{'xegpu.store_matrix' op (as 'xegpu.store_nd') is done by all work-items of a subgroup together}}
      xegpu.store_matrix %v, %matrix[%c0, %c0] : vector<8x16xf32>, !xegpu.mem_desc<8x16xf32>, index, index
    }
    gpu.return
  }
}
