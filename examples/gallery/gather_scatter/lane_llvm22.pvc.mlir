// y[to[k]] = 2 * x[from[k]], where negative indices stand for "nowhere": what comes from nowhere is 1, what goes
// nowhere is dropped. A work-item has one index at a time, and a condition instead of a mask. XeGPU of LLVM 22, PVC.
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gather_scatter(%from: memref<8x64xi32>, %to: memref<8x64xi32>, %x: memref<700xf32>,
                           %y: memref<600xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0 : i32
    %two = arith.constant 2.0 : f32
    %half = arith.constant 0.5 : f32
    %j = gpu.thread_id x
    scf.for %i = %c0 to %c8 step %c1 {
      %origin = memref.load %from[%i, %j] : memref<8x64xi32>
      %target = memref.load %to[%i, %j] : memref<8x64xi32>
      %comes = arith.cmpi sge, %origin, %zero : i32
      %goes = arith.cmpi sge, %target, %zero : i32
      %o = arith.index_cast %origin : i32 to index
      %t = arith.index_cast %target : i32 to index
      %loaded = xegpu.load %x[%o], %comes : memref<700xf32>, index, i1 -> f32
      %v = arith.select %comes, %loaded, %half : f32
      %w = arith.mulf %v, %two : f32
      xegpu.store %w, %y[%t], %goes : f32, memref<600xf32>, index, i1
    }
    gpu.return
  }
}
