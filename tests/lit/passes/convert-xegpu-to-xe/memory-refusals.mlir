// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} --split-input-file --verify-diagnostics

gpu.module @m {
  gpu.func @size(%n: index) kernel {
    // expected-error@+1 {{'memref.alloc' op needs memory of a size that is known when the kernel is compiled, got memref<?xf32, 3}}
    %s = memref.alloc(%n) : memref<?xf32, 3>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @global() kernel {
    // expected-error@+1 {{'memref.alloc' op of type memref<4xf32> is not supported in a kernel, which can only allocate shared and private memory}}
    %s = memref.alloc() : memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @much() kernel {
    // expected-error@+1 {{'memref.alloc' op needs 131136 bytes of shared local memory of a work-group: pvc has 131072}}
    %s = memref.alloc() : memref<32769xf32, 3>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @free(%s: memref<4xf32>) kernel {
    // expected-error@+1 {{'memref.dealloc' op of memory that this kernel has not allocated is not supported}}
    memref.dealloc %s : memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @space() workgroup(%s : memref<4xf32, #gpu.address_space<workgroup>>) kernel {
    // expected-error@+1 {{'memref.memory_space_cast' op from memref<4xf32, #gpu.address_space<workgroup>> to memref<4xf32> is not supported: no address reaches both memories}}
    %g = memref.memory_space_cast %s : memref<4xf32, #gpu.address_space<workgroup>> to memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @bytes(%x: f32) kernel {
    %c0 = arith.constant 0 : index
    %p = memref.alloca() : memref<64xi8>
    // expected-error@+1 {{'memref.view' op of private memory is not supported: work-items share it element by element}}
    %v = memref.view %p[%c0][] : memref<64xi8> to memref<16xf32>
    memref.store %x, %v[%c0] : memref<16xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @barriers() kernel {
    // expected-error@+1 {{'xegpu.alloc_nbarrier' op asks for 33 barriers: pvc has 32}}
    xegpu.alloc_nbarrier 33
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @number(%n: i8) kernel {
    // expected-error@+1 {{'xegpu.init_nbarrier' op names a barrier that only the running kernel knows: xegpu.alloc_nbarrier comes first}}
    %b = xegpu.init_nbarrier %n, %n : i8, i8 -> !xegpu.nbarrier
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @lanes(%m: memref<4xf32>, %x: f32, %o: i32) kernel attributes {VectorComputeFunctionINTEL} {
    // expected-error@+1 {{'gpu.shuffle' op has no meaning in a kernel that works on whole subgroups}}
    %y, %valid = gpu.shuffle xor %x, %o, %o : f32
    gpu.return
  }
}

// -----

gpu.module @m {
  memref.global @outside : memref<4xf32>
  gpu.func @declared() kernel {
    // expected-error@+1 {{'memref.get_global' op of '@outside', which has no value in global memory, is not supported in a kernel}}
    %s = memref.get_global @outside : memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  memref.global @gaps : memref<4x4xf32, strided<[8, 1]>> = dense<1.0>
  gpu.func @strided() kernel {
    // expected-error@+1 {{'memref.get_global' op of '@gaps', which has no value in global memory, is not supported in a kernel}}
    %s = memref.get_global @gaps : memref<4x4xf32, strided<[8, 1]>>
    gpu.return
  }
}
