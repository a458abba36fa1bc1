// Sums of 4096 elements each: a work-group of 256 adds 16 a work-item, then in a tree in shared local memory.
gpu.module @kernels {
  gpu.func @reduction(%in: memref<?xf32>, %out: memref<?xf32>)
      workgroup(%part: memref<256xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %c4096 = arith.constant 4096 : index
    %zero = arith.constant 0.0 : f32
    %item = gpu.thread_id x
    %group = gpu.block_id x
    %first = arith.muli %group, %c4096 : index
    %start = arith.addi %first, %item : index
    %sum = scf.for %i = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> (f32) {
      %offset = arith.muli %i, %c256 : index
      %place = arith.addi %start, %offset : index
      %value = memref.load %in[%place] : memref<?xf32>
      %next = arith.addf %acc, %value : f32
      scf.yield %next : f32
    }
    memref.store %sum, %part[%item] : memref<256xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%step = %c128) -> (index) {
      %active = arith.cmpi ult, %item, %step : index
      scf.if %active {
        %other = arith.addi %item, %step : index
        %a = memref.load %part[%item] : memref<256xf32, #gpu.address_space<workgroup>>
        %b = memref.load %part[%other] : memref<256xf32, #gpu.address_space<workgroup>>
        %both = arith.addf %a, %b : f32
        memref.store %both, %part[%item] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %half = arith.divui %step, %c2 : index
      scf.yield %half : index
    }
    %is_first = arith.cmpi eq, %item, %c0 : index
    scf.if %is_first {
      %total = memref.load %part[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
      memref.store %total, %out[%group] : memref<?xf32>
    }
    gpu.return
  }
}
