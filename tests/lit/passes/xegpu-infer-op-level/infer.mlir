// RUN: xegpu-opt %s -p xegpu-infer-op-level | filecheck %s

gpu.module @m {
  // LLVM 22: 16 work-items in a subgroup, or as many as the kernel says.
  // CHECK-LABEL: gpu.func @newer
  // CHECK-SAME: spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>
  gpu.func @newer(%a: memref<64x64xf32>) kernel {
    %t = xegpu.create_nd_tdesc %a : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @wide
  // CHECK-SAME: spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 32>
  gpu.func @wide(%a: memref<64x64xf32>) kernel attributes {intel_reqd_sub_group_size = 32 : i32} {
    %t = xegpu.create_nd_tdesc %a : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }

  // Nothing in it is of LLVM 22 alone, but it says how many work-items a subgroup has.
  // CHECK-LABEL: gpu.func @required
  // CHECK-SAME: spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>
  gpu.func @required(%a: memref<64xf32>, %o: vector<16xindex>) kernel attributes {intel_reqd_sub_group_size = 16 : i32} {
    %t = xegpu.create_tdesc %a, %o : memref<64xf32>, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
    gpu.return
  }

  // What a kernel says itself stays.
  // CHECK-LABEL: gpu.func @stated
  // CHECK-NOT: spirv.entry_point_abi
  gpu.func @stated(%a: memref<64x64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %a : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }

  // The RFC.
  // CHECK-LABEL: gpu.func @older
  // CHECK-NOT: spirv.entry_point_abi
  gpu.func @older(%a: memref<64x64xf32>) kernel {
    %t = xegpu.create_nd_tdesc %a[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}

// Nothing in a kernel that upstream has lowered tells its level, but the chip of XeVM does.
gpu.module @xevm [#xevm.target<chip = "pvc">] {
  // CHECK-LABEL: gpu.func @lanes
  // CHECK-SAME: spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>
  gpu.func @lanes(%p: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %v = llvm.load %p : !llvm.ptr<1> -> vector<4xf32>
    gpu.return
  }

  // Maps are the RFC's, whatever the chip is called.
  // CHECK-LABEL: gpu.func @mapped
  // CHECK-NOT: spirv.entry_point_abi
  gpu.func @mapped(%a: memref<64x64xf32>) kernel {
    %t = xegpu.create_nd_tdesc %a[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
    gpu.return
  }
}
