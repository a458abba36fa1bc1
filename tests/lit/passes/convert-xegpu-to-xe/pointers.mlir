// RUN: xegpu-opt %s -p convert-xegpu-to-xe | filecheck %s

// Memory behind pointers of the llvm dialect: the address space names the memory, generic pointers are traced.
gpu.module @m {
  llvm.mlir.global internal constant @table(dense<1> : tensor<16xi8>) {addr_space = 2 : i32} : !llvm.array<16 x i8>
  llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<16 x i32>

  // CHECK-LABEL: xe.kernel @uniform
  gpu.func @uniform(%p: !llvm.ptr<1>, %s: !llvm.struct<(i8, f32)>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    // CHECK: xe.symbol_address @table
    // CHECK: xe.load{{.*}}size = d32, vector = 3
    %t = llvm.mlir.addressof @table : !llvm.ptr<2>
    %x = llvm.load %t {alignment = 4 : i64} : !llvm.ptr<2> -> vector<3xi32>
    %f = llvm.extractvalue %s[1] : !llvm.struct<(i8, f32)>
    // CHECK: xe.store{{.*}}size = d32
    llvm.store %f, %p : f32, !llvm.ptr<1>
    gpu.return
  }

  // Where several memories are possible, the tag of the pointer decides for each lane.
  // CHECK-LABEL: xe.kernel @generic
  gpu.func @generic(%p: !llvm.ptr<1>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.thread_id x
    %n = arith.index_cast %i : index to i64
    %c = arith.constant 3 : i64
    %odd = arith.cmpi ult, %n, %c : i64
    %l = llvm.mlir.addressof @shared : !llvm.ptr<3>
    %a = llvm.addrspacecast %l : !llvm.ptr<3> to !llvm.ptr<4>
    // CHECK: xe.store{{.*}}unit = slm
    llvm.store %n, %a : i64, !llvm.ptr<4>
    %b = llvm.addrspacecast %p : !llvm.ptr<1> to !llvm.ptr<4>
    %either = arith.select %odd, %a, %b : !llvm.ptr<4>
    // CHECK: xe.shr
    // CHECK: xe.load{{.*}}unit = ugm
    // CHECK: xe.load{{.*}}unit = slm
    %x = llvm.load %either {alignment = 1 : i64} : !llvm.ptr<4> -> i16
    gpu.return
  }
}
