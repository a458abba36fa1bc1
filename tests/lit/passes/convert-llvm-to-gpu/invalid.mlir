// RUN: xegpu-opt %s -p convert-llvm-to-gpu --split-input-file --verify-diagnostics
gpu.module @m {
  llvm.func spir_kernelcc @assembly() attributes {gpu.kernel} {
    // expected-error @below {{'llvm.inline_asm' op is inline assembly, which is not supported in a kernel}}
    llvm.inline_asm has_side_effects "nop", "" : () -> ()
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.func spir_kernelcc @size(%n: i32) attributes {gpu.kernel} {
    // expected-error @below {{allocates memory of a size that is computed at run time}}
    %p = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.func @missing(i32) -> i32
  llvm.func spir_kernelcc @declared(%p: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel} {
    // expected-error @below {{calls 'missing', a function that is not supported in a kernel}}
    %x = llvm.call @missing(%n) : (i32) -> i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.func spir_kernelcc @descriptor(%s: !llvm.struct<(ptr<1>, ptr<1>, i64)>, %x: f32) attributes {gpu.kernel} {
    // expected-error @below {{casts !llvm.struct<(!llvm.ptr<1>, !llvm.ptr<1>, i64)> to memref<4xf32, 1 : i64>, which have no common form in LLVM IR}}
    %m = builtin.unrealized_conversion_cast %s : !llvm.struct<(ptr<1>, ptr<1>, i64)> to memref<4xf32, 1>
    %c0 = arith.constant 0 : index
    memref.store %x, %m[%c0] : memref<4xf32, 1>
    llvm.return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func spir_kernelcc @k(%p: !llvm.ptr<1>, %n: i64, %m: i64) attributes {gpu.kernel} {
      llvm.return
    }
  }
  func.func @main(%n: index, %a: memref<4xf32>) {
    // expected-error @below {{passes 1 arguments, whose parts are 5 values: the kernel @m::@k takes 3}}
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<4xf32>)
    return
  }
}
