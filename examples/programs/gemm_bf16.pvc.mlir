// C = A x B on bf16: the shortest product of a subgroup in XeGPU, and the shortest program around one.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: the least that a program needs. `gemmBF16BF16F32` of the runner library is the reference; it adds to
// its last argument, which therefore starts with zeros.
!desc_a = !xegpu.tensor_desc<8x16xbf16>
!desc_b = !xegpu.tensor_desc<16x16xbf16>
!desc_c = !xegpu.tensor_desc<8x16xf32>
module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %low = arith.constant -1.0 : f32
    %high = arith.constant 1.0 : f32
    %fractions = arith.constant false
    %a = gpu.alloc host_shared () : memref<32x32xbf16>
    %b = gpu.alloc host_shared () : memref<32x64xbf16>
    %c = gpu.alloc host_shared () : memref<32x64xf32>
    %expected = memref.alloc() : memref<32x64xf32>
    %any_a = memref.cast %a : memref<32x32xbf16> to memref<*xbf16>
    %any_b = memref.cast %b : memref<32x64xbf16> to memref<*xbf16>
    %any_c = memref.cast %c : memref<32x64xf32> to memref<*xf32>
    %any_expected = memref.cast %expected : memref<32x64xf32> to memref<*xf32>
    call @fillResource1DRandomBF16(%any_a, %low, %high, %fractions) : (memref<*xbf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomBF16(%any_b, %low, %high, %fractions) : (memref<*xbf16>, f32, f32, i1) -> ()
    call @fillResource1DF32(%any_expected, %zero) : (memref<*xf32>, f32) -> ()
    gpu.launch_func @kernels::@gemm blocks in (%c4, %c4, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<32x32xbf16>, %b : memref<32x64xbf16>, %c : memref<32x64xf32>)
    call @gemmBF16BF16F32(%any_a, %any_b, %any_expected) : (memref<*xbf16>, memref<*xbf16>, memref<*xf32>) -> ()
    // CHECK: [ALLCLOSE: TRUE]
    call @printAllcloseF32(%any_c, %any_expected) : (memref<*xf32>, memref<*xf32>) -> ()
    memref.dealloc %expected : memref<32x64xf32>
    gpu.dealloc %a : memref<32x32xbf16>
    gpu.dealloc %b : memref<32x64xbf16>
    gpu.dealloc %c : memref<32x64xf32>
    return
  }

  gpu.module @kernels {
    gpu.func @gemm(%a: memref<32x32xbf16>, %b: memref<32x64xbf16>, %c: memref<32x64xf32>) kernel
        attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                    known_grid_size = array<i32: 4, 4, 1>} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %m = arith.muli %bx, %c8 : index
      %n = arith.muli %by, %c16 : index
      %a0 = xegpu.create_nd_tdesc %a[%m, 0] : memref<32x32xbf16> -> !desc_a
      %b0 = xegpu.create_nd_tdesc %b[0, %n] : memref<32x64xbf16> -> !desc_b
      %zero = arith.constant dense<0.0> : vector<8x16xf32>
      %result:3 = scf.for %k = %c0 to %c32 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
          -> (!desc_a, !desc_b, vector<8x16xf32>) {
        %va = xegpu.load_nd %ta : !desc_a -> vector<8x16xbf16>
        %vb = xegpu.load_nd %tb <{packed}> : !desc_b -> vector<8x16x2xbf16>
        %na = xegpu.update_nd_offset %ta, [0, 16] : !desc_a
        %nb = xegpu.update_nd_offset %tb, [16, 0] : !desc_b
        %sum = xegpu.dpas %va, %vb, %acc
            : vector<8x16xbf16>, vector<8x16x2xbf16>, vector<8x16xf32> -> vector<8x16xf32>
        scf.yield %na, %nb, %sum : !desc_a, !desc_b, vector<8x16xf32>
      }
      %tc = xegpu.create_nd_tdesc %c[%m, %n] : memref<32x64xf32> -> !desc_c
      xegpu.store_nd %result#2, %tc : vector<8x16xf32>, !desc_c
      gpu.return
    }
  }
  func.func private @fillResource1DRandomBF16(memref<*xbf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DF32(memref<*xf32>, f32) attributes {llvm.emit_c_interface}
  func.func private @gemmBF16BF16F32(memref<*xbf16>, memref<*xbf16>, memref<*xf32>)
      attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
