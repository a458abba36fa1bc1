// C += A x B with equal work for five groups (stream-K): subgroups in XeGPU, some of which share a tile of C.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: a result with a history. C starts as what the host has put there, so `gpu.memcpy` takes it to the
// device and back, and three launches with different numbers of groups add to it one after another. The reference
// starts from a copy of the same numbers and adds three times as well.
!desc_a = !xegpu.tensor_desc<8x16xf16>
!desc_b = !xegpu.tensor_desc<16x16xf16>
!desc_row = !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %low = arith.constant 0.0 : f32
    %high = arith.constant 1.0 : f32
    %fractions = arith.constant false
    %a = gpu.alloc host_shared () : memref<64x96xf16>
    %b = gpu.alloc host_shared () : memref<96x32xf16>
    %c = memref.alloc() : memref<64x32xf32>
    %expected = memref.alloc() : memref<64x32xf32>
    %any_a = memref.cast %a : memref<64x96xf16> to memref<*xf16>
    %any_b = memref.cast %b : memref<96x32xf16> to memref<*xf16>
    %any_c = memref.cast %c : memref<64x32xf32> to memref<*xf32>
    call @fillResource1DRandomF16(%any_a, %low, %high, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%any_b, %low, %high, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF32(%any_c, %low, %high, %fractions) : (memref<*xf32>, f32, f32, i1) -> ()
    memref.copy %c, %expected : memref<64x32xf32> to memref<64x32xf32>

    // The kernel asks how many groups there are, and deals out the work among five, one or six.
    // CHECK-COUNT-3: [ALLCLOSE: TRUE]
    %c6 = arith.constant 6 : index
    call @add_product(%a, %b, %c, %c5) : (memref<64x96xf16>, memref<96x32xf16>, memref<64x32xf32>, index) -> ()
    call @compare(%a, %b, %c, %expected)
        : (memref<64x96xf16>, memref<96x32xf16>, memref<64x32xf32>, memref<64x32xf32>) -> ()
    call @add_product(%a, %b, %c, %c1) : (memref<64x96xf16>, memref<96x32xf16>, memref<64x32xf32>, index) -> ()
    call @compare(%a, %b, %c, %expected)
        : (memref<64x96xf16>, memref<96x32xf16>, memref<64x32xf32>, memref<64x32xf32>) -> ()
    call @add_product(%a, %b, %c, %c6) : (memref<64x96xf16>, memref<96x32xf16>, memref<64x32xf32>, index) -> ()
    call @compare(%a, %b, %c, %expected)
        : (memref<64x96xf16>, memref<96x32xf16>, memref<64x32xf32>, memref<64x32xf32>) -> ()
    memref.dealloc %c : memref<64x32xf32>
    memref.dealloc %expected : memref<64x32xf32>
    gpu.dealloc %a : memref<64x96xf16>
    gpu.dealloc %b : memref<96x32xf16>
    return
  }

  func.func @add_product(%a: memref<64x96xf16>, %b: memref<96x32xf16>, %c: memref<64x32xf32>, %groups: index) {
    %c1 = arith.constant 1 : index
    %device_c = gpu.alloc () : memref<64x32xf32>
    gpu.memcpy %device_c, %c : memref<64x32xf32>, memref<64x32xf32>
    gpu.launch_func @kernels::@gemm blocks in (%groups, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<64x96xf16>, %b : memref<96x32xf16>, %device_c : memref<64x32xf32>)
    gpu.memcpy %c, %device_c : memref<64x32xf32>, memref<64x32xf32>
    gpu.dealloc %device_c : memref<64x32xf32>
    return
  }

  func.func @compare(%a: memref<64x96xf16>, %b: memref<96x32xf16>, %c: memref<64x32xf32>,
                     %expected: memref<64x32xf32>) {
    linalg.matmul ins(%a, %b : memref<64x96xf16>, memref<96x32xf16>) outs(%expected : memref<64x32xf32>)
    %any_c = memref.cast %c : memref<64x32xf32> to memref<*xf32>
    %any_expected = memref.cast %expected : memref<64x32xf32> to memref<*xf32>
    call @printAllcloseF32(%any_c, %any_expected) : (memref<*xf32>, memref<*xf32>) -> ()
    return
  }

  gpu.module @kernels {
    gpu.func @gemm(%a: memref<64x96xf16>, %b: memref<96x32xf16>, %c: memref<64x32xf32>) kernel
        attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %group = gpu.block_id x
      %groups = gpu.grid_dim x
      %columns = arith.constant 2 : index
      %steps = arith.constant 6 : index
      %all_steps = arith.constant 96 : index
      %next_group = arith.addi %group, %c1 : index
      %begin_share = arith.muli %group, %all_steps : index
      %begin = arith.divui %begin_share, %groups : index
      %end_share = arith.muli %next_group, %all_steps : index
      %end = arith.divui %end_share, %groups : index
      %first = arith.divui %begin, %steps : index
      %last = arith.ceildivui %end, %steps : index
      scf.for %tile = %first to %last step %c1 {
        %i = arith.divui %tile, %columns : index
        %j = arith.remui %tile, %columns : index
        %m = arith.muli %i, %c8 : index
        %n = arith.muli %j, %c16 : index
        %tile_begin = arith.muli %tile, %steps : index
        %tile_end = arith.addi %tile_begin, %steps : index
        %own_begin = arith.maxui %begin, %tile_begin : index
        %own_end = arith.minui %end, %tile_end : index
        %step0 = arith.subi %own_begin, %tile_begin : index
        %step1 = arith.subi %own_end, %tile_begin : index
        %k0 = arith.muli %step0, %c16 : index
        %k1 = arith.muli %step1, %c16 : index
        %a0 = xegpu.create_nd_tdesc %a[%m, %k0] : memref<64x96xf16> -> !desc_a
        %b0 = xegpu.create_nd_tdesc %b[%k0, %n] : memref<96x32xf16> -> !desc_b
        %zero = arith.constant dense<0.0> : vector<8x16xf32>
        %result:3 = scf.for %k = %k0 to %k1 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
            -> (!desc_a, !desc_b, vector<8x16xf32>) {
          %va = xegpu.load_nd %ta : !desc_a -> vector<8x16xf16>
          %vb = xegpu.load_nd %tb <{packed}> : !desc_b -> vector<8x16x2xf16>
          %na = xegpu.update_nd_offset %ta, [0, 16] : !desc_a
          %nb = xegpu.update_nd_offset %tb, [16, 0] : !desc_b
          %sum = xegpu.dpas %va, %vb, %acc
              : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
          scf.yield %na, %nb, %sum : !desc_a, !desc_b, vector<8x16xf32>
        }
        %flat = memref.reinterpret_cast %c to offset: [0], sizes: [2048], strides: [1]
            : memref<64x32xf32> to memref<2048xf32>
        %lanes = vector.step : vector<16xindex>
        %all = arith.constant dense<true> : vector<16xi1>
        scf.for %r = %c0 to %c8 step %c1 {
          %row = arith.addi %m, %r : index
          %row_start = arith.muli %row, %c32 : index
          %start = arith.addi %row_start, %n : index
          %starts = vector.broadcast %start : index to vector<16xindex>
          %places = arith.addi %starts, %lanes : vector<16xindex>
          %tc = xegpu.create_tdesc %flat, %places : memref<2048xf32>, vector<16xindex> -> !desc_row
          %part = vector.extract %result#2[%r] : vector<16xf32> from vector<8x16xf32>
          %old = xegpu.atomic_rmw addf %tc, %all, %part
              : !desc_row, vector<16xi1>, vector<16xf32> -> vector<16xf32>
        }
      }
      gpu.return
    }
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
