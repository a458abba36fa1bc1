// One element per work-item, with a guard for the last group; the host rounds the number of groups up.
module attributes {gpu.container_module} {
  func.func @run(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<?xf32>) attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c255 = arith.constant 255 : index
    %c256 = arith.constant 256 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %padded = arith.addi %n, %c255 : index
    %groups = arith.divui %padded, %c256 : index
    %checked = arith.ceildivui %n, %c256 : index
    %equal = arith.cmpi eq, %groups, %checked : index
    cf.assert %equal, "two ways to round up"
    gpu.launch_func @kernels::@add blocks in (%groups, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : memref<?xf32>, %y : memref<?xf32>, %z : memref<?xf32>, %n : index)
    return
  }
  gpu.module @kernels {
    gpu.func @add(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<?xf32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
      %block = gpu.block_id x
      %size = gpu.block_dim x
      %thread = gpu.thread_id x
      %start = arith.muli %block, %size overflow<nsw, nuw> : index
      %i = arith.addi %start, %thread : index
      %inside = arith.cmpi ult, %i, %n : index
      cf.cond_br %inside, ^add, ^end
    ^add:
      %a = memref.load %x[%i] : memref<?xf32>
      %b = memref.load %y[%i] : memref<?xf32>
      %c = arith.addf %a, %b fastmath<contract> : f32
      memref.store %c, %z[%i] : memref<?xf32>
      cf.br ^end
    ^end:
      gpu.return
    }
  }
}
