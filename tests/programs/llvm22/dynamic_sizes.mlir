// Sizes that the host knows only: dynamic memrefs with and without lists, masks at the end, contractions of vectors, a while loop.

// CHECK: [ALLCLOSE: TRUE]
// CHECK: rank = 2 offset = 0 sizes = [4, 4] strides = [4, 1] data =
// CHECK-NEXT: {{\[\[}}14,   38,   62,   86],
// CHECK-NEXT: [38,   126,   214,   302],

module attributes {gpu.container_module} {
  gpu.module @kernel [#xevm.target<chip = "pvc">] {
    gpu.func @scale(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %factor: f32) kernel attributes {intel_reqd_sub_group_size = 16 : i32} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %rows = memref.dim %x, %c0 : memref<?x?xf32>
      %columns = memref.dim %x, %c1 : memref<?x?xf32>
      %i = gpu.block_id x
      %j = gpu.block_id y
      %m = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
      %n = affine.apply affine_map<(d0)[s0] -> (d0 * 16 + s0)>(%j)[%c0]
      %tx = xegpu.create_nd_tdesc %x : memref<?x?xf32> -> !xegpu.tensor_desc<8x16xf32>
      %ty = xegpu.create_nd_tdesc %y, shape : [%rows, %columns], strides : [%columns, 1] : memref<?x?xf32> -> !xegpu.tensor_desc<8x16xf32>
      %v = xegpu.load_nd %tx[%m, %n] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
      %f = vector.broadcast %factor : f32 to vector<8x16xf32>
      %w = arith.mulf %v, %f fastmath<fast> : vector<8x16xf32>
      xegpu.store_nd %w, %ty[%m, %n] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
      gpu.return
    }
    gpu.func @contract(%x: memref<4x4xf32>, %y: memref<4x4xf32>) kernel attributes {intel_reqd_sub_group_size = 16 : i32, VectorComputeFunctionINTEL} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c1 = arith.constant 1 : index
      %pad = arith.constant 0.0 : f32
      %v = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<4x4xf32>, vector<4x4xf32>
      %z = arith.constant dense<0.0> : vector<4x4xf32>
      %p = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %v, %v, %z : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32>
      %n = scf.while (%k = %c0) : (index) -> index {
        %more = arith.cmpi ult, %k, %c4 : index
        scf.condition(%more) %k : index
      } do {
      ^bb0(%k: index):
        %row = vector.extract %p[%k] : vector<4xf32> from vector<4x4xf32>
        vector.transfer_write %row, %y[%k, %c0] {in_bounds = [true]} : vector<4xf32>, memref<4x4xf32>
        %next = arith.addi %k, %c1 : index
        scf.yield %next : index
      }
      gpu.return
    }
  }
  func.func @run(%rows: index, %columns: index, %x: memref<?x?xf32>) -> memref<?x?xf32> {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %factor = arith.constant 3.0 : f32
    %gx = arith.ceildivui %rows, %c8 : index
    %gy = arith.ceildivui %columns, %c16 : index
    %t0 = gpu.wait async
    %dx, %t1 = gpu.alloc async [%t0] (%rows, %columns) : memref<?x?xf32>
    %t2 = gpu.memcpy async [%t1] %dx, %x : memref<?x?xf32>, memref<?x?xf32>
    %dy, %t3 = gpu.alloc async [%t2] (%rows, %columns) : memref<?x?xf32>
    %t4 = gpu.launch_func async [%t3] @kernel::@scale blocks in (%gx, %gy, %c1) threads in (%c16, %c1, %c1) args(%dx : memref<?x?xf32>, %dy : memref<?x?xf32>, %factor : f32)
    %y = memref.alloc(%rows, %columns) : memref<?x?xf32>
    %t5 = gpu.memcpy async [%t4] %y, %dy : memref<?x?xf32>, memref<?x?xf32>
    %t6 = gpu.dealloc async [%t5] %dx : memref<?x?xf32>
    gpu.wait [%t6]
    return %y : memref<?x?xf32>
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %rows = arith.constant 21 : index
    %columns = arith.constant 36 : index
    %low = arith.constant -8.0 : f32
    %high = arith.constant 8.0 : f32
    %three = arith.constant 3.0 : f32
    %false = arith.constant false
    %x = memref.alloc(%rows, %columns) : memref<?x?xf32>
    %e = memref.alloc(%rows, %columns) : memref<?x?xf32>
    %x_any = memref.cast %x : memref<?x?xf32> to memref<*xf32>
    %e_any = memref.cast %e : memref<?x?xf32> to memref<*xf32>
    call @fillResource1DRandomF32(%x_any, %low, %high, %false) : (memref<*xf32>, f32, f32, i1) -> ()
    %y = call @run(%rows, %columns, %x) : (index, index, memref<?x?xf32>) -> memref<?x?xf32>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : memref<?x?xf32>) outs(%e : memref<?x?xf32>) {
    ^bb0(%a: f32, %b: f32):
      %p = arith.mulf %a, %three : f32
      linalg.yield %p : f32
    }
    %y_any = memref.cast %y : memref<?x?xf32> to memref<*xf32>
    call @printAllcloseF32(%y_any, %e_any) : (memref<*xf32>, memref<*xf32>) -> ()
    %s = gpu.alloc host_shared () : memref<4x4xf32>
    %t = gpu.alloc host_shared () : memref<4x4xf32>
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c4 step %c1 {
        %r = arith.muli %i, %c4 : index
        %n = arith.addi %r, %j : index
        %u = arith.index_cast %n : index to i32
        %f = arith.uitofp %u : i32 to f32
        memref.store %f, %s[%i, %j] : memref<4x4xf32>
      }
    }
    gpu.launch_func @kernel::@contract blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%s : memref<4x4xf32>, %t : memref<4x4xf32>)
    %t_any = memref.cast %t : memref<4x4xf32> to memref<*xf32>
    call @printMemrefF32(%t_any) : (memref<*xf32>) -> ()
    return
  }
  func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
}
