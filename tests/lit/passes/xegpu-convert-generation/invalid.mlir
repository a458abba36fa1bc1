// RUN: xegpu-opt %s -p 'xegpu-convert-generation{target=pvc to=rfc}' --verify-diagnostics --split-input-file

gpu.module @m {
  gpu.func @k(%a: memref<64x64xf32>) kernel {
    // expected-error@+1 {{which distributes over subgroups: run xegpu-wg-to-sg-distribute before}}
    %t = xegpu.create_nd_tdesc %a : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32, #xegpu.layout<sg_layout = [4, 4], sg_data = [16, 16]>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%m: !xegpu.mem_desc<64x64xf16>, %s: memref<8192xi8, 3>) {
    // expected-error@+1 {{accesses a matrix that is not created in the kernel by xegpu.create_mem_desc}}
    %v = xegpu.load_matrix %m[0, 0] : !xegpu.mem_desc<64x64xf16> -> vector<8x16xf16>
    %o = xegpu.create_mem_desc %s : memref<8192xi8, 3> -> !xegpu.mem_desc<64x64xf16>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%s: memref<64x64xf16, 3>) kernel {
    // expected-error@+1 {{expected a contiguous memref of i8 and rank 1 as the memory of a matrix, got memref<64x64xf16, 3 : i64>}}
    %o = xegpu.create_mem_desc %s : memref<64x64xf16, 3> -> !xegpu.mem_desc<64x64xf16>
    %v = xegpu.load_matrix %o[0, 0] : !xegpu.mem_desc<64x64xf16> -> vector<8x16xf16>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%a: memref<64xf32>, %o: vector<64xindex>, %m: vector<64xi1>, %c: i1) kernel {
    %s = xegpu.create_tdesc %a, %o : memref<64xf32>, vector<64xindex> -> !xegpu.tensor_desc<64xf32, #xegpu.scatter_tdesc_attr<>>
    %t = scf.if %c -> !xegpu.tensor_desc<64xf32, #xegpu.scatter_tdesc_attr<>> {
      %u = xegpu.update_offset %s, %o : !xegpu.tensor_desc<64xf32, #xegpu.scatter_tdesc_attr<>>, vector<64xindex>
      scf.yield %u : !xegpu.tensor_desc<64xf32, #xegpu.scatter_tdesc_attr<>>
    } else {
      scf.yield %s : !xegpu.tensor_desc<64xf32, #xegpu.scatter_tdesc_attr<>>
    }
    // expected-error@+1 {{accesses !xegpu.tensor_desc<64xf32, #xegpu.scatter_tdesc_attr<>> through a descriptor that may be one or another: create it where the access is, or with at most 32 addresses and 512 bytes}}
    %v = xegpu.load %t, %m : !xegpu.tensor_desc<64xf32, #xegpu.scatter_tdesc_attr<>>, vector<64xi1> -> vector<64xf32>
    gpu.return
  }
}
