// A product of subgroups with a bias and a ReLU behind it; layouts in the style of LLVM 22; B is stored transposed.

// CHECK: [ALLCLOSE: TRUE]

#a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>
#b = #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>
#bt = #xegpu.layout<lane_layout = [16, 1], lane_data = [1, 2]>
#c = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>
#row = #xegpu.slice<#c, dims = [0]>
module @gemm attributes {gpu.container_module} {
  gpu.module @kernel [#xevm.target<chip = "pvc">] {
    gpu.func @postop(%a: memref<32x32xbf16>, %b: memref<32x32xbf16>, %bias: memref<32xf32>, %c: memref<32x32xbf16>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %m = arith.muli %bx, %c8 : index
      %n = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%by]
      %zero = arith.constant {layout_result_0 = #c} dense<0.0> : vector<8x16xf32>
      %ta = xegpu.create_nd_tdesc %a : memref<32x32xbf16> -> !xegpu.tensor_desc<8x16xbf16, #a>
      %tb = xegpu.create_nd_tdesc %b : memref<32x32xbf16> -> !xegpu.tensor_desc<16x16xbf16, #bt>
      %sum = scf.for %k = %c0 to %c32 step %c16 iter_args(%acc = %zero) -> (vector<8x16xf32>) {
        %va = xegpu.load_nd %ta[%m, %k] {layout_result_0 = #a} : !xegpu.tensor_desc<8x16xbf16, #a> -> vector<8x16xbf16>
        %vbt = xegpu.load_nd %tb[%n, %k] {layout_result_0 = #bt} : !xegpu.tensor_desc<16x16xbf16, #bt> -> vector<16x16xbf16>
        %vb = vector.transpose %vbt, [1, 0] {layout_result_0 = #b} : vector<16x16xbf16> to vector<16x16xbf16>
        %next = xegpu.dpas %va, %vb, %acc {layout_result_0 = #c} : vector<8x16xbf16>, vector<16x16xbf16>, vector<8x16xf32> -> vector<8x16xf32>
        scf.yield %next : vector<8x16xf32>
      } {layout_result_0 = #c}
      %columns = vector.step {layout_result_0 = #row} : vector<16xindex>
      %first = vector.broadcast %n : index to vector<16xindex>
      %where = arith.addi %columns, %first : vector<16xindex>
      %all = arith.constant dense<true> : vector<16xi1>
      %v = xegpu.load %bias[%where], %all : memref<32xf32>, vector<16xindex>, vector<16xi1> -> vector<16xf32>
      %rows = vector.broadcast %v {layout_result_0 = #c} : vector<16xf32> to vector<8x16xf32>
      %biased = arith.addf %sum, %rows {layout_result_0 = #c} : vector<8x16xf32>
      %relu = arith.maximumf %biased, %zero {layout_result_0 = #c} : vector<8x16xf32>
      %narrow = arith.truncf %relu {layout_result_0 = #c} : vector<8x16xf32> to vector<8x16xbf16>
      %tc = xegpu.create_nd_tdesc %c : memref<32x32xbf16> -> !xegpu.tensor_desc<8x16xbf16, #c>
      xegpu.store_nd %narrow, %tc[%m, %n] <{layout = #c}> : vector<8x16xbf16>, !xegpu.tensor_desc<8x16xbf16, #c>
      gpu.return
    }
  }

  func.func @test(%a: memref<32x32xbf16>, %b: memref<32x32xbf16>, %bias: memref<32xf32>, %c: memref<32x32xbf16>) attributes {llvm.emit_c_interface} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %da = gpu.alloc () : memref<32x32xbf16>
    gpu.memcpy %da, %a : memref<32x32xbf16>, memref<32x32xbf16>
    %db = gpu.alloc () : memref<32x32xbf16>
    gpu.memcpy %db, %b : memref<32x32xbf16>, memref<32x32xbf16>
    %dbias = gpu.alloc () : memref<32xf32>
    gpu.memcpy %dbias, %bias : memref<32xf32>, memref<32xf32>
    %dc = gpu.alloc () : memref<32x32xbf16>
    gpu.launch_func @kernel::@postop blocks in (%c4, %c2, %c1) threads in (%c16, %c1, %c1) args(%da : memref<32x32xbf16>, %db : memref<32x32xbf16>, %dbias : memref<32xf32>, %dc : memref<32x32xbf16>)
    gpu.wait
    gpu.memcpy %c, %dc : memref<32x32xbf16>, memref<32x32xbf16>
    gpu.dealloc %da : memref<32x32xbf16>
    gpu.dealloc %db : memref<32x32xbf16>
    gpu.dealloc %dc : memref<32x32xbf16>
    return
  }

  func.func @main() attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %low = arith.constant -3.0 : f32
    %high = arith.constant 3.0 : f32
    %whole = arith.constant true
    %a = memref.alloc() : memref<32x32xbf16>
    %b = memref.alloc() : memref<32x32xbf16>
    %bias = memref.alloc() : memref<32xf32>
    %c = memref.alloc() : memref<32x32xbf16>
    %expected = memref.alloc() : memref<32x32xf32>
    %a_any = memref.cast %a : memref<32x32xbf16> to memref<*xbf16>
    %b_any = memref.cast %b : memref<32x32xbf16> to memref<*xbf16>
    %bias_any = memref.cast %bias : memref<32xf32> to memref<*xf32>
    call @fillResource1DRandomBF16(%a_any, %low, %high, %whole) : (memref<*xbf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomBF16(%b_any, %low, %high, %whole) : (memref<*xbf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF32(%bias_any, %low, %high, %whole) : (memref<*xf32>, f32, f32, i1) -> ()
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %start = memref.load %bias[%j] : memref<32xf32>
        %sum = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %start) -> f32 {
          %x = memref.load %a[%i, %k] : memref<32x32xbf16>
          %y = memref.load %b[%j, %k] : memref<32x32xbf16>
          %xw = arith.extf %x : bf16 to f32
          %yw = arith.extf %y : bf16 to f32
          %p = arith.mulf %xw, %yw : f32
          %s = arith.addf %acc, %p : f32
          scf.yield %s : f32
        }
        %relu = arith.maximumf %sum, %zero : f32
        %narrow = arith.truncf %relu : f32 to bf16
        %wide = arith.extf %narrow : bf16 to f32
        memref.store %wide, %expected[%i, %j] : memref<32x32xf32>
      }
    }
    call @test(%a, %b, %bias, %c) : (memref<32x32xbf16>, memref<32x32xbf16>, memref<32xf32>, memref<32x32xbf16>) -> ()
    %c_any = memref.cast %c : memref<32x32xbf16> to memref<*xbf16>
    %expected_any = memref.cast %expected : memref<32x32xf32> to memref<*xf32>
    call @printAllcloseBF16(%c_any, %expected_any) : (memref<*xbf16>, memref<*xf32>) -> ()
    return
  }
  func.func private @fillResource1DRandomBF16(memref<*xbf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseBF16(memref<*xbf16>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
