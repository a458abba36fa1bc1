// Lane code in the operations of XeVM: pointers of the host, 2-D block messages, a matrix product of dwords.

// CHECK: [ALLCLOSE: TRUE]

module @dpas attributes {gpu.container_module} {
  gpu.module @kernel [#xevm.target<chip = "pvc">] {
    gpu.func @product(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel attributes {intel_reqd_sub_group_size = 16 : i32} {
      %x = arith.constant 0 : i32
      %c8 = arith.constant 8 : i32
      %c16 = arith.constant 16 : i32
      %width = arith.constant 32 : i32
      %wide = arith.constant 64 : i32
      xevm.blockprefetch2d %a, %width, %c8, %width, %x, %x <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, cache_control = #xevm.load_cache_control<L1c_L2uc_L3uc>}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
      %va = xevm.blockload2d %a, %width, %c8, %width, %x, %x <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi16>
      %vb = xevm.blockload2d %b, %width, %c16, %width, %x, %x <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 16 : i32, v_blocks = 1 : i32, transpose = false, pack_register = true}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi32>
      %vc = xevm.blockload2d %c, %wide, %c8, %wide, %x, %x <{elem_size_in_bits = 32 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi32>
      %acc = vector.bitcast %vc : vector<8xi32> to vector<8xf32>
      %d = xevm.mma %va, %vb, %acc {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
      %bits = vector.bitcast %d : vector<8xf32> to vector<8xi32>
      xevm.memfence <{addrspace = #xevm.addr_space<global>, scope = #xevm.mem_scope<workgroup>}>
      xevm.blockstore2d %c, %wide, %c8, %wide, %x, %x, %bits <{elem_size_in_bits = 32 : i32, tile_width = 16 : i32, tile_height = 8 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<8xi32>)
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %low = arith.constant -4.0 : f32
    %high = arith.constant 4.0 : f32
    %true = arith.constant true
    %a = gpu.alloc host_shared () : memref<8x16xf16>
    %b = gpu.alloc host_shared () : memref<16x16xf16>
    %c = gpu.alloc host_shared () : memref<8x16xf32>
    %a_any = memref.cast %a : memref<8x16xf16> to memref<*xf16>
    %b_any = memref.cast %b : memref<16x16xf16> to memref<*xf16>
    %c_any = memref.cast %c : memref<8x16xf32> to memref<*xf32>
    call @fillResource1DRandomF16(%a_any, %low, %high, %true) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%b_any, %low, %high, %true) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF32(%c_any, %low, %high, %true) : (memref<*xf32>, f32, f32, i1) -> ()
    %expected = memref.alloc() : memref<8x16xf32>
    memref.copy %c, %expected : memref<8x16xf32> to memref<8x16xf32>
    %expected_any = memref.cast %expected : memref<8x16xf32> to memref<*xf32>
    call @gemmF16F16F32(%a_any, %b_any, %expected_any) : (memref<*xf16>, memref<*xf16>, memref<*xf32>) -> ()
    %a_index = memref.extract_aligned_pointer_as_index %a : memref<8x16xf16> -> index
    %a_i64 = arith.index_cast %a_index : index to i64
    %a_ptr = llvm.inttoptr %a_i64 : i64 to !llvm.ptr
    %a_global = llvm.addrspacecast %a_ptr : !llvm.ptr to !llvm.ptr<1>
    %b_index = memref.extract_aligned_pointer_as_index %b : memref<16x16xf16> -> index
    %b_i64 = arith.index_cast %b_index : index to i64
    %b_ptr = llvm.inttoptr %b_i64 : i64 to !llvm.ptr
    %b_global = llvm.addrspacecast %b_ptr : !llvm.ptr to !llvm.ptr<1>
    %c_index = memref.extract_aligned_pointer_as_index %c : memref<8x16xf32> -> index
    %c_i64 = arith.index_cast %c_index : index to i64
    %c_ptr = llvm.inttoptr %c_i64 : i64 to !llvm.ptr
    %c_global = llvm.addrspacecast %c_ptr : !llvm.ptr to !llvm.ptr<1>
    gpu.launch_func @kernel::@product blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%a_global : !llvm.ptr<1>, %b_global : !llvm.ptr<1>, %c_global : !llvm.ptr<1>)
    call @printAllcloseF32(%c_any, %expected_any) : (memref<*xf32>, memref<*xf32>) -> ()
    return
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @gemmF16F16F32(memref<*xf16>, memref<*xf16>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
