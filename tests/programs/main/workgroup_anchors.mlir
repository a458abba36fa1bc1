// Work-groups in the style of LLVM after 22: offsets on accesses, layouts on anchors only, a reduction across subgroups, a broadcast back.

// CHECK: [ALLCLOSE: TRUE]

#rows = #xegpu.layout<sg_layout = [4, 2], sg_data = [8, 32]>
module @softmax attributes {gpu.container_module} {
  gpu.module @kernel [#xevm.target<chip = "bmg">] {
    gpu.func @softmax(%x: memref<64x64xf16>, %y: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
      %c32 = arith.constant 32 : index
      %b = gpu.block_id x
      %m = arith.muli %b, %c32 : index
      %tx = xegpu.create_nd_tdesc %x : memref<64x64xf16> -> !xegpu.tensor_desc<32x64xf16>
      %h = xegpu.load_nd %tx[%m, 0] <{layout = #rows}> : !xegpu.tensor_desc<32x64xf16> -> vector<32x64xf16>
      %v = arith.extf %h : vector<32x64xf16> to vector<32x64xf32>
      %low = arith.constant dense<0xFF800000> : vector<32xf32>
      %zero = arith.constant dense<0.0> : vector<32xf32>
      %max = vector.multi_reduction <maximumf>, %v, %low [1] : vector<32x64xf32> to vector<32xf32>
      %max_column = vector.shape_cast %max : vector<32xf32> to vector<32x1xf32>
      %max_all = vector.broadcast %max_column : vector<32x1xf32> to vector<32x64xf32>
      %d = arith.subf %v, %max_all : vector<32x64xf32>
      %e = math.exp %d fastmath<fast> : vector<32x64xf32>
      %sum = vector.multi_reduction <add>, %e, %zero [1] : vector<32x64xf32> to vector<32xf32>
      %sum_column = vector.shape_cast %sum : vector<32xf32> to vector<32x1xf32>
      %sum_all = vector.broadcast %sum_column : vector<32x1xf32> to vector<32x64xf32>
      %p = arith.divf %e, %sum_all : vector<32x64xf32>
      %ty = xegpu.create_nd_tdesc %y : memref<64x64xf32> -> !xegpu.tensor_desc<32x64xf32>
      xegpu.store_nd %p, %ty[%m, 0] <{layout = #rows}> : vector<32x64xf32>, !xegpu.tensor_desc<32x64xf32>
      gpu.return
    }
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %low = arith.constant -3.0 : f32
    %high = arith.constant 3.0 : f32
    %false = arith.constant false
    %zero = arith.constant 0.0 : f32
    %x = gpu.alloc host_shared () : memref<64x64xf16>
    %y = gpu.alloc host_shared () : memref<64x64xf32>
    %x_any = memref.cast %x : memref<64x64xf16> to memref<*xf16>
    call @fillResource1DRandomF16(%x_any, %low, %high, %false) : (memref<*xf16>, f32, f32, i1) -> ()
    gpu.launch_func @kernel::@softmax blocks in (%c2, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<64x64xf16>, %y : memref<64x64xf32>)
    %expected = memref.alloc() : memref<64x64xf32>
    scf.for %i = %c0 to %c64 step %c1 {
      %sum = scf.for %j = %c0 to %c64 step %c1 iter_args(%s = %zero) -> f32 {
        %v = memref.load %x[%i, %j] : memref<64x64xf16>
        %w = arith.extf %v : f16 to f32
        %e = math.exp %w : f32
        memref.store %e, %expected[%i, %j] : memref<64x64xf32>
        %n = arith.addf %s, %e : f32
        scf.yield %n : f32
      }
      scf.for %j = %c0 to %c64 step %c1 {
        %e = memref.load %expected[%i, %j] : memref<64x64xf32>
        %p = arith.divf %e, %sum : f32
        memref.store %p, %expected[%i, %j] : memref<64x64xf32>
      }
    }
    %y_any = memref.cast %y : memref<64x64xf32> to memref<*xf32>
    %expected_any = memref.cast %expected : memref<64x64xf32> to memref<*xf32>
    call @printAllcloseF32(%y_any, %expected_any) : (memref<*xf32>, memref<*xf32>) -> ()
    return
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
