// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s
// RUN: xegpu-opt %s -p 'xe-pipeline{target=pvc}' -t xe-asm | filecheck %s --check-prefix=ASM

gpu.module @m {
  // CHECK: memref.global "private" constant @table
  memref.global "private" constant @table : memref<4x8xf32> = dense<1.0>
  memref.global @count : memref<i32> = uninitialized

  // ASM: mov (1|M0) r{{[0-9]+}}.0<1>:uq 0x0:uq
  // ASM: load.ugm.d32.a64
  gpu.func @read(%o: memref<8xf32>) kernel {
    // CHECK: %[[TABLE:.*]] = xe.symbol_address @table : !xe.grf<8, 8>
    %t = memref.get_global @table : memref<4x8xf32>
    // CHECK: %[[COUNT:.*]] = xe.symbol_address @count : !xe.grf<8, 8>
    %c = memref.get_global @count : memref<i32>
    %i = gpu.thread_id x
    // CHECK: xe.add(%[[COUNT]]
    %n = memref.load %c[] : memref<i32>
    %r = arith.index_cast %n : i32 to index
    %v = memref.load %t[%r, %i] : memref<4x8xf32>
    memref.store %v, %o[%i] : memref<8xf32>
    gpu.return
  }
}
