// Host code allocates shared local memory, twice as large as what one kernel needs, and passes it to two kernels: one sees
// bytes as f16, the other moves a block of f32 through it by gathers. Older spellings of XeGPU: `vnni_axis`, no terminators.

// RUN: xegpu-run %s --filecheck=CHECK -q --check=all

// CHECK:      Unranked Memref base@ = 0x{{[0-9a-f]+}} rank = 2 offset = 0 sizes = [8, 16] strides = [16, 1] data =
// CHECK-NEXT: {{\[\[}}0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,   11,   12,   13,   14,   15],
// CHECK:      [112,   113,   114,
// CHECK:      [ALLCLOSE: TRUE]

module @local attributes {gpu.container_module} {
  func.func private @printMemrefF16(memref<*xf16>) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1) attributes {llvm.emit_c_interface}

  func.func @main() attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %low = arith.constant -4.0 : f32
    %high = arith.constant 4.0 : f32
    %true = arith.constant true
    %half = gpu.alloc host_shared () : memref<8x16xf16>
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c16 step %c1 {
        %row = arith.muli %i, %c16 : index
        %n = arith.addi %row, %j : index
        %number = index.castu %n : index to i32
        %value = arith.uitofp %number : i32 to f16
        memref.store %value, %half[%i, %j] : memref<8x16xf16>
      }
    }
    %bytes = memref.alloc() : memref<512xi8, 3>
    %copy = gpu.alloc host_shared () : memref<8x16xf16>
    gpu.launch_func @kernels::@through_bytes blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%half : memref<8x16xf16>, %copy : memref<8x16xf16>, %bytes : memref<512xi8, 3>)
    %copy_any = memref.cast %copy : memref<8x16xf16> to memref<*xf16>
    call @printMemrefF16(%copy_any) : (memref<*xf16>) -> ()

    %square = gpu.alloc host_shared () : memref<16x16xf32>
    %square_any = memref.cast %square : memref<16x16xf32> to memref<*xf32>
    call @fillResource1DRandomF32(%square_any, %low, %high, %true) : (memref<*xf32>, f32, f32, i1) -> ()
    %turned = gpu.alloc host_shared () : memref<16x16xf32>
    %words = memref.alloc(%c16, %c16) : memref<?x?xf32, #gpu.address_space<workgroup>>
    gpu.launch_func @kernels::@transpose blocks in (%c1, %c1, %c1) threads in (%c16, %c16, %c1) args(%square : memref<16x16xf32>, %turned : memref<16x16xf32>, %words : memref<?x?xf32, #gpu.address_space<workgroup>>)
    %expected = memref.alloc() : memref<16x16xf32>
    linalg.transpose ins(%square : memref<16x16xf32>) outs(%expected : memref<16x16xf32>) permutation = [1, 0]
    %turned_any = memref.cast %turned : memref<16x16xf32> to memref<*xf32>
    %expected_any = memref.cast %expected : memref<16x16xf32> to memref<*xf32>
    call @printAllcloseF32(%turned_any, %expected_any) : (memref<*xf32>, memref<*xf32>) -> ()
    return
  }

  gpu.module @kernels {
    gpu.func @through_bytes(%source: memref<8x16xf16>, %target: memref<8x16xf16>, %local: memref<512xi8, 3>) kernel attributes {VectorComputeFunctionINTEL, spirv.entry_point_abi = #spirv.entry_point_abi<>} {
      %c256 = arith.constant 256 : index
      %in = xegpu.create_nd_tdesc %source[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16>
      %pairs = xegpu.load_nd %in {vnni_axis = 1 : i64} : !xegpu.tensor_desc<8x16xf16> -> vector<8x8x2xf16>
      %flat = vector.shape_cast %pairs : vector<8x8x2xf16> to vector<128xf16>
      %halves = memref.view %local[%c256][] : memref<512xi8, 3> to memref<128xf16, 3>
      %there = xegpu.create_nd_tdesc %halves[0] : memref<128xf16, 3> -> !xegpu.tensor_desc<128xf16, #xegpu.block_tdesc_attr<memory_space = slm, boundary_check = false>>
      xegpu.store_nd %flat, %there : vector<128xf16>, !xegpu.tensor_desc<128xf16, #xegpu.block_tdesc_attr<memory_space = slm, boundary_check = false>>
      xegpu.fence {memory_kind = "shared", scope = "workgroup"}
      %back = xegpu.load_nd %there : !xegpu.tensor_desc<128xf16, #xegpu.block_tdesc_attr<memory_space = slm, boundary_check = false>> -> vector<128xf16>
      %block = vector.shape_cast %back : vector<128xf16> to vector<8x16xf16>
      %out = xegpu.create_nd_tdesc %target[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16>
      xegpu.store_nd %block, %out : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>
    }
    gpu.func @transpose(%source: memref<16x16xf32>, %target: memref<16x16xf32>, %local: memref<?x?xf32, #gpu.address_space<workgroup>>) kernel {
      %i = gpu.thread_id x
      %j = gpu.thread_id y
      %v = memref.load %source[%j, %i] : memref<16x16xf32>
      memref.store %v, %local[%i, %j] : memref<?x?xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %w = memref.load %local[%j, %i] : memref<?x?xf32, #gpu.address_space<workgroup>>
      memref.store %w, %target[%j, %i] : memref<16x16xf32>
    }
  }
}
