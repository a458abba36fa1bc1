// Attention, forward: softmax(Q K^T / sqrt(d)) V. A subgroup kernel in XeGPU that never holds the matrix of scores.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: a reference of several steps. The host does hold the scores: a `linalg.matmul` with maps, softmax by
// loops, a `linalg.matmul`. The kernel rounds its weights to f16, so results agree to about three digits, and are
// compared where no result is small: values are from 1 to 2.
!queries = !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>
!keys = !xegpu.tensor_desc<16x16xf16>
!values = !xegpu.tensor_desc<16x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>
!result = !xegpu.tensor_desc<8x16xf32>
module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %low = arith.constant -2.0 : f32
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %fractions = arith.constant false
    %q = gpu.alloc host_shared () : memref<32x32xf16>
    %k = gpu.alloc host_shared () : memref<48x32xf16>
    %v = gpu.alloc host_shared () : memref<48x32xf16>
    %o = gpu.alloc host_shared () : memref<32x32xf32>
    %expected = memref.alloc() : memref<32x32xf32>
    %any_q = memref.cast %q : memref<32x32xf16> to memref<*xf16>
    %any_k = memref.cast %k : memref<48x32xf16> to memref<*xf16>
    %any_v = memref.cast %v : memref<48x32xf16> to memref<*xf16>
    call @fillResource1DRandomF16(%any_q, %low, %two, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%any_k, %low, %two, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%any_v, %one, %two, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()

    gpu.launch_func @kernels::@attention blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%q : memref<32x32xf16>, %k : memref<48x32xf16>, %v : memref<48x32xf16>, %o : memref<32x32xf32>)

    call @attention_on_the_host(%q, %k, %v, %expected)
        : (memref<32x32xf16>, memref<48x32xf16>, memref<48x32xf16>, memref<32x32xf32>) -> ()
    %any_o = memref.cast %o : memref<32x32xf32> to memref<*xf32>
    %any_expected = memref.cast %expected : memref<32x32xf32> to memref<*xf32>
    // CHECK: [ALLCLOSE: TRUE]
    call @printAllcloseF32(%any_o, %any_expected) : (memref<*xf32>, memref<*xf32>) -> ()
    memref.dealloc %expected : memref<32x32xf32>
    gpu.dealloc %q : memref<32x32xf16>
    gpu.dealloc %k : memref<48x32xf16>
    gpu.dealloc %v : memref<48x32xf16>
    gpu.dealloc %o : memref<32x32xf32>
    return
  }

  func.func @attention_on_the_host(%q: memref<32x32xf16>, %k: memref<48x32xf16>, %v: memref<48x32xf16>,
                                   %o: memref<32x32xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c48 = arith.constant 48 : index
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant 0xFF800000 : f32
    %scale = arith.constant 0.17677669 : f32
    %scores = memref.alloca() : memref<32x48xf32>
    linalg.fill ins(%zero : f32) outs(%scores : memref<32x48xf32>)
    linalg.fill ins(%zero : f32) outs(%o : memref<32x32xf32>)
    linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                   affine_map<(m, n, k) -> (m, n)>]
        ins(%q, %k : memref<32x32xf16>, memref<48x32xf16>) outs(%scores : memref<32x48xf32>)
    scf.for %i = %c0 to %c32 step %c1 {
      %most = scf.for %j = %c0 to %c48 step %c1 iter_args(%so_far = %lowest) -> (f32) {
        %s = memref.load %scores[%i, %j] : memref<32x48xf32>
        %larger = arith.maximumf %so_far, %s : f32
        scf.yield %larger : f32
      }
      %sum = scf.for %j = %c0 to %c48 step %c1 iter_args(%so_far = %zero) -> (f32) {
        %s = memref.load %scores[%i, %j] : memref<32x48xf32>
        %d = arith.subf %s, %most : f32
        %scaled = arith.mulf %d, %scale : f32
        %weight = math.exp %scaled : f32
        memref.store %weight, %scores[%i, %j] : memref<32x48xf32>
        %next = arith.addf %so_far, %weight : f32
        scf.yield %next : f32
      }
      scf.for %j = %c0 to %c48 step %c1 {
        %weight = memref.load %scores[%i, %j] : memref<32x48xf32>
        %p = arith.divf %weight, %sum : f32
        memref.store %p, %scores[%i, %j] : memref<32x48xf32>
      }
    }
    linalg.matmul ins(%scores, %v : memref<32x48xf32>, memref<48x32xf16>) outs(%o : memref<32x32xf32>)
    return
  }

  gpu.module @kernels {
    gpu.func @attention(%q: memref<32x32xf16>, %k: memref<48x32xf16>, %v: memref<48x32xf16>,
                        %o: memref<32x32xf32>) kernel
        attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                    known_grid_size = array<i32: 4, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c48 = arith.constant 48 : index
      %scale = arith.constant dense<0.17677669> : vector<8x16xf32>
      %lowest = arith.constant dense<0xFF800000> : vector<8xf32>
      %no_weight = arith.constant dense<0.0> : vector<8xf32>
      %nothing = arith.constant dense<0.0> : vector<8x16xf32>
      %block = gpu.block_id x
      %row = arith.muli %block, %c8 : index
      %tq = xegpu.create_nd_tdesc %q[%row, 0] : memref<32x32xf16> -> !queries
      %queries = xegpu.load_nd %tq : !queries -> vector<2x8x16xf16>
      %q0 = vector.extract %queries[0] : vector<8x16xf16> from vector<2x8x16xf16>
      %q1 = vector.extract %queries[1] : vector<8x16xf16> from vector<2x8x16xf16>
      %tk = xegpu.create_nd_tdesc %k[0, 0] : memref<48x32xf16> -> !keys
      %tv = xegpu.create_nd_tdesc %v[0, 0] : memref<48x32xf16> -> !values
      %all:6 = scf.for %j = %c0 to %c48 step %c16
          iter_args(%k0 = %tk, %v0 = %tv, %m = %lowest, %l = %no_weight, %acc0 = %nothing, %acc1 = %nothing)
          -> (!keys, !values, vector<8xf32>, vector<8xf32>, vector<8x16xf32>, vector<8x16xf32>) {
        %k1 = xegpu.update_nd_offset %k0, [0, 16] : !keys
        %keys0 = xegpu.load_nd %k0 <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}>
            : !keys -> vector<8x16x2xf16>
        %keys1 = xegpu.load_nd %k1 <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}>
            : !keys -> vector<8x16x2xf16>
        %half = xegpu.dpas %q0, %keys0 : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
        %products = xegpu.dpas %q1, %keys1, %half
            : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
        %scores = arith.mulf %products, %scale : vector<8x16xf32>
        %next_m = vector.multi_reduction <maximumf>, %scores, %m [1] : vector<8x16xf32> to vector<8xf32>
        %top = vector.shape_cast %next_m : vector<8xf32> to vector<8x1xf32>
        %tops = vector.broadcast %top : vector<8x1xf32> to vector<8x16xf32>
        %d = arith.subf %scores, %tops : vector<8x16xf32>
        %weights = math.exp %d : vector<8x16xf32>
        %growth = arith.subf %m, %next_m : vector<8xf32>
        %factor = math.exp %growth : vector<8xf32>
        %old_l = arith.mulf %l, %factor : vector<8xf32>
        %next_l = vector.multi_reduction <add>, %weights, %old_l [1] : vector<8x16xf32> to vector<8xf32>
        %factor_column = vector.shape_cast %factor : vector<8xf32> to vector<8x1xf32>
        %factors = vector.broadcast %factor_column : vector<8x1xf32> to vector<8x16xf32>
        %old0 = arith.mulf %acc0, %factors : vector<8x16xf32>
        %old1 = arith.mulf %acc1, %factors : vector<8x16xf32>
        %narrow = arith.truncf %weights : vector<8x16xf32> to vector<8x16xf16>
        %values = xegpu.load_nd %v0 <{packed}> : !values -> vector<2x8x16x2xf16>
        %values0 = vector.extract %values[0] : vector<8x16x2xf16> from vector<2x8x16x2xf16>
        %values1 = vector.extract %values[1] : vector<8x16x2xf16> from vector<2x8x16x2xf16>
        %next0 = xegpu.dpas %narrow, %values0, %old0
            : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
        %next1 = xegpu.dpas %narrow, %values1, %old1
            : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
        %next_k = xegpu.update_nd_offset %k0, [16, 0] : !keys
        %next_v = xegpu.update_nd_offset %v0, [16, 0] : !values
        scf.yield %next_k, %next_v, %next_m, %next_l, %next0, %next1
            : !keys, !values, vector<8xf32>, vector<8xf32>, vector<8x16xf32>, vector<8x16xf32>
      }
      %sum = vector.shape_cast %all#3 : vector<8xf32> to vector<8x1xf32>
      %sums = vector.broadcast %sum : vector<8x1xf32> to vector<8x16xf32>
      %result0 = arith.divf %all#4, %sums : vector<8x16xf32>
      %result1 = arith.divf %all#5, %sums : vector<8x16xf32>
      %to0 = xegpu.create_nd_tdesc %o[%row, 0] : memref<32x32xf32> -> !result
      %to1 = xegpu.create_nd_tdesc %o[%row, 16] : memref<32x32xf32> -> !result
      xegpu.store_nd %result0, %to0 : vector<8x16xf32>, !result
      xegpu.store_nd %result1, %to1 : vector<8x16xf32>, !result
      gpu.return
    }
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
