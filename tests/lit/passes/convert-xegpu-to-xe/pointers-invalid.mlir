// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} --split-input-file --verify-diagnostics

gpu.module @m {
  gpu.func @k(%p: !llvm.ptr<1>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    // expected-error@+1 {{from !llvm.ptr<1> to !llvm.ptr<3> is not supported: the spaces have nothing in common}}
    %q = llvm.addrspacecast %p : !llvm.ptr<1> to !llvm.ptr<3>
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{kernel argument 'p' of type !llvm.ptr cannot be passed}}
  gpu.func @k(%p: !llvm.ptr) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%p: !llvm.ptr<1>, %n: i32) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    // expected-error@+1 {{needs memory of a size that is known when the kernel is compiled}}
    %a = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%p: !llvm.ptr<1>, %n: i32) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    // expected-error@+1 {{by 'uinc_wrap' is not supported in a kernel}}
    %a = llvm.atomicrmw uinc_wrap %p, %n monotonic : !llvm.ptr<1>, i32
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%p: !llvm.ptr<1>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    // expected-error@+1 {{has alignment 3: expected a power of 2}}
    %a = llvm.load %p {alignment = 3 : i64} : !llvm.ptr<1> -> i32
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{refers to @nowhere, which is no 'llvm.mlir.global' of the module}}
  llvm.mlir.global external @rows() {addr_space = 1 : i32} : !llvm.ptr<1> {
    %a = llvm.mlir.addressof @nowhere : !llvm.ptr<1>
    llvm.return %a : !llvm.ptr<1>
  }
  gpu.func @k(%p: !llvm.ptr<1>) kernel {
    %r = llvm.mlir.addressof @rows : !llvm.ptr<1>
    %x = llvm.load %r : !llvm.ptr<1> -> i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{has both an initial value and a region that computes one}}
  llvm.mlir.global external @rows(0 : i64) {addr_space = 1 : i32} : !llvm.ptr<1> {
    %a = llvm.mlir.zero : !llvm.ptr<1>
    llvm.return %a : !llvm.ptr<1>
  }
  gpu.func @k(%p: !llvm.ptr<1>) kernel {
    %r = llvm.mlir.addressof @rows : !llvm.ptr<1>
    %x = llvm.load %r : !llvm.ptr<1> -> i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{has a region that computes no constant of type !llvm.ptr<1> for a loader}}
  llvm.mlir.global external @rows() {addr_space = 1 : i32} : !llvm.ptr<1> {
    llvm.return
  }
  gpu.func @k(%p: !llvm.ptr<1>) kernel {
    %r = llvm.mlir.addressof @rows : !llvm.ptr<1>
    %x = llvm.load %r : !llvm.ptr<1> -> i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}

// -----

gpu.module @m {
  llvm.mlir.global internal @rows() {addr_space = 3 : i32} : i32
  gpu.func @k(%p: !llvm.ptr<1>) kernel {
    // expected-error@+1 {{points to address space 1, but @rows lies in space 3}}
    %r = llvm.mlir.addressof @rows : !llvm.ptr<1>
    %x = llvm.load %r : !llvm.ptr<1> -> i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}
