// The transpose of a matrix through shared local memory: work-items in XeGPU.
//
// RUN: xegpu-run %s --target arc --filecheck
//
// Look here for: a kernel whose work-items exchange elements through shared memory, with a barrier between writing and
// reading, and `linalg.transpose` as the reference. `printMaxErrorF16` tells how far the worst element is off, which
// for something that only moves elements is nothing.
#map = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>
!block = !xegpu.tensor_desc<8x8xf16, #map>
module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %low = arith.constant -100.0 : f32
    %high = arith.constant 100.0 : f32
    %fractions = arith.constant false
    %x = gpu.alloc host_shared () : memref<128x64xf16>
    %y = gpu.alloc host_shared () : memref<64x128xf16>
    %expected = memref.alloc() : memref<64x128xf16>
    %any_x = memref.cast %x : memref<128x64xf16> to memref<*xf16>
    call @fillResource1DRandomF16(%any_x, %low, %high, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()
    gpu.launch_func @kernels::@transpose blocks in (%c8, %c16, %c1) threads in (%c8, %c1, %c1)
        args(%x : memref<128x64xf16>, %y : memref<64x128xf16>)
    linalg.transpose ins(%x : memref<128x64xf16>) outs(%expected : memref<64x128xf16>) permutation = [1, 0]
    %any_y = memref.cast %y : memref<64x128xf16> to memref<*xf16>
    %any_expected = memref.cast %expected : memref<64x128xf16> to memref<*xf16>
    // CHECK: Max absolute error 0 at idx=0
    // CHECK-NEXT: Max relative error 0 at idx=0
    call @printMaxErrorF16(%any_y, %any_expected) : (memref<*xf16>, memref<*xf16>) -> ()
    memref.dealloc %expected : memref<64x128xf16>
    gpu.dealloc %x : memref<128x64xf16>
    gpu.dealloc %y : memref<64x128xf16>
    return
  }

  gpu.module @kernels {
    gpu.func @transpose(%x: memref<128x64xf16>, %y: memref<64x128xf16>) kernel
        attributes {known_block_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 16, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant dense<0.0> : vector<8x1xf16>
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %lane = gpu.thread_id x
      %i = arith.muli %by, %c8 : index
      %j = arith.muli %bx, %c8 : index
      %slm = memref.alloc() : memref<8x9xf16, 3>
      %tx = xegpu.create_nd_tdesc %x[%i, %j] : memref<128x64xf16> -> !block
      %v = xegpu.load_nd %tx : !block -> vector<8x1xf16>
      scf.for %r = %c0 to %c8 step %c1 {
        %e = vector.extract %v[%r, 0] : f16 from vector<8x1xf16>
        memref.store %e, %slm[%lane, %r] : memref<8x9xf16, 3>
      }
      gpu.barrier
      %w = scf.for %r = %c0 to %c8 step %c1 iter_args(%column = %zero) -> (vector<8x1xf16>) {
        %e = memref.load %slm[%r, %lane] : memref<8x9xf16, 3>
        %next = vector.insert %e, %column[%r, 0] : f16 into vector<8x1xf16>
        scf.yield %next : vector<8x1xf16>
      }
      %ty = xegpu.create_nd_tdesc %y[%j, %i] : memref<64x128xf16> -> !block
      xegpu.store_nd %w, %ty : vector<8x1xf16>, !block
      gpu.return
    }
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printMaxErrorF16(memref<*xf16>, memref<*xf16>) attributes {llvm.emit_c_interface}
}
