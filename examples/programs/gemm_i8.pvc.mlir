// C = A x B on i8 with i32 sums: work-items in XeGPU.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: integers. Loops fill A and B with numbers that repeat every 17 and 13 places; the reference is three
// loops with `arith.extsi`, and `verifyMemrefI32` counts what differs: integers leave no room for a tolerance.
#map_a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 2]>
#map_b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [4, 1]>
#map_c = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
!desc_a = !xegpu.tensor_desc<8x32xi8, #map_a>
!desc_b = !xegpu.tensor_desc<32x16xi8, #map_b>
!desc_c = !xegpu.tensor_desc<8x16xi32, #map_c>
module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c13 = arith.constant 13 : index
    %c16 = arith.constant 16 : index
    %c17 = arith.constant 17 : index
    %a = gpu.alloc host_shared () : memref<32x64xi8>
    %b = gpu.alloc host_shared () : memref<64x64xi8>
    %c = gpu.alloc host_shared () : memref<32x64xi32>
    %expected = memref.alloc() : memref<32x64xi32>
    %a_of_any_size = memref.cast %a : memref<32x64xi8> to memref<?x?xi8>
    %b_of_any_size = memref.cast %b : memref<64x64xi8> to memref<?x?xi8>
    call @fill(%a_of_any_size, %c17) : (memref<?x?xi8>, index) -> ()
    call @fill(%b_of_any_size, %c13) : (memref<?x?xi8>, index) -> ()

    gpu.launch_func @kernels::@gemm blocks in (%c4, %c4, %c1) threads in (%c16, %c1, %c1)
        args(%a : memref<32x64xi8>, %b : memref<64x64xi8>, %c : memref<32x64xi32>)

    call @product_on_the_host(%a, %b, %expected) : (memref<32x64xi8>, memref<64x64xi8>, memref<32x64xi32>) -> ()
    %any_c = memref.cast %c : memref<32x64xi32> to memref<*xi32>
    %any_expected = memref.cast %expected : memref<32x64xi32> to memref<*xi32>
    %errors = call @verifyMemrefI32(%any_c, %any_expected) : (memref<*xi32>, memref<*xi32>) -> i64
    // CHECK: different: 0
    vector.print str "different: "
    vector.print %errors : i64
    memref.dealloc %expected : memref<32x64xi32>
    gpu.dealloc %a : memref<32x64xi8>
    gpu.dealloc %b : memref<64x64xi8>
    gpu.dealloc %c : memref<32x64xi32>
    return
  }

  // Element number k becomes k modulo the period, less half of it: some are negative.
  func.func @fill(%matrix: memref<?x?xi8>, %period: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %rows = memref.dim %matrix, %c0 : memref<?x?xi8>
    %columns = memref.dim %matrix, %c1 : memref<?x?xi8>
    %half = arith.divui %period, %c2 : index
    scf.for %i = %c0 to %rows step %c1 {
      scf.for %j = %c0 to %columns step %c1 {
        %first = arith.muli %i, %columns : index
        %k = arith.addi %first, %j : index
        %rest = arith.remui %k, %period : index
        %number = arith.subi %rest, %half : index
        %narrow = arith.index_cast %number : index to i8
        memref.store %narrow, %matrix[%i, %j] : memref<?x?xi8>
      }
    }
    return
  }

  func.func @product_on_the_host(%a: memref<32x64xi8>, %b: memref<64x64xi8>, %c: memref<32x64xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> (i32) {
          %x = memref.load %a[%i, %k] : memref<32x64xi8>
          %y = memref.load %b[%k, %j] : memref<64x64xi8>
          %wide_x = arith.extsi %x : i8 to i32
          %wide_y = arith.extsi %y : i8 to i32
          %product = arith.muli %wide_x, %wide_y : i32
          %next = arith.addi %acc, %product : i32
          scf.yield %next : i32
        }
        memref.store %sum, %c[%i, %j] : memref<32x64xi32>
      }
    }
    return
  }

  gpu.module @kernels {
    gpu.func @gemm(%a: memref<32x64xi8>, %b: memref<64x64xi8>, %c: memref<32x64xi32>) kernel
        attributes {known_block_size = array<i32: 16, 1, 1>,
                    known_grid_size = array<i32: 4, 4, 1>} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %m = arith.muli %bx, %c8 : index
      %n = arith.muli %by, %c16 : index
      %a0 = xegpu.create_nd_tdesc %a[%m, 0] : memref<32x64xi8> -> !desc_a
      %b0 = xegpu.create_nd_tdesc %b[0, %n] : memref<64x64xi8> -> !desc_b
      %zero = arith.constant dense<0> : vector<8x1xi32>
      %result:3 = scf.for %k = %c0 to %c64 step %c32 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
          -> (!desc_a, !desc_b, vector<8x1xi32>) {
        %va = xegpu.load_nd %ta : !desc_a -> vector<8x2xi8>
        %vb = xegpu.load_nd %tb <{packed}> : !desc_b -> vector<8x4xi8>
        %na = xegpu.update_nd_offset %ta, [0, 32] : !desc_a
        %nb = xegpu.update_nd_offset %tb, [32, 0] : !desc_b
        %sum = xegpu.dpas %va, %vb, %acc {sg_map_a = #map_a, sg_map_b = #map_b, sg_map_c = #map_c}
            : vector<8x2xi8>, vector<8x4xi8>, vector<8x1xi32> -> vector<8x1xi32>
        scf.yield %na, %nb, %sum : !desc_a, !desc_b, vector<8x1xi32>
      }
      %tc = xegpu.create_nd_tdesc %c[%m, %n] : memref<32x64xi32> -> !desc_c
      xegpu.store_nd %result#2, %tc : vector<8x1xi32>, !desc_c
      gpu.return
    }
  }
  func.func private @verifyMemrefI32(memref<*xi32>, memref<*xi32>) -> i64 attributes {llvm.emit_c_interface}
}
