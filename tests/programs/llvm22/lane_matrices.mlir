// Lanes pass values through matrices in shared local memory: block accesses of a subgroup, and elements of their own.

// CHECK: rank = 2 offset = 0 sizes = [16, 16] strides = [16, 1] data =
// CHECK-NEXT: {{\[\[}}0,   16,   32,   48,
// CHECK-NEXT: [1,   17,   33,
// CHECK: rank = 1 offset = 0 sizes = [16] strides = [1] data =
// CHECK-NEXT: [120,  376,  632,

module attributes {gpu.container_module} {
  gpu.module @kernel [#xevm.target<chip = "pvc">] {
    gpu.func @exchange(%x: memref<16x16xf32>, %y: memref<16x16xf32>, %z: memref<16xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %slm = memref.alloca() : memref<1024xi8, #xevm.addr_space<shared>>
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %sg = gpu.subgroup_id : index
      %lane = gpu.lane_id
      %row = arith.muli %sg, %c8 : index
      %t = xegpu.create_nd_tdesc %x : memref<16x16xf32> -> !xegpu.tensor_desc<8x16xf32>
      %v = xegpu.load_nd %t[%row, %c0] : !xegpu.tensor_desc<8x16xf32> -> vector<8xf32>
      %m = xegpu.create_mem_desc %slm : memref<1024xi8, #xevm.addr_space<shared>> -> !xegpu.mem_desc<16x16xf32, #xegpu.mem_layout<block = [1, 16]>>
      xegpu.store_matrix %v, %m[%row, %c0] <{subgroup_block_io}> : vector<8xf32>, !xegpu.mem_desc<16x16xf32, #xegpu.mem_layout<block = [1, 16]>>, index, index
      gpu.barrier
      // The lanes of a subgroup read eight columns, two lanes to a column: a lane has half of its column.
      %c2 = arith.constant 2 : index
      %half = arith.divui %lane, %c8 : index
      %rest = arith.remui %lane, %c8 : index
      %column = arith.addi %row, %rest : index
      %first = arith.muli %half, %c8 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %c8 step %c1 {
        %r = arith.addi %first, %i : index
        %e = xegpu.load_matrix %m[%r, %column] : !xegpu.mem_desc<16x16xf32, #xegpu.mem_layout<block = [1, 16]>>, index, index -> f32
        memref.store %e, %y[%column, %r] : memref<16x16xf32>
      }
      gpu.barrier
      %is_first = arith.cmpi eq, %sg, %c0 : index
      scf.if %is_first {
        %zero = arith.constant 0.0 : f32
        %sum = scf.for %j = %c0 to %c16 step %c1 iter_args(%s = %zero) -> f32 {
          %e = xegpu.load_matrix %m[%lane, %j] : !xegpu.mem_desc<16x16xf32, #xegpu.mem_layout<block = [1, 16]>>, index, index -> f32
          %n = arith.addf %s, %e : f32
          scf.yield %n : f32
        }
        memref.store %sum, %z[%lane] : memref<16xf32>
      }
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %x = gpu.alloc host_shared () : memref<16x16xf32>
    %y = gpu.alloc host_shared () : memref<16x16xf32>
    %z = gpu.alloc host_shared () : memref<16xf32>
    affine.for %i = 0 to 16 {
      affine.for %j = 0 to 16 {
        %n = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>(%i, %j)
        %k = arith.index_cast %n : index to i32
        %f = arith.sitofp %k : i32 to f32
        affine.store %f, %x[%i, %j] : memref<16x16xf32>
      }
    }
    gpu.launch_func @kernel::@exchange blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<16x16xf32>, %y : memref<16x16xf32>, %z : memref<16xf32>)
    %y_any = memref.cast %y : memref<16x16xf32> to memref<*xf32>
    call @printMemrefF32(%y_any) : (memref<*xf32>) -> ()
    %z_any = memref.cast %z : memref<16xf32> to memref<*xf32>
    call @printMemrefF32(%z_any) : (memref<*xf32>) -> ()
    return
  }
  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
}
