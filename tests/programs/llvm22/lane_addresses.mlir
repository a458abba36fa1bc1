// Lanes reach matrices by their addresses, which the host takes from its buffers; chunks of four, a mask for the last ones.

// CHECK: Unranked Memref base@ = 0x{{[0-9a-f]+}} rank = 1 offset = 0 sizes = [64] strides = [1] data =
// CHECK-NEXT: [1, 3, 5, 7, 9, 11, 13, 15, 17, 19,
// CHECK-SAME: 95, 0, 0, 0
// CHECK: max: 256

module @addresses attributes {gpu.container_module} {
  memref.global "private" constant @text : memref<6xi8> = dense<[109, 97, 120, 58, 32, 0]>
  gpu.module @kernel [#xevm.target<chip = "pvc">] {
    gpu.func @copy_scaled(%src: i64, %dst: i64, %block: ui64, %most: memref<16xi32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c4 = arith.constant 4 : index
      %c12 = arith.constant 12 : index
      %true = arith.constant true
      %two = arith.constant dense<2.0> : vector<4xf32>
      %one = arith.constant dense<1.0> : vector<4xf32>
      %lane = gpu.lane_id
      %offset = arith.muli %lane, %c4 : index
      %inside = arith.cmpi ult, %lane, %c12 : index
      %v = xegpu.load %src[%offset], %inside <{chunk_size = 4, l1_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> vector<4xf32>
      %w = math.fma %v, %two, %one fastmath<contract> : vector<4xf32>
      xegpu.store %w, %dst[%offset], %inside <{chunk_size = 4}> : vector<4xf32>, i64, index, i1
      // A plane of 16x16 i32 behind an address, its rows 32 elements apart.
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c1 = arith.constant 1 : index
      %plane = xegpu.create_nd_tdesc %block, shape : [%c16, %c16], strides : [%c32, %c1] : ui64 -> !xegpu.tensor_desc<8x16xi32>
      %upper = xegpu.load_nd %plane[0, 0] : !xegpu.tensor_desc<8x16xi32> -> vector<8xi32>
      %lower = xegpu.load_nd %plane[8, 0] : !xegpu.tensor_desc<8x16xi32> -> vector<8xi32>
      %larger = arith.maxsi %upper, %lower : vector<8xi32>
      %largest = vector.reduction <maxsi>, %larger : vector<8xi32> into i32
      %c8_i32 = arith.constant 8 : i32
      %w16 = arith.constant 16 : i32
      %other, %ok = gpu.shuffle xor %largest, %c8_i32, %w16 : i32
      %max = arith.maxsi %largest, %other : i32
      memref.store %max, %most[%lane] : memref<16xi32>
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %src = gpu.alloc host_shared () : memref<64xf32>
    %dst = gpu.alloc host_shared () : memref<64xf32>
    %plane = gpu.alloc host_shared () : memref<16x32xi32>
    %most = gpu.alloc host_shared () : memref<16xi32>
    scf.for %i = %c0 to %c64 step %c1 {
      %n = arith.index_cast %i : index to i32
      %f = arith.sitofp %n : i32 to f32
      memref.store %f, %src[%i] : memref<64xf32>
    }
    scf.for %i = %c0 to %c16 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %i1 = arith.addi %i, %c1 : index
        %j1 = arith.addi %j, %c1 : index
        %p = arith.muli %i1, %j1 : index
        %n = arith.index_cast %p : index to i32
        memref.store %n, %plane[%i, %j] : memref<16x32xi32>
      }
    }
    %src_index = memref.extract_aligned_pointer_as_index %src : memref<64xf32> -> index
    %src_i64 = arith.index_cast %src_index : index to i64
    %dst_index = memref.extract_aligned_pointer_as_index %dst : memref<64xf32> -> index
    %dst_i64 = arith.index_cast %dst_index : index to i64
    %plane_index = memref.extract_aligned_pointer_as_index %plane : memref<16x32xi32> -> index
    %plane_i64 = arith.index_castui %plane_index : index to i64
    %plane_ui64 = builtin.unrealized_conversion_cast %plane_i64 : i64 to ui64
    gpu.launch_func @kernel::@copy_scaled blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%src_i64 : i64, %dst_i64 : i64, %plane_ui64 : ui64, %most : memref<16xi32>)
    gpu.wait
    %dst_any = memref.cast %dst : memref<64xf32> to memref<*xf32>
    call @printMemrefF32(%dst_any) : (memref<*xf32>) -> ()
    %text = memref.get_global @text : memref<6xi8>
    %c15 = arith.constant 15 : index
    %max = memref.load %most[%c15] : memref<16xi32>
    %wide = arith.extsi %max : i32 to i64
    %address = memref.extract_aligned_pointer_as_index %text : memref<6xi8> -> index
    %pointer_i64 = arith.index_cast %address : index to i64
    %pointer = llvm.inttoptr %pointer_i64 : i64 to !llvm.ptr
    call @printString(%pointer) : (!llvm.ptr) -> ()
    call @printI64(%wide) : (i64) -> ()
    call @printNewline() : () -> ()
    gpu.dealloc %src : memref<64xf32>
    gpu.dealloc %dst : memref<64xf32>
    return
  }
  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printString(!llvm.ptr)
  func.func private @printI64(i64)
  func.func private @printNewline()
}
