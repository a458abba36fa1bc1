// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} --split-input-file --verify-diagnostics

gpu.module @m {
  gpu.func @types(%p: !llvm.ptr<1>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %a = llvm.load %p : !llvm.ptr<1> -> vector<8xi16>
    %b = llvm.load %p : !llvm.ptr<1> -> vector<8xi32>
    %i = gpu.lane_id
    %l = arith.index_cast %i : index to i32
    // expected-error @below {{is not supported: dpas: pvc has no matrix product of ub (A) and bf (B)}}
    %0 = xevm.mma %a, %b {shape = <m = 8, n = 16, k = 32>, types = <d = s32, a = u8, b = bf16>} : (vector<8xi16>, vector<8xi32>) -> vector<8xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @depth(%p: !llvm.ptr<1>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %a = llvm.load %p : !llvm.ptr<1> -> vector<8xi16>
    %b = llvm.load %p : !llvm.ptr<1> -> vector<8xi32>
    %i = gpu.lane_id
    %l = arith.index_cast %i : index to i32
    // expected-error @below {{multiplies 8x64 by 64x16 elements in subgroups of 16: pvc multiplies up to 8 rows of 32 s8 by 32x16 s4, in subgroups of 16}}
    %0 = xevm.mma %a, %b {shape = <m = 8, n = 16, k = 64>, types = <d = s32, a = s8, b = s4>} : (vector<8xi16>, vector<8xi32>) -> vector<8xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @small(%p: !llvm.ptr<1>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %a = llvm.load %p : !llvm.ptr<1> -> vector<4xi16>
    %b = llvm.load %p : !llvm.ptr<1> -> vector<8xi32>
    %i = gpu.lane_id
    %l = arith.index_cast %i : index to i32
    // expected-error @below {{has 128 bytes in A, and 128 elements of hf take 256}}
    %0 = xevm.mma %a, %b {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16>} : (vector<4xi16>, vector<8xi32>) -> vector<8xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @result(%p: !llvm.ptr<1>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %a = llvm.load %p : !llvm.ptr<1> -> vector<8xi16>
    %b = llvm.load %p : !llvm.ptr<1> -> vector<8xi32>
    %i = gpu.lane_id
    %l = arith.index_cast %i : index to i32
    // expected-error @below {{gives 8x16 elements of f32, which 16 lanes do not hold as vector<4xf32>}}
    %0 = xevm.mma %a, %b {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16>} : (vector<8xi16>, vector<8xi32>) -> vector<4xf32>
    gpu.return
  }
}
