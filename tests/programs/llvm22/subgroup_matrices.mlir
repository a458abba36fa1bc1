// Subgroups exchange blocks through matrices in shared local memory, which the host allocates in one kernel and the kernel in another.

// CHECK: [ALLCLOSE: TRUE]
// CHECK-NEXT: [ALLCLOSE: TRUE]

module @transposes attributes {gpu.container_module} {
  gpu.module @kernel [#xevm.target<chip = "pvc">] {
    gpu.func @from_host(%x: memref<32x32xf16>, %y: memref<32x32xf16>, %slm: memref<2048xi8, 3>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c16 = arith.constant 16 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %id = gpu.subgroup_id : index
      %i = arith.divui %id, %c2 : index
      %j = arith.remui %id, %c2 : index
      %row = arith.muli %i, %c16 : index
      %column = arith.muli %j, %c16 : index
      %tx = xegpu.create_nd_tdesc %x : memref<32x32xf16> -> !xegpu.tensor_desc<16x16xf16>
      %v = xegpu.load_nd %tx[%row, %column] : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
      %md = xegpu.create_mem_desc %slm : memref<2048xi8, 3> -> !xegpu.mem_desc<32x32xf16, #xegpu.mem_layout<stride = [1, 32], block = [16, 16]>>
      xegpu.store_matrix %v, %md[%row, %column] : vector<16x16xf16>, !xegpu.mem_desc<32x32xf16, #xegpu.mem_layout<stride = [1, 32], block = [16, 16]>>, index, index
      gpu.barrier
      %w = xegpu.load_matrix %md[%column, %row] : !xegpu.mem_desc<32x32xf16, #xegpu.mem_layout<stride = [1, 32], block = [16, 16]>>, index, index -> vector<16x16xf16>
      %turned = vector.transpose %w, [1, 0] : vector<16x16xf16> to vector<16x16xf16>
      %upper = vector.extract_strided_slice %turned {offsets = [0, 0], sizes = [8, 16], strides = [1, 1]} : vector<16x16xf16> to vector<8x16xf16>
      %lower = vector.extract_strided_slice %turned {offsets = [8, 0], sizes = [8, 16], strides = [1, 1]} : vector<16x16xf16> to vector<8x16xf16>
      %ty = xegpu.create_nd_tdesc %y : memref<32x32xf16> -> !xegpu.tensor_desc<8x16xf16>
      xegpu.store_nd %upper, %ty[%row, %column] : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>
      %below = arith.addi %row, %c8 : index
      xegpu.store_nd %lower, %ty[%below, %column] : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>
      gpu.return
    }
    gpu.func @own(%x: memref<32x32xf16>, %y: memref<32x32xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %slm = memref.alloca() : memref<2048xi8, 3>
      %c8 = arith.constant 8 : index
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %thread = gpu.thread_id x
      %id = arith.divui %thread, %c16 : index
      %row = arith.muli %id, %c8 : index
      %tx = xegpu.create_nd_tdesc %x : memref<32x32xf16> -> !xegpu.tensor_desc<8x32xf16>
      %v = xegpu.load_nd %tx[%row, %c0] : !xegpu.tensor_desc<8x32xf16> -> vector<8x32xf16>
      %md = xegpu.create_mem_desc %slm : memref<2048xi8, 3> -> !xegpu.mem_desc<32x32xf16>
      xegpu.store_matrix %v, %md[%row, 0] : vector<8x32xf16>, !xegpu.mem_desc<32x32xf16>, index
      xegpu.fence memory_kind = slm, fence_scope = workgroup
      gpu.barrier
      %w = xegpu.load_matrix %md[0, %row] : !xegpu.mem_desc<32x32xf16>, index -> vector<32x8xf16>
      %turned = vector.transpose %w, [1, 0] : vector<32x8xf16> to vector<8x32xf16>
      %ty = xegpu.create_nd_tdesc %y : memref<32x32xf16> -> !xegpu.tensor_desc<8x32xf16>
      xegpu.store_nd %turned, %ty[%row, 0] : vector<8x32xf16>, !xegpu.tensor_desc<8x32xf16>
      gpu.return
    }
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %low = arith.constant -1.0 : f32
    %high = arith.constant 1.0 : f32
    %fractions = arith.constant false
    %x = memref.alloc() : memref<32x32xf16>
    %x_any = memref.cast %x : memref<32x32xf16> to memref<*xf16>
    call @fillResource1DRandomF16(%x_any, %low, %high, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()
    %expected = memref.alloc() : memref<32x32xf32>
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %v = memref.load %x[%i, %j] : memref<32x32xf16>
        %w = arith.extf %v : f16 to f32
        memref.store %w, %expected[%j, %i] : memref<32x32xf32>
      }
    }
    %expected_any = memref.cast %expected : memref<32x32xf32> to memref<*xf32>
    %dx = gpu.alloc () : memref<32x32xf16>
    gpu.memcpy %dx, %x : memref<32x32xf16>, memref<32x32xf16>
    %y = gpu.alloc host_shared () : memref<32x32xf16>
    %y_any = memref.cast %y : memref<32x32xf16> to memref<*xf16>
    %slm = memref.alloc() : memref<2048xi8, 3>
    gpu.launch_func @kernel::@from_host blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%dx : memref<32x32xf16>, %y : memref<32x32xf16>, %slm : memref<2048xi8, 3>)
    gpu.wait
    call @printAllcloseF16(%y_any, %expected_any) : (memref<*xf16>, memref<*xf32>) -> ()
    gpu.launch_func @kernel::@own blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%dx : memref<32x32xf16>, %y : memref<32x32xf16>)
    gpu.wait
    call @printAllcloseF16(%y_any, %expected_any) : (memref<*xf16>, memref<*xf32>) -> ()
    memref.dealloc %slm : memref<2048xi8, 3>
    gpu.dealloc %dx : memref<32x32xf16>
    gpu.dealloc %y : memref<32x32xf16>
    gpu.dealloc %x : memref<32x32xf16>
    return
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF16(memref<*xf16>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
