// A whole program in the style of IMEX: inputs, launch, reference on the host, comparison.
module @gemm attributes {gpu.container_module} {
  memref.global "private" constant @identity : memref<4x4xf16> = dense<[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]>
  func.func @test(%a: memref<32x32xf16>, %b: memref<32x32xf16>) -> memref<32x32xf32> attributes {llvm.emit_c_interface} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %a_gpu = gpu.alloc host_shared () : memref<32x32xf16>
    %b_gpu = gpu.alloc host_shared () : memref<32x32xf16>
    %c_gpu = gpu.alloc host_shared () : memref<32x32xf32>
    memref.copy %a, %a_gpu : memref<32x32xf16> to memref<32x32xf16>
    memref.copy %b, %b_gpu : memref<32x32xf16> to memref<32x32xf16>
    gpu.launch_func @kernels::@gemm blocks in (%c4, %c2, %c1) threads in (%c1, %c1, %c1) args(%a_gpu : memref<32x32xf16>, %b_gpu : memref<32x32xf16>, %c_gpu : memref<32x32xf32>)
    gpu.dealloc %a_gpu : memref<32x32xf16>
    gpu.dealloc %b_gpu : memref<32x32xf16>
    return %c_gpu : memref<32x32xf32>
  }
  gpu.module @kernels {
    gpu.func @gemm(%a: memref<32x32xf16>, %b: memref<32x32xf16>, %c: memref<32x32xf32>) kernel attributes {VectorComputeFunctionINTEL, spirv.entry_point_abi = #spirv.entry_point_abi<>} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %i = arith.muli %bx, %c8 : index
      %j = arith.muli %by, %c16 : index
      %ct = xegpu.create_nd_tdesc %c[%i, %j] : memref<32x32xf32> -> !xegpu.tensor_desc<8x16xf32>
      %start = xegpu.load_nd %ct : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
      %sum = scf.for %k = %c0 to %c32 step %c16 iter_args(%acc = %start) -> (vector<8x16xf32>) {
        %at = xegpu.create_nd_tdesc %a[%i, %k] : memref<32x32xf16> -> !xegpu.tensor_desc<8x16xf16>
        %bt = xegpu.create_nd_tdesc %b[%k, %j] : memref<32x32xf16> -> !xegpu.tensor_desc<16x16xf16>
        %av = xegpu.load_nd %at : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
        %bv = xegpu.load_nd %bt <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
        %next = xegpu.dpas %av, %bv, %acc : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
        scf.yield %next : vector<8x16xf32>
      }
      xegpu.store_nd %sum, %ct : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
      gpu.return
    }
  }
  func.func @reference(%a: memref<32x32xf16>, %b: memref<32x32xf16>, %c: memref<32x32xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %start = memref.load %c[%i, %j] : memref<32x32xf32>
        %sum = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %start) -> (f32) {
          %x = memref.load %a[%i, %k] : memref<32x32xf16>
          %y = memref.load %b[%k, %j] : memref<32x32xf16>
          %xf = arith.extf %x : f16 to f32
          %yf = arith.extf %y : f16 to f32
          %xy = arith.mulf %xf, %yf : f32
          %next = arith.addf %acc, %xy : f32
          scf.yield %next : f32
        }
        memref.store %sum, %c[%i, %j] : memref<32x32xf32>
      }
    }
    return
  }
  func.func @main() attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %low = arith.constant -1.0 : f32
    %high = arith.constant 1.0 : f32
    %false = arith.constant false
    %a = memref.alloc() : memref<32x32xf16>
    %b = memref.alloc() {alignment = 64 : i64} : memref<32x32xf16>
    %expected = memref.alloc() : memref<32x32xf32>
    %a_any = memref.cast %a : memref<32x32xf16> to memref<*xf16>
    %expected_any = memref.cast %expected : memref<32x32xf32> to memref<*xf32>
    call @fillResource1DRandomF16(%a_any, %low, %high, %false) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DF32(%expected_any, %zero) : (memref<*xf32>, f32) -> ()
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %i_int = index.castu %i : index to i16
        %i_fp = arith.uitofp %i_int : i16 to f16
        memref.store %i_fp, %b[%i, %j] : memref<32x32xf16>
      }
    }
    %identity = memref.get_global @identity : memref<4x4xf16>
    %corner = memref.subview %b[0, 0] [4, 4] [1, 1] : memref<32x32xf16> to memref<4x4xf16, strided<[32, 1]>>
    memref.copy %identity, %corner : memref<4x4xf16> to memref<4x4xf16, strided<[32, 1]>>
    %result = call @test(%a, %b) : (memref<32x32xf16>, memref<32x32xf16>) -> memref<32x32xf32>
    call @reference(%a, %b, %expected) : (memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf32>) -> ()
    %result_any = memref.cast %result : memref<32x32xf32> to memref<*xf32>
    call @printAllcloseF32(%result_any, %expected_any) : (memref<*xf32>, memref<*xf32>) -> ()
    memref.dealloc %a : memref<32x32xf16>
    memref.dealloc %b : memref<32x32xf16>
    memref.dealloc %expected : memref<32x32xf32>
    gpu.dealloc %result : memref<32x32xf32>
    return
  }
  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DF32(memref<*xf32>, f32) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
}
