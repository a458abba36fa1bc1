// RUN: xegpu-opt %S/Inputs/kernel.ll | filecheck %s
// RUN: xegpu-opt --import-llvm %S/Inputs/kernel.ll --target pvc -t xe-asm | filecheck %s --check-prefix=ASM
// RUN: not xegpu-opt --import-llvm %s 2>&1 | filecheck %s --check-prefix=ERROR

// LLVM IR becomes a kernel of work-items, with memory behind pointers.
// CHECK: llvm.mlir.global internal constant @table(dense<{{.*}}> : tensor<8xi8>) {{.*}}addr_space = 2 : i32
// CHECK: llvm.mlir.global internal @shared() {{.*}}addr_space = 3 : i32
// CHECK: gpu.func @k(%out: !llvm.ptr<1>, %p: !llvm.struct<(f32, i32)>, %v: vector<4xf32>) kernel
// CHECK-SAME: known_block_size = array<i32: 16, 1, 1>
// CHECK-SAME: spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>
// CHECK: llvm.extractvalue %p[0]
// CHECK: gpu.global_id x
// CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<2>, i64) -> !llvm.ptr<2>, i32
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<2> -> f32
// CHECK: llvm.atomicrmw add {{.*}} monotonic : !llvm.ptr<3>, i32
// CHECK: gpu.barrier
// CHECK: math.exp
// CHECK: cf.switch
// CHECK: vector.extract %v[2] : f32 from vector<4xf32>
// CHECK: math.fma
// CHECK: gpu.return

// ASM: atomic_iadd.slm

// ERROR: import-llvm.mlir:{{[0-9]+}}:1: error: is no LLVM IR: expected top-level entity
