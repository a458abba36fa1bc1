// Kernels that take unranked memrefs: one casts to a static type, the other asks for the rank and adds up to three dimensions.

// RUN: xegpu-run %s --filecheck=CHECK -q

// CHECK:      Unranked Memref base@ = 0x{{[0-9a-f]+}} rank = 1 offset = 0 sizes = [4] strides = [1] data =
// CHECK-NEXT: [28, 120, 2, 32]
// CHECK:      [ALLCLOSE: TRUE]

module @unranked attributes {gpu.container_module} {
  func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DF32(memref<*xf32>, f32) attributes {llvm.emit_c_interface}

  func.func @fill(%to: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %to, %c0 : memref<?xi32>
    scf.for %i = %c0 to %n step %c1 {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %to[%i] : memref<?xi32>
    }
    return
  }

  func.func @main() attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %line = gpu.alloc host_shared () : memref<8xi32>
    %plane = gpu.alloc host_shared () : memref<4x4xi32>
    %sums = gpu.alloc host_shared () : memref<4xi32>
    %line_open = memref.cast %line : memref<8xi32> to memref<?xi32>
    call @fill(%line_open) : (memref<?xi32>) -> ()
    %plane_flat = memref.collapse_shape %plane [[0, 1]] : memref<4x4xi32> into memref<16xi32>
    %plane_open = memref.cast %plane_flat : memref<16xi32> to memref<?xi32>
    call @fill(%plane_open) : (memref<?xi32>) -> ()
    %line_any = memref.cast %line : memref<8xi32> to memref<*xi32>
    %plane_any = memref.cast %plane : memref<4x4xi32> to memref<*xi32>
    %sums_any = memref.cast %sums : memref<4xi32> to memref<*xi32>
    gpu.launch_func @kernels::@sum blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%line_any : memref<*xi32>, %sums : memref<4xi32>, %c0 : index)
    gpu.launch_func @kernels::@sum blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%plane_any : memref<*xi32>, %sums : memref<4xi32>, %c1 : index)
    call @printMemrefI32(%sums_any) : (memref<*xi32>) -> ()

    %one = arith.constant 1.5 : f32
    %three = arith.constant 3.0 : f32
    %x = gpu.alloc host_shared () : memref<32x32xf32>
    %y = memref.alloc() : memref<32x32xf32>
    %x_any = memref.cast %x : memref<32x32xf32> to memref<*xf32>
    %y_any = memref.cast %y : memref<32x32xf32> to memref<*xf32>
    call @fillResource1DF32(%x_any, %one) : (memref<*xf32>, f32) -> ()
    call @fillResource1DF32(%y_any, %three) : (memref<*xf32>, f32) -> ()
    gpu.launch_func @kernels::@twice blocks in (%c2, %c2, %c1) threads in (%c1, %c1, %c1) args(%x_any : memref<*xf32>)
    call @printAllcloseF32(%x_any, %y_any) : (memref<*xf32>, memref<*xf32>) -> ()
    return
  }

  gpu.module @kernels {
    gpu.func @sum(%any: memref<*xi32>, %sums: memref<4xi32>, %where: index) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0 : i32
      %rank = memref.rank %any : memref<*xi32>
      %rows = memref.dim %any, %c0 : memref<*xi32>
      %is_line = arith.cmpi eq, %rank, %c1 : index
      %sum = scf.if %is_line -> i32 {
        %line = memref.cast %any : memref<*xi32> to memref<?xi32>
        %s = scf.for %i = %c0 to %rows step %c1 iter_args(%so_far = %zero) -> i32 {
          %v = memref.load %line[%i] : memref<?xi32>
          %next = arith.addi %so_far, %v : i32
          scf.yield %next : i32
        }
        scf.yield %s : i32
      } else {
        %columns = memref.dim %any, %c1 : memref<*xi32>
        %plane = memref.cast %any : memref<*xi32> to memref<?x?xi32>
        %s = scf.for %i = %c0 to %rows step %c1 iter_args(%outer = %zero) -> i32 {
          %t = scf.for %j = %c0 to %columns step %c1 iter_args(%inner = %outer) -> i32 {
            %v = memref.load %plane[%i, %j] : memref<?x?xi32>
            %next = arith.addi %inner, %v : i32
            scf.yield %next : i32
          }
          scf.yield %t : i32
        }
        scf.yield %s : i32
      }
      memref.store %sum, %sums[%where] : memref<4xi32>
      %rank_number = arith.index_cast %rank : index to i32
      memref.store %rank_number, %sums[%c2] : memref<4xi32>
      %bits = memref.dim %sums, %c0 : memref<4xi32>
      %product = arith.muli %bits, %rows : index
      %c3 = arith.constant 3 : index
      %number = arith.index_cast %product : index to i32
      %doubled = arith.addi %number, %number : i32
      memref.store %doubled, %sums[%c3] : memref<4xi32>
    }
    gpu.func @twice(%any: memref<*xf32>) kernel attributes {VectorComputeFunctionINTEL} {
      %c16 = arith.constant 16 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %i = arith.muli %bx, %c16 : index
      %j = arith.muli %by, %c16 : index
      %x = memref.cast %any : memref<*xf32> to memref<32x32xf32>
      %tile = xetile.init_tile %x[%i, %j] : memref<32x32xf32> -> !xetile.tile<16x16xf32>
      %v = xetile.load_tile %tile : !xetile.tile<16x16xf32> -> vector<16x16xf32>
      %w = arith.addf %v, %v : vector<16x16xf32>
      xetile.store_tile %w, %tile : vector<16x16xf32>, !xetile.tile<16x16xf32>
    }
  }
}
