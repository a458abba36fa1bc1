// Lanes multiply bytes, and f16 with a B that is stored transposed: dwords of it are loaded and cast to pairs of halves.

// CHECK: 0 wrong
// CHECK-NEXT: [ALLCLOSE: TRUE]

module @gemm attributes {gpu.container_module} {
  memref.global "private" constant @wrong : memref<8xi8> = dense<[32, 119, 114, 111, 110, 103, 10, 0]>
  gpu.module @kernel [#xevm.target<chip = "pvc">] {
    gpu.func @bytes(%a: memref<16x64xi8>, %b: memref<64x32xi8>, %c: memref<16x32xi32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %x = gpu.block_id x
      %y = gpu.block_id y
      %m = arith.muli %x, %c8 : index
      %n = arith.muli %y, %c16 : index
      %ta = xegpu.create_nd_tdesc %a : memref<16x64xi8> -> !xegpu.tensor_desc<8x32xi8>
      %tb = xegpu.create_nd_tdesc %b : memref<64x32xi8> -> !xegpu.tensor_desc<32x16xi8>
      %tc = xegpu.create_nd_tdesc %c : memref<16x32xi32> -> !xegpu.tensor_desc<8x16xi32>
      %zero = arith.constant dense<0> : vector<8xi32>
      xegpu.prefetch_nd %tb[%c0, %n] : !xegpu.tensor_desc<32x16xi8>
      %sum = scf.for %k = %c0 to %c64 step %c32 iter_args(%acc = %zero) -> (vector<8xi32>) {
        %va = xegpu.load_nd %ta[%m, %k] : !xegpu.tensor_desc<8x32xi8> -> vector<16xi8>
        %vb = xegpu.load_nd %tb[%k, %n] <{packed}> : !xegpu.tensor_desc<32x16xi8> -> vector<32xi8>
        %d = xegpu.dpas %va, %vb, %acc : vector<16xi8>, vector<32xi8>, vector<8xi32> -> vector<8xi32>
        scf.yield %d : vector<8xi32>
      }
      xegpu.store_nd %sum, %tc[%m, %n] : vector<8xi32>, !xegpu.tensor_desc<8x16xi32>
      gpu.return
    }
    gpu.func @transposed(%a: memref<8x32xf16>, %b: memref<16x32xf16>, %c: memref<8x16xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %ta = xegpu.create_nd_tdesc %a : memref<8x32xf16> -> !xegpu.tensor_desc<8x16xf16>
      // Rows of B as dwords.
      %address = memref.extract_aligned_pointer_as_index %b : memref<16x32xf16> -> index
      %words = arith.index_cast %address : index to i64
      %tb = xegpu.create_nd_tdesc %words, shape : [16, 16], strides : [16, 1] : i64 -> !xegpu.tensor_desc<16x8xi32>
      %tc = xegpu.create_nd_tdesc %c : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
      %zero = arith.constant dense<0.0> : vector<8xf32>
      %sum = scf.for %k = %c0 to %c32 step %c16 iter_args(%acc = %zero) -> (vector<8xf32>) {
        %va = xegpu.load_nd %ta[%c0, %k] : !xegpu.tensor_desc<8x16xf16> -> vector<8xf16>
        %word = arith.divui %k, %c2 : index
        %vt = xegpu.load_nd %tb[%c0, %word] <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xi32> -> vector<8xi32>
        %vb = vector.bitcast %vt : vector<8xi32> to vector<16xf16>
        %d = xegpu.dpas %va, %vb, %acc : vector<8xf16>, vector<16xf16>, vector<8xf32> -> vector<8xf32>
        scf.yield %d : vector<8xf32>
      }
      xegpu.store_nd %sum, %tc[%c0, %c0] : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>
      gpu.return
    }
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %zero_f32 = arith.constant 0.0 : f32
    %low = arith.constant -50.0 : f32
    %high = arith.constant 50.0 : f32
    %minus = arith.constant -1.0 : f32
    %one = arith.constant 1.0 : f32
    %true = arith.constant true
    %false = arith.constant false
    %a = gpu.alloc host_shared () : memref<16x64xi8>
    %b = gpu.alloc host_shared () : memref<64x32xi8>
    %c = gpu.alloc host_shared () : memref<16x32xi32>
    %expected = memref.alloc() : memref<16x32xi32>
    %a_any = memref.cast %a : memref<16x64xi8> to memref<*xi8>
    %b_any = memref.cast %b : memref<64x32xi8> to memref<*xi8>
    call @fillResource1DRandomI8(%a_any, %low, %high, %true) : (memref<*xi8>, f32, f32, i1) -> ()
    call @fillResource1DRandomI8(%b_any, %low, %high, %true) : (memref<*xi8>, f32, f32, i1) -> ()
    scf.for %i = %c0 to %c16 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %s = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> i32 {
          %x = memref.load %a[%i, %k] : memref<16x64xi8>
          %y = memref.load %b[%k, %j] : memref<64x32xi8>
          %xw = arith.extsi %x : i8 to i32
          %yw = arith.extsi %y : i8 to i32
          %p = arith.muli %xw, %yw : i32
          %n = arith.addi %acc, %p : i32
          scf.yield %n : i32
        }
        memref.store %s, %expected[%i, %j] : memref<16x32xi32>
      }
    }
    gpu.launch_func @kernel::@bytes blocks in (%c2, %c2, %c1) threads in (%c16, %c1, %c1) args(%a : memref<16x64xi8>, %b : memref<64x32xi8>, %c : memref<16x32xi32>)
    %c_any = memref.cast %c : memref<16x32xi32> to memref<*xi32>
    %expected_any = memref.cast %expected : memref<16x32xi32> to memref<*xi32>
    %wrong = call @verifyMemRefI32(%c_any, %expected_any) : (memref<*xi32>, memref<*xi32>) -> i64
    call @printI64(%wrong) : (i64) -> ()
    %text = memref.get_global @wrong : memref<8xi8>
    %address = memref.extract_aligned_pointer_as_index %text : memref<8xi8> -> index
    %number = arith.index_cast %address : index to i64
    %pointer = llvm.inttoptr %number : i64 to !llvm.ptr
    call @printString(%pointer) : (!llvm.ptr) -> ()

    %f = gpu.alloc host_shared () : memref<8x32xf16>
    %g = gpu.alloc host_shared () : memref<16x32xf16>
    %h = gpu.alloc host_shared () : memref<8x16xf32>
    %e = memref.alloc() : memref<8x16xf32>
    %f_any = memref.cast %f : memref<8x32xf16> to memref<*xf16>
    %g_any = memref.cast %g : memref<16x32xf16> to memref<*xf16>
    call @fillResource1DRandomF16(%f_any, %minus, %one, %false) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%g_any, %minus, %one, %false) : (memref<*xf16>, f32, f32, i1) -> ()
    gpu.launch_func @kernel::@transposed blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%f : memref<8x32xf16>, %g : memref<16x32xf16>, %h : memref<8x16xf32>)
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c16 step %c1 {
        %s = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %zero_f32) -> f32 {
          %x = memref.load %f[%i, %k] : memref<8x32xf16>
          %y = memref.load %g[%j, %k] : memref<16x32xf16>
          %xw = arith.extf %x : f16 to f32
          %yw = arith.extf %y : f16 to f32
          %n = math.fma %xw, %yw, %acc : f32
          scf.yield %n : f32
        }
        memref.store %s, %e[%i, %j] : memref<8x16xf32>
      }
    }
    %h_any = memref.cast %h : memref<8x16xf32> to memref<*xf32>
    %e_any = memref.cast %e : memref<8x16xf32> to memref<*xf32>
    call @printAllcloseF32(%h_any, %e_any) : (memref<*xf32>, memref<*xf32>) -> ()
    return
  }
  func.func private @fillResource1DRandomI8(memref<*xi8>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @verifyMemRefI32(memref<*xi32>, memref<*xi32>) -> i64 attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printString(!llvm.ptr)
  func.func private @printI64(i64)
}
