// RUN: xegpu-opt %s -p convert-xegpu-to-xe --split-input-file --verify-diagnostics

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
