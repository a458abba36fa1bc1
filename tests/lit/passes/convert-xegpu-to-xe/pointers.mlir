// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

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

  // What is constant about an address is part of the message; addresses in local memory have 32 bits.
  // CHECK-LABEL: xe.kernel @distances
  gpu.func @distances(%p: !llvm.ptr<1>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.thread_id x
    %n = arith.index_cast %i : index to i64
    %l = llvm.mlir.addressof @shared : !llvm.ptr<3>
    %a = llvm.getelementptr %l[%n] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
    %b = llvm.getelementptr %a[12] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    // CHECK: xe.mul{{.*}}write = #xe.write<ud>
    // CHECK: xe.load{{.*}}unit = slm{{.*}}offset = 12
    %x = llvm.load %b : !llvm.ptr<3> -> i32
    %q = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %r = llvm.getelementptr %q[-20] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    // CHECK: xe.store{{.*}}unit = ugm{{.*}}offset = -20
    llvm.store %x, %r : i32, !llvm.ptr<1>
    gpu.return
  }

  // Messages add to 32 bits without wrapping around, so that an index that may be negative takes an addition.
  // CHECK-LABEL: xe.kernel @negative
  gpu.func @negative(%p: !llvm.ptr<1>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.thread_id x
    %n = arith.index_cast %i : index to i64
    %one = arith.constant 1 : i64
    %m = arith.subi %n, %one : i64
    %l = llvm.mlir.addressof @shared : !llvm.ptr<3>
    %a = llvm.getelementptr %l[%m] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
    %b = llvm.getelementptr %a[12] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    // CHECK-NOT: offset =
    // CHECK: xe.eot
    %x = llvm.load %b : !llvm.ptr<3> -> i32
    gpu.return
  }
}
