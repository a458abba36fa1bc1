// RUN: xegpu-opt %s --split-input-file --verify-diagnostics --convert-xegpu-to-xe=target=arc

gpu.module @kernels {
  gpu.func @divergent(%a: !image.surface<image1d, readonly>, %b: !image.surface<image1d, readonly>, %out: !image.surface<image1d, writeonly>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %id = gpu.thread_id x
    %x = arith.index_cast %id : index to i32
    %c = arith.trunci %x : i32 to i1
    %either = arith.select %c, %a, %b : !image.surface<image1d, readonly>
    // expected-error@+1 {{'image.read' op needs an operand that is the same in all work-items of a subgroup}}
    %t = image.read %either[%x] : !image.surface<image1d, readonly> -> vector<4xf32>
    image.write %t, %out[%x] : vector<4xf32>, !image.surface<image1d, writeonly>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @chosen(%a: !image.surface<image1d, readonly>, %b: !image.surface<image1d, readonly>, %c: i1, %out: memref<1xi32>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %either = arith.select %c, %a, %b : !image.surface<image1d, readonly>
    // expected-error@+1 {{'image.query' op needs an image that is an argument of the kernel}}
    %w = image.query "width" of %either : !image.surface<image1d, readonly>
    %i = arith.constant 0 : index
    memref.store %w, %out[%i] : memref<1xi32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error@+1 {{'gpu.func' op uses 17 samplers: arc has 16}}
  gpu.func @many(%s0: !image.sampler, %s1: !image.sampler, %s2: !image.sampler, %s3: !image.sampler, %s4: !image.sampler, %s5: !image.sampler, %s6: !image.sampler, %s7: !image.sampler, %s8: !image.sampler, %s9: !image.sampler, %s10: !image.sampler, %s11: !image.sampler, %s12: !image.sampler, %s13: !image.sampler, %s14: !image.sampler, %s15: !image.sampler) kernel {
    %own = image.constant_sampler "none", "nearest"
    gpu.return
  }
}
