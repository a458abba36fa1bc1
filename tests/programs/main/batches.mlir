// Batches in the style after LLVM 22: blocks of rank 3, products with a leading dimension, blocks that are stacked in rows.

// CHECK: [ALLCLOSE: TRUE]
// CHECK-NEXT: [ALLCLOSE: TRUE]

module @batches attributes {gpu.container_module} {
  gpu.module @kernel [#xevm.target<chip = "bmg">] {
    gpu.func @stacked(%a: memref<16x32xf16>, %b: memref<32x16xf16>, %c: memref<16x16xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %x = gpu.block_id x
      %m = arith.muli %x, %c8 : index
      %ta = xegpu.create_nd_tdesc %a : memref<16x32xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>
      %tb = xegpu.create_nd_tdesc %b : memref<32x16xf16> -> !xegpu.tensor_desc<32x16xf16>
      %va = xegpu.load_nd %ta[%m, 0] : !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>> -> vector<16x16xf16>
      %vb = xegpu.load_nd %tb[0, 0] : !xegpu.tensor_desc<32x16xf16> -> vector<32x16xf16>
      %a0 = vector.extract_strided_slice %va {offsets = [0, 0], sizes = [8, 16], strides = [1, 1]} : vector<16x16xf16> to vector<8x16xf16>
      %a1 = vector.extract_strided_slice %va {offsets = [8, 0], sizes = [8, 16], strides = [1, 1]} : vector<16x16xf16> to vector<8x16xf16>
      %b0 = vector.extract_strided_slice %vb {offsets = [0, 0], sizes = [16, 16], strides = [1, 1]} : vector<32x16xf16> to vector<16x16xf16>
      %b1 = vector.extract_strided_slice %vb {offsets = [16, 0], sizes = [16, 16], strides = [1, 1]} : vector<32x16xf16> to vector<16x16xf16>
      %d0 = xegpu.dpas %a0, %b0 <{layout_a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}> : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
      %d1 = xegpu.dpas %a1, %b1, %d0 : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf32> -> vector<8x16xf32>
      %tc = xegpu.create_nd_tdesc %c : memref<16x16xf32> -> !xegpu.tensor_desc<8x16xf32>
      xegpu.store_nd %d1, %tc[%m, 0] <{layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}> : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
      gpu.return
    }
    gpu.func @planes(%a: memref<2x8x16xbf16>, %b: memref<2x16x16xbf16>, %c: memref<2x8x16xf32>) kernel {
      %b_id = gpu.block_id x
      %c0 = arith.constant 0 : index
      %fa = memref.reinterpret_cast %a to offset: [0], sizes: [16, 16], strides: [16, 1] : memref<2x8x16xbf16> to memref<16x16xbf16>
      %fb = memref.collapse_shape %b [[0, 1], [2]] : memref<2x16x16xbf16> into memref<32x16xbf16>
      %ta = xegpu.create_nd_tdesc %fa : memref<16x16xbf16> -> !xegpu.tensor_desc<16x16xbf16>
      %tb = xegpu.create_nd_tdesc %fb : memref<32x16xbf16> -> !xegpu.tensor_desc<32x16xbf16>
      %va = xegpu.load_nd %ta[0, 0] : !xegpu.tensor_desc<16x16xbf16> -> vector<16x16xbf16>
      %vb = xegpu.load_nd %tb[0, 0] : !xegpu.tensor_desc<32x16xbf16> -> vector<32x16xbf16>
      %a3 = vector.shape_cast %va : vector<16x16xbf16> to vector<2x8x16xbf16>
      %b3 = vector.shape_cast %vb : vector<32x16xbf16> to vector<2x16x16xbf16>
      %d = xegpu.dpas %a3, %b3 : vector<2x8x16xbf16>, vector<2x16x16xbf16> -> vector<2x8x16xf32>
      %d2 = vector.shape_cast %d : vector<2x8x16xf32> to vector<16x16xf32>
      %fc = memref.collapse_shape %c [[0, 1], [2]] : memref<2x8x16xf32> into memref<16x16xf32>
      %tc = xegpu.create_nd_tdesc %fc : memref<16x16xf32> -> !xegpu.tensor_desc<16x16xf32>
      xegpu.store_nd %d2, %tc[0, 0] : vector<16x16xf32>, !xegpu.tensor_desc<16x16xf32>
      gpu.return
    }
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %low = arith.constant -4.0 : f32
    %high = arith.constant 4.0 : f32
    %true = arith.constant true
    %zero = arith.constant 0.0 : f32
    %a = gpu.alloc host_shared () : memref<16x32xf16>
    %b = gpu.alloc host_shared () : memref<32x16xf16>
    %c = gpu.alloc host_shared () : memref<16x16xf32>
    %e = memref.alloc() : memref<16x16xf32>
    %a_any = memref.cast %a : memref<16x32xf16> to memref<*xf16>
    %b_any = memref.cast %b : memref<32x16xf16> to memref<*xf16>
    %c_any = memref.cast %c : memref<16x16xf32> to memref<*xf32>
    %e_any = memref.cast %e : memref<16x16xf32> to memref<*xf32>
    call @fillResource1DRandomF16(%a_any, %low, %high, %true) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%b_any, %low, %high, %true) : (memref<*xf16>, f32, f32, i1) -> ()
    gpu.launch_func @kernel::@stacked blocks in (%c2, %c1, %c1) threads in (%c16, %c1, %c1) args(%a : memref<16x32xf16>, %b : memref<32x16xf16>, %c : memref<16x16xf32>)
    call @gemmF16F16F32(%a_any, %b_any, %e_any) : (memref<*xf16>, memref<*xf16>, memref<*xf32>) -> ()
    call @printAllcloseF32(%c_any, %e_any) : (memref<*xf32>, memref<*xf32>) -> ()

    %f = gpu.alloc host_shared () : memref<2x8x16xbf16>
    %g = gpu.alloc host_shared () : memref<2x16x16xbf16>
    %h = gpu.alloc host_shared () : memref<2x8x16xf32>
    %k = memref.alloc() : memref<2x8x16xf32>
    %f_any = memref.cast %f : memref<2x8x16xbf16> to memref<*xbf16>
    %g_any = memref.cast %g : memref<2x16x16xbf16> to memref<*xbf16>
    call @fillResource1DRandomBF16(%f_any, %low, %high, %true) : (memref<*xbf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomBF16(%g_any, %low, %high, %true) : (memref<*xbf16>, f32, f32, i1) -> ()
    gpu.launch_func @kernel::@planes blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%f : memref<2x8x16xbf16>, %g : memref<2x16x16xbf16>, %h : memref<2x8x16xf32>)
    scf.for %n = %c0 to %c2 step %c1 {
      %p = memref.subview %f[%n, 0, 0] [1, 8, 16] [1, 1, 1] : memref<2x8x16xbf16> to memref<8x16xbf16, strided<[16, 1], offset: ?>>
      %q = memref.subview %g[%n, 0, 0] [1, 16, 16] [1, 1, 1] : memref<2x16x16xbf16> to memref<16x16xbf16, strided<[16, 1], offset: ?>>
      %r = memref.subview %k[%n, 0, 0] [1, 8, 16] [1, 1, 1] : memref<2x8x16xf32> to memref<8x16xf32, strided<[16, 1], offset: ?>>
      %p_any = memref.cast %p : memref<8x16xbf16, strided<[16, 1], offset: ?>> to memref<*xbf16>
      %q_any = memref.cast %q : memref<16x16xbf16, strided<[16, 1], offset: ?>> to memref<*xbf16>
      %r_any = memref.cast %r : memref<8x16xf32, strided<[16, 1], offset: ?>> to memref<*xf32>
      func.call @gemmBF16BF16F32(%p_any, %q_any, %r_any) : (memref<*xbf16>, memref<*xbf16>, memref<*xf32>) -> ()
    }
    %h_any = memref.cast %h : memref<2x8x16xf32> to memref<*xf32>
    %k_any = memref.cast %k : memref<2x8x16xf32> to memref<*xf32>
    call @printAllcloseF32(%h_any, %k_any) : (memref<*xf32>, memref<*xf32>) -> ()
    return
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DRandomBF16(memref<*xbf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @gemmF16F16F32(memref<*xf16>, memref<*xf16>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @gemmBF16BF16F32(memref<*xbf16>, memref<*xbf16>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
