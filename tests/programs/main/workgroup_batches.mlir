// Products of a batch in the style after LLVM 22: blocks and products of rank 3, which subgroups share; the launch is for
// more planes than there are.

// CHECK-COUNT-3: [ALLCLOSE: TRUE]

#c = #xegpu.layout<sg_layout = [2, 2, 1], sg_data = [1, 16, 32]>
module @batches attributes {gpu.container_module} {
  gpu.module @kernel [#xevm.target<chip = "bmg">] {
    gpu.func @bmm(%a: memref<3x32x64xbf16>, %b: memref<3x64x32xbf16>, %c: memref<3x32x32xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %x = gpu.block_id x
      %p = arith.muli %x, %c2 : index
      %ta = xegpu.create_nd_tdesc %a : memref<3x32x64xbf16> -> !xegpu.tensor_desc<2x32x32xbf16>
      %tb = xegpu.create_nd_tdesc %b : memref<3x64x32xbf16> -> !xegpu.tensor_desc<2x32x32xbf16>
      %tc = xegpu.create_nd_tdesc %c : memref<3x32x32xf32> -> !xegpu.tensor_desc<2x32x32xf32>
      %zero = arith.constant dense<0.0> : vector<2x32x32xf32>
      %sum = scf.for %k = %c0 to %c64 step %c32 iter_args(%acc = %zero) -> (vector<2x32x32xf32>) {
        %va = xegpu.load_nd %ta[%p, %c0, %k] : !xegpu.tensor_desc<2x32x32xbf16> -> vector<2x32x32xbf16>
        %vb = xegpu.load_nd %tb[%p, %k, %c0] : !xegpu.tensor_desc<2x32x32xbf16> -> vector<2x32x32xbf16>
        %next = xegpu.dpas %va, %vb, %acc : vector<2x32x32xbf16>, vector<2x32x32xbf16>, vector<2x32x32xf32> -> vector<2x32x32xf32>
        scf.yield %next : vector<2x32x32xf32>
      }
      xegpu.store_nd %sum, %tc[%p, %c0, %c0] <{layout = #c}> : vector<2x32x32xf32>, !xegpu.tensor_desc<2x32x32xf32>
      gpu.return
    }
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %low = arith.constant -4.0 : f32
    %high = arith.constant 4.0 : f32
    %true = arith.constant true
    %a = gpu.alloc host_shared () : memref<3x32x64xbf16>
    %b = gpu.alloc host_shared () : memref<3x64x32xbf16>
    %c = gpu.alloc host_shared () : memref<3x32x32xf32>
    %a_any = memref.cast %a : memref<3x32x64xbf16> to memref<*xbf16>
    %b_any = memref.cast %b : memref<3x64x32xbf16> to memref<*xbf16>
    call @fillResource1DRandomBF16(%a_any, %low, %high, %true) : (memref<*xbf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomBF16(%b_any, %low, %high, %true) : (memref<*xbf16>, f32, f32, i1) -> ()
    gpu.launch_func @kernel::@bmm blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<3x32x64xbf16>, %b : memref<3x64x32xbf16>, %c : memref<3x32x32xf32>)
    scf.for %n = %c0 to %c3 step %c1 {
      %e = memref.alloc() : memref<32x32xf32>
      %e_any = memref.cast %e : memref<32x32xf32> to memref<*xf32>
      %p = memref.subview %a[%n, 0, 0] [1, 32, 64] [1, 1, 1] : memref<3x32x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
      %q = memref.subview %b[%n, 0, 0] [1, 64, 32] [1, 1, 1] : memref<3x64x32xbf16> to memref<64x32xbf16, strided<[32, 1], offset: ?>>
      %r = memref.subview %c[%n, 0, 0] [1, 32, 32] [1, 1, 1] : memref<3x32x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      %p_any = memref.cast %p : memref<32x64xbf16, strided<[64, 1], offset: ?>> to memref<*xbf16>
      %q_any = memref.cast %q : memref<64x32xbf16, strided<[32, 1], offset: ?>> to memref<*xbf16>
      %r_any = memref.cast %r : memref<32x32xf32, strided<[32, 1], offset: ?>> to memref<*xf32>
      func.call @gemmBF16BF16F32(%p_any, %q_any, %e_any) : (memref<*xbf16>, memref<*xbf16>, memref<*xf32>) -> ()
      func.call @printAllcloseF32(%r_any, %e_any) : (memref<*xf32>, memref<*xf32>) -> ()
    }
    gpu.dealloc %a : memref<3x32x64xbf16>
    gpu.dealloc %b : memref<3x64x32xbf16>
    gpu.dealloc %c : memref<3x32x32xf32>
    return
  }
  func.func private @fillResource1DRandomBF16(memref<*xbf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @gemmBF16BF16F32(memref<*xbf16>, memref<*xbf16>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
