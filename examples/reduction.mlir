// The sum of a buffer: work-groups of any size take part, each adds its own sum to the result.
gpu.module @kernels {
  gpu.func @reduction(%x: memref<?xf32>, %sum: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %n = memref.dim %x, %c0 : memref<?xf32>
    %start = gpu.global_id x
    %group = gpu.block_dim x
    %groups = gpu.grid_dim x
    %step = arith.muli %group, %groups : index
    %own = scf.for %i = %start to %n step %step iter_args(%acc = %zero) -> (f32) {
      %v = memref.load %x[%i] : memref<?xf32>
      %next = arith.addf %acc, %v : f32
      scf.yield %next : f32
    }
    %all = gpu.all_reduce add %own uniform {
    } : (f32) -> f32
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %old = memref.atomic_rmw addf %all, %sum[%c0] : (f32, memref<1xf32>) -> f32
    }
    gpu.return
  }
}
