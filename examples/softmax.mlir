// Softmax over the rows of a matrix of any width: one work-group for each row, its work-items share the columns.
gpu.module @kernels {
  gpu.func @softmax(%x: memref<?x?xf32>, %y: memref<?x?xf32>) kernel {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant 0xFF800000 : f32
    %row = gpu.block_id x
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %columns = memref.dim %x, %c1 : memref<?x?xf32>
    %own_max = scf.for %j = %t to %columns step %size iter_args(%m = %lowest) -> (f32) {
      %v = memref.load %x[%row, %j] : memref<?x?xf32>
      %next = arith.maximumf %m, %v : f32
      scf.yield %next : f32
    }
    %max = gpu.all_reduce maximumf %own_max uniform {
    } : (f32) -> f32
    %own_sum = scf.for %j = %t to %columns step %size iter_args(%s = %zero) -> (f32) {
      %v = memref.load %x[%row, %j] : memref<?x?xf32>
      %d = arith.subf %v, %max : f32
      %e = math.exp %d : f32
      memref.store %e, %y[%row, %j] : memref<?x?xf32>
      %next = arith.addf %s, %e : f32
      scf.yield %next : f32
    }
    %sum = gpu.all_reduce add %own_sum uniform {
    } : (f32) -> f32
    scf.for %j = %t to %columns step %size {
      %e = memref.load %y[%row, %j] : memref<?x?xf32>
      %p = arith.divf %e, %sum : f32
      memref.store %p, %y[%row, %j] : memref<?x?xf32>
    }
    gpu.return
  }
}
