// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// What the lanes hold are the registers of one instruction; factors may have other signs and sizes than each other.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @k
  gpu.func @k(%p: !llvm.ptr<1>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.lane_id
    %l = arith.index_cast %i : index to i32
    %pa = llvm.getelementptr %p[%l] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<8xi16>
    %a = llvm.load %pa : !llvm.ptr<1> -> vector<8xi16>
    %pb = llvm.getelementptr %p[%l] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<8xi32>
    %b = llvm.load %pb : !llvm.ptr<1> -> vector<8xi32>
    // CHECK: xe.dpas(%{{.*}}, %{{.*}} : !xe.grf<512, 64>, !xe.grf<256, 64>) {exec_size = 16 : i32, reads = [#xe.read<d>, #xe.read<b>, #xe.read<ub>], repeat = 8 : i32, write = #xe.write<d>} -> !xe.grf<512, 64>
    %0 = xevm.mma %a, %b {shape = <m = 8, n = 16, k = 32>, types = <d = s32, a = u8, b = s8>} : (vector<8xi16>, vector<8xi32>) -> vector<8xi32>
    // CHECK: xe.dpas acc %{{.*}} {{.*}}reads = [#xe.read<d>, #xe.read<s4>, #xe.read<u4>], repeat = 8 : i32
    %1 = xevm.mma %a, %b, %0 {shape = <m = 8, n = 16, k = 64>, types = <d = s32, a = u4, b = s4, c = s32>} : (vector<8xi16>, vector<8xi32>, vector<8xi32>) -> vector<8xi32>
    llvm.store %1, %pb : vector<8xi32>, !llvm.ptr<1>
    // CHECK: xe.dpas({{.*}}reads = [#xe.read<f>, #xe.read<hf>, #xe.read<hf>], repeat = 8 : i32, write = #xe.write<f>
    %2 = xevm.mma %a, %b {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16>} : (vector<8xi16>, vector<8xi32>) -> vector<8xf32>
    llvm.store %2, %pb : vector<8xf32>, !llvm.ptr<1>
    gpu.return
  }
}
