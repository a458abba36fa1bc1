// C[i] = A[i] x B[i] for three pairs of matrices: work-items in XeGPU, one plane of the grid for each product.
//
// RUN: xegpu-run %s --target arc --filecheck
//
// Look here for: tensors of rank 3. The host checks plane by plane: `memref.subview` that drops the first dimension
// gives the matrices that `linalg.matmul` takes, and the loop tells which plane was right.
#plane_a = strided<[32, 1], offset: ?>
#plane_b = strided<[64, 1], offset: ?>
#map_a = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 2]>
#map_b = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [2, 1]>
#map_c = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>
!desc_a = !xegpu.tensor_desc<8x16xf16, #map_a>
!desc_b = !xegpu.tensor_desc<16x8xf16, #map_b>
!desc_c = !xegpu.tensor_desc<8x8xf32, #map_c>
module attributes {gpu.container_module} {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    %low = arith.constant -1.0 : f32
    %high = arith.constant 1.0 : f32
    %fractions = arith.constant false
    %a = gpu.alloc host_shared () : memref<3x32x32xf16>
    %b = gpu.alloc host_shared () : memref<3x32x64xf16>
    %c = gpu.alloc host_shared () : memref<3x32x64xf32>
    %any_a = memref.cast %a : memref<3x32x32xf16> to memref<*xf16>
    %any_b = memref.cast %b : memref<3x32x64xf16> to memref<*xf16>
    call @fillResource1DRandomF16(%any_a, %low, %high, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%any_b, %low, %high, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()

    gpu.launch_func @kernels::@gemm blocks in (%c4, %c8, %c3) threads in (%c8, %c1, %c1)
        args(%a : memref<3x32x32xf16>, %b : memref<3x32x64xf16>, %c : memref<3x32x64xf32>)

    %expected = memref.alloc() : memref<32x64xf32>
    %any_expected = memref.cast %expected : memref<32x64xf32> to memref<*xf32>
    // CHECK: product 0: [ALLCLOSE: TRUE]
    // CHECK-NEXT: product 1: [ALLCLOSE: TRUE]
    // CHECK-NEXT: product 2: [ALLCLOSE: TRUE]
    scf.for %i = %c0 to %c3 step %c1 {
      %plane_a = memref.subview %a[%i, 0, 0] [1, 32, 32] [1, 1, 1] : memref<3x32x32xf16> to memref<32x32xf16, #plane_a>
      %plane_b = memref.subview %b[%i, 0, 0] [1, 32, 64] [1, 1, 1] : memref<3x32x64xf16> to memref<32x64xf16, #plane_b>
      %plane_c = memref.subview %c[%i, 0, 0] [1, 32, 64] [1, 1, 1] : memref<3x32x64xf32> to memref<32x64xf32, #plane_b>
      linalg.fill ins(%zero : f32) outs(%expected : memref<32x64xf32>)
      linalg.matmul ins(%plane_a, %plane_b : memref<32x32xf16, #plane_a>, memref<32x64xf16, #plane_b>)
          outs(%expected : memref<32x64xf32>)
      vector.print str "product "
      vector.print %i : index punctuation <no_punctuation>
      vector.print str ": "
      %any_c = memref.cast %plane_c : memref<32x64xf32, #plane_b> to memref<*xf32>
      func.call @printAllcloseF32(%any_c, %any_expected) : (memref<*xf32>, memref<*xf32>) -> ()
    }
    memref.dealloc %expected : memref<32x64xf32>
    gpu.dealloc %a : memref<3x32x32xf16>
    gpu.dealloc %b : memref<3x32x64xf16>
    gpu.dealloc %c : memref<3x32x64xf32>
    return
  }

  gpu.module @kernels {
    gpu.func @gemm(%a: memref<3x32x32xf16>, %b: memref<3x32x64xf16>, %c: memref<3x32x64xf32>) kernel
        attributes {known_block_size = array<i32: 8, 1, 1>,
                    known_grid_size = array<i32: 4, 8, 3>} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %m = arith.muli %bx, %c8 : index
      %n = arith.muli %by, %c8 : index
      %plane = gpu.block_id z
      %a0 = xegpu.create_nd_tdesc %a[%plane, %m, 0] : memref<3x32x32xf16> -> !desc_a
      %b0 = xegpu.create_nd_tdesc %b[%plane, 0, %n] : memref<3x32x64xf16> -> !desc_b
      %zero = arith.constant dense<0.0> : vector<8x1xf32>
      %result:3 = scf.for %k = %c0 to %c32 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
          -> (!desc_a, !desc_b, vector<8x1xf32>) {
        %va = xegpu.load_nd %ta : !desc_a -> vector<8x2xf16>
        %vb = xegpu.load_nd %tb <{packed}> : !desc_b -> vector<8x2xf16>
        %na = xegpu.update_nd_offset %ta, [0, 16] : !desc_a
        %nb = xegpu.update_nd_offset %tb, [16, 0] : !desc_b
        %sum = xegpu.dpas %va, %vb, %acc {sg_map_a = #map_a, sg_map_b = #map_b, sg_map_c = #map_c}
            : vector<8x2xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
        scf.yield %na, %nb, %sum : !desc_a, !desc_b, vector<8x1xf32>
      }
      %tc = xegpu.create_nd_tdesc %c[%plane, %m, %n] : memref<3x32x64xf32> -> !desc_c
      xegpu.store_nd %result#2, %tc : vector<8x1xf32>, !desc_c
      gpu.return
    }
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
