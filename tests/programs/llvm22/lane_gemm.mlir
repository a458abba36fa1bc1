// A product of f16 matrices by lanes: fragments are plain vectors of rank 1. The target stands on the module, copies have no tokens.

module @gemm attributes {gpu.container_module} {
  gpu.module @kernel [#xevm.target<O = 3, chip = "pvc">] {
    gpu.func @gemm(%a: memref<32x64xf16>, %b: memref<64x32xf16>, %c: memref<32x32xf32>) kernel attributes {intel_reqd_sub_group_size = 16 : i32} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %block_x = gpu.block_id x
      %block_y = gpu.block_id y
      %m = arith.muli %block_x, %c8 overflow<nsw> : index
      %n = arith.muli %block_y, %c16 overflow<nsw> : index
      %ta = xegpu.create_nd_tdesc %a : memref<32x64xf16> -> !xegpu.tensor_desc<8x16xf16>
      %tb = xegpu.create_nd_tdesc %b : memref<64x32xf16> -> !xegpu.tensor_desc<16x16xf16>
      %tc = xegpu.create_nd_tdesc %c : memref<32x32xf32> -> !xegpu.tensor_desc<8x16xf32>
      xegpu.prefetch_nd %ta[%m, %c0] <{l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<8x16xf16>
      %c_init = xegpu.load_nd %tc[%m, %n] : !xegpu.tensor_desc<8x16xf32> -> vector<8xf32>
      %sum = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %c_init) -> (vector<8xf32>) {
        %va = xegpu.load_nd %ta[%m, %k] : !xegpu.tensor_desc<8x16xf16> -> vector<8xf16>
        %vb = xegpu.load_nd %tb[%k, %n] <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<16xf16>
        %next = xegpu.dpas %va, %vb, %acc : vector<8xf16>, vector<16xf16>, vector<8xf32> -> vector<8xf32>
        scf.yield %next : vector<8xf32>
      }
      xegpu.store_nd %sum, %tc[%m, %n] <{l1_hint = #xegpu.cache_hint<write_back>, l2_hint = #xegpu.cache_hint<uncached>}> : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>
      gpu.return
    }
  }

  func.func @test(%a: memref<32x64xf16>, %b: memref<64x32xf16>, %c: memref<32x32xf32>) -> memref<32x32xf32> attributes {llvm.emit_c_interface} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %a_gpu = gpu.alloc () : memref<32x64xf16>
    gpu.memcpy %a_gpu, %a : memref<32x64xf16>, memref<32x64xf16>
    %b_gpu = gpu.alloc () : memref<64x32xf16>
    gpu.memcpy %b_gpu, %b : memref<64x32xf16>, memref<64x32xf16>
    %c_gpu = gpu.alloc () : memref<32x32xf32>
    gpu.memcpy %c_gpu, %c : memref<32x32xf32>, memref<32x32xf32>
    gpu.launch_func @kernel::@gemm blocks in (%c4, %c2, %c1) threads in (%c16, %c1, %c1) args(%a_gpu : memref<32x64xf16>, %b_gpu : memref<64x32xf16>, %c_gpu : memref<32x32xf32>)
    gpu.wait
    gpu.memcpy %c, %c_gpu : memref<32x32xf32>, memref<32x32xf32>
    gpu.dealloc %a_gpu : memref<32x64xf16>
    gpu.dealloc %b_gpu : memref<64x32xf16>
    gpu.dealloc %c_gpu : memref<32x32xf32>
    return %c : memref<32x32xf32>
  }

  func.func @main() attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %one_f16 = arith.constant 1.0 : f16
    %zero_f16 = arith.constant 0.0 : f16
    %a = memref.alloc() : memref<32x64xf16>
    %b = memref.alloc() : memref<64x32xf16>
    %c = memref.alloc() : memref<32x32xf32>
    %reference = memref.alloc() : memref<32x32xf32>
    // A counts along its rows, B is the identity.
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %t = index.castu %j : index to i16
        %v = arith.uitofp %t : i16 to f16
        memref.store %v, %a[%i, %j] : memref<32x64xf16>
      }
    }
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %is_same = arith.cmpi eq, %i, %j : index
        scf.if %is_same {
          memref.store %one_f16, %b[%i, %j] : memref<64x32xf16>
        } else {
          memref.store %zero_f16, %b[%i, %j] : memref<64x32xf16>
        }
      }
    }
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        memref.store %zero, %c[%i, %j] : memref<32x32xf32>
        %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> (f32) {
          %x = memref.load %a[%i, %k] : memref<32x64xf16>
          %y = memref.load %b[%k, %j] : memref<64x32xf16>
          %p = arith.mulf %x, %y : f16
          %w = arith.extf %p : f16 to f32
          %s = arith.addf %w, %acc : f32
          scf.yield %s : f32
        }
        memref.store %sum, %reference[%i, %j] : memref<32x32xf32>
      }
    }
    %result = call @test(%a, %b, %c) : (memref<32x64xf16>, memref<64x32xf16>, memref<32x32xf32>) -> memref<32x32xf32>
    %result_any = memref.cast %result : memref<32x32xf32> to memref<*xf32>
    call @printMemrefF32(%result_any) : (memref<*xf32>) -> ()
    %reference_any = memref.cast %reference : memref<32x32xf32> to memref<*xf32>
    call @printMemrefF32(%reference_any) : (memref<*xf32>) -> ()
    memref.dealloc %a : memref<32x64xf16>
    memref.dealloc %b : memref<64x32xf16>
    memref.dealloc %c : memref<32x32xf32>
    memref.dealloc %reference : memref<32x32xf32>
    return
  }
  func.func private @printMemrefF32(%ptr: memref<*xf32>) attributes {llvm.emit_c_interface}
  // CHECK: Unranked Memref base@ = 0x{{[0-9a-f]+}}
  // CHECK-COUNT-32: [0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,   11,   12,   13,   14,   15,   16,   17,   18,   19,   20,   21,   22,   23,   24,   25,   26,   27,   28,   29,   30,   31]
  // CHECK: Unranked Memref base@ = 0x{{[0-9a-f]+}}
  // CHECK-COUNT-32: [0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,   11,   12,   13,   14,   15,   16,   17,   18,   19,   20,   21,   22,   23,   24,   25,   26,   27,   28,   29,   30,   31]
}
