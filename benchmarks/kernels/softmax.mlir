// Softmax of rows of 1024 elements: a work-group of 256 a row, maximum and sum in trees in shared local memory.
!part = memref<256xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @softmax(%in: memref<?xf32>, %out: memref<?xf32>) workgroup(%part: !part)
      kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %c1024 = arith.constant 1024 : index
    %item = gpu.thread_id x
    %group = gpu.block_id x
    %first = arith.muli %group, %c1024 : index
    %p0 = arith.addi %first, %item : index
    %p1 = arith.addi %p0, %c256 : index
    %p2 = arith.addi %p1, %c256 : index
    %p3 = arith.addi %p2, %c256 : index
    %x0 = memref.load %in[%p0] : memref<?xf32>
    %x1 = memref.load %in[%p1] : memref<?xf32>
    %x2 = memref.load %in[%p2] : memref<?xf32>
    %x3 = memref.load %in[%p3] : memref<?xf32>
    %m01 = arith.maxnumf %x0, %x1 : f32
    %m23 = arith.maxnumf %x2, %x3 : f32
    %m = arith.maxnumf %m01, %m23 : f32
    memref.store %m, %part[%item] : !part
    gpu.barrier
    %after_max = scf.for %i = %c0 to %c8 step %c1 iter_args(%step = %c128) -> (index) {
      %active = arith.cmpi ult, %item, %step : index
      scf.if %active {
        %other = arith.addi %item, %step : index
        %a = memref.load %part[%item] : !part
        %b = memref.load %part[%other] : !part
        %both = arith.maxnumf %a, %b : f32
        memref.store %both, %part[%item] : !part
      }
      gpu.barrier
      %half = arith.divui %step, %c2 : index
      scf.yield %half : index
    }
    %largest = memref.load %part[%c0] : !part
    gpu.barrier
    %d0 = arith.subf %x0, %largest : f32
    %d1 = arith.subf %x1, %largest : f32
    %d2 = arith.subf %x2, %largest : f32
    %d3 = arith.subf %x3, %largest : f32
    %e0 = math.exp %d0 : f32
    %e1 = math.exp %d1 : f32
    %e2 = math.exp %d2 : f32
    %e3 = math.exp %d3 : f32
    %s01 = arith.addf %e0, %e1 : f32
    %s23 = arith.addf %e2, %e3 : f32
    %s = arith.addf %s01, %s23 : f32
    memref.store %s, %part[%item] : !part
    gpu.barrier
    %after_sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%step = %c128) -> (index) {
      %active = arith.cmpi ult, %item, %step : index
      scf.if %active {
        %other = arith.addi %item, %step : index
        %a = memref.load %part[%item] : !part
        %b = memref.load %part[%other] : !part
        %both = arith.addf %a, %b : f32
        memref.store %both, %part[%item] : !part
      }
      gpu.barrier
      %half = arith.divui %step, %c2 : index
      scf.yield %half : index
    }
    %sum = memref.load %part[%c0] : !part
    %y0 = arith.divf %e0, %sum : f32
    %y1 = arith.divf %e1, %sum : f32
    %y2 = arith.divf %e2, %sum : f32
    %y3 = arith.divf %e3, %sum : f32
    memref.store %y0, %out[%p0] : memref<?xf32>
    memref.store %y1, %out[%p1] : memref<?xf32>
    memref.store %y2, %out[%p2] : memref<?xf32>
    memref.store %y3, %out[%p3] : memref<?xf32>
    gpu.return
  }
}
