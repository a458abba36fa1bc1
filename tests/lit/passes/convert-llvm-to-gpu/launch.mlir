// Kernels that upstream has lowered to the llvm dialect run with the host code that launches them: calls are inlined,
// builtins are read, and a buffer is passed as the parts of its descriptor.
// RUN: xegpu-run -q %s | filecheck %s
// RUN: xegpu-opt %s -p convert-llvm-to-gpu | filecheck %s --check-prefix=GPU
// CHECK: {{^}}3{{$}}
// CHECK-NEXT: {{^}}23000{{$}}
// GPU: llvm.mlir.global {{.*}} @table
// GPU: gpu.func @k(%a0: !llvm.ptr<1>, %a: !llvm.ptr<1>, %ao: i64
// GPU-SAME: spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>
// GPU-NOT: llvm.call
// GPU: gpu.block_id x
// GPU: memref.dim
// GPU: gpu.launch_func @m::@k {{.*}} !llvm.ptr<1>, %{{.*}} : !llvm.ptr<1>, %{{.*}} : i64
module attributes {gpu.container_module} {
  gpu.module @m [#xevm.target<chip = "pvc">] {
    llvm.func spir_funccc @_Z12get_group_idj(i32) -> i64 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, will_return}
    llvm.func spir_funccc @_Z12get_local_idj(i32) -> i64
    llvm.mlir.global internal constant @table(dense<[1, 10, 100, 1000]> : tensor<4xi32>) {addr_space = 2 : i32} : !llvm.array<4 x i32>
    llvm.func @weight(%i: i64) -> i32 {
      %c3 = llvm.mlir.constant(3 : i64) : i64
      %k = llvm.and %i, %c3 : i64
      %t = llvm.mlir.addressof @table : !llvm.ptr<2>
      %p = llvm.getelementptr inbounds %t[0, %k] : (!llvm.ptr<2>, i64) -> !llvm.ptr<2>, !llvm.array<4 x i32>
      %w = llvm.load %p {alignment = 4 : i64} : !llvm.ptr<2> -> i32
      llvm.return %w : i32
    }
    llvm.func spir_kernelcc @k(%a0: !llvm.ptr<1>, %a: !llvm.ptr<1>, %ao: i64, %an: i64, %as: i64, %b0: !llvm.ptr<1>, %b: !llvm.ptr<1>, %bo: i64, %bn: i64, %bs: i64, %x: i32) attributes {gpu.kernel, intel_reqd_sub_group_size = 16 : i32} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %g = llvm.call spir_funccc @_Z12get_group_idj(%c0) : (i32) -> i64
      %l = llvm.call spir_funccc @_Z12get_local_idj(%c0) : (i32) -> i64
      %c16 = llvm.mlir.constant(16 : i64) : i64
      %s = llvm.mul %g, %c16 overflow<nsw> : i64
      %i = llvm.add %s, %l : i64
      %in = llvm.icmp "slt" %i, %an : i64
      llvm.cond_br %in, ^work, ^end
    ^work:
      %pa = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
      %v = llvm.load %pa : !llvm.ptr<1> -> i32
      %w = llvm.call @weight(%i) : (i64) -> i32
      %m = llvm.intr.smax(%v, %x) : (i32, i32) -> i32
      %r = llvm.mul %m, %w : i32
      %pb = llvm.getelementptr %b[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
      llvm.store %r, %pb : i32, !llvm.ptr<1>
      llvm.br ^end
    ^end:
      llvm.return
    }
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c24 = arith.constant 24 : index
    %x = arith.constant 3 : i32
    %a = memref.alloc(%c24) : memref<?xi32>
    %b = memref.alloc() : memref<24xi32>
    %ua = memref.cast %a : memref<?xi32> to memref<*xi32>
    gpu.host_register %ua : memref<*xi32>
    %ub = memref.cast %b : memref<24xi32> to memref<*xi32>
    gpu.host_register %ub : memref<*xi32>
    scf.for %i = %c0 to %c24 step %c1 {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %a[%i] : memref<?xi32>
    }
    gpu.launch_func @m::@k blocks in (%c2, %c1, %c1) threads in (%c16, %c1, %c1) args(%a : memref<?xi32>, %b : memref<24xi32>, %x : i32)
    %low = memref.load %b[%c0] : memref<24xi32>
    vector.print %low : i32
    %c23 = arith.constant 23 : index
    %high = memref.load %b[%c23] : memref<24xi32>
    vector.print %high : i32
    return
  }
}
