// RUN: xegpu-opt %S/Inputs/kernel.spvasm | filecheck %s
// RUN: xegpu-opt --import-spirv - < %S/Inputs/kernel.spvasm | filecheck %s
// RUN: xegpu-opt --print-import %S/Inputs/kernel.spvasm 2>&1 | filecheck %s --check-prefix=STAGES
// RUN: xegpu-opt %S/../../../corpus/spirv/vector_add.ocloc.spv --target pvc -t xe-asm | filecheck %s --check-prefix=ASM
// RUN: not xegpu-opt --import-spirv %s 2>&1 | filecheck %s --check-prefix=ERROR
// RUN: grep -v OpStore %S/Inputs/kernel.spvasm | grep -v OpMemoryModel | not xegpu-opt 2>&1 | filecheck %s --check-prefix=MODEL

// SPIR-V in text, or in words, becomes a kernel of work-items.
// CHECK: gpu.func @k(%{{.*}}: !llvm.ptr<1>) kernel
// CHECK-SAME: known_block_size = array<i32: 16, 1, 1>
// CHECK: gpu.global_id x
// CHECK: llvm.store

// STAGES: // -----// SPIR-V //----- //
// STAGES: OpEntryPoint Kernel %{{.*}} "k"
// STAGES: // -----// LLVM IR //----- //
// STAGES: define spir_kernel void @k(
// STAGES: // -----// optimised LLVM IR //----- //
// STAGES: define spir_kernel void @k(
// STAGES: gpu.func @k

// ASM: // kernel vector_add
// ASM: store.ugm

// ERROR: import-spirv.mlir:1:1: error: is no SPIR-V: '//' is no instruction of SPIR-V
// MODEL: <stdin>:1:1: error: word 0: the module has no OpMemoryModel
