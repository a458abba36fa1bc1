// A sum by halves in local memory that belongs to the function, with a barrier between the steps.
gpu.module @kernels {
  gpu.func @sum(%x: memref<?xf32>, %sums: memref<?xf32>) workgroup(%partial : memref<256xf32, #gpu.address_space<workgroup>>) private(%scratch : memref<4xf32, #gpu.address_space<private>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c128 = arith.constant 128 : index
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %i = gpu.global_id x
    %mine = memref.load %x[%i] : memref<?xf32>
    memref.store %mine, %partial[%thread] : memref<256xf32, #gpu.address_space<workgroup>>
    memref.store %mine, %scratch[%c0] : memref<4xf32, #gpu.address_space<private>>
    gpu.barrier
    %last = scf.for %step = %c0 to %c8 step %c1 iter_args(%half = %c128) -> (index) {
      %active = arith.cmpi ult, %thread, %half : index
      scf.if %active {
        %j = arith.addi %thread, %half : index
        %a = memref.load %partial[%thread] : memref<256xf32, #gpu.address_space<workgroup>>
        %b = memref.load %partial[%j] : memref<256xf32, #gpu.address_space<workgroup>>
        %c = arith.addf %a, %b : f32
        memref.store %c, %partial[%thread] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %next = arith.shrui %half, %c1 : index
      scf.yield %next : index
    }
    %is_first = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_first {
      %total = memref.load %partial[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
      memref.store %total, %sums[%block] : memref<?xf32>
    }
    gpu.return
  }
}
