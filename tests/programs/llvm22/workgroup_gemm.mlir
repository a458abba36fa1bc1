// A product by work-groups of eight subgroups: layouts on everything, work-items in the sizes of groups.

// CHECK: [ALLCLOSE: TRUE]

#a = #xegpu.layout<sg_layout = [2, 4], sg_data = [16, 16], inst_data = [8, 16]>
#b = #xegpu.layout<sg_layout = [2, 4], sg_data = [16, 16], inst_data = [16, 16]>
#c = #xegpu.layout<sg_layout = [2, 4], sg_data = [16, 16], inst_data = [8, 16]>
#a_prefetch = #xegpu.layout<sg_layout = [8, 1], sg_data = [4, 16]>
module @gemm attributes {gpu.container_module} {
  gpu.module @kernel [#xevm.target<chip = "pvc">] {
    gpu.func @gemm(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %m = arith.muli %bx, %c32 : index
      %n = arith.muli %by, %c64 : index
      %tc = xegpu.create_nd_tdesc %c : memref<64x64xf32> -> !xegpu.tensor_desc<32x64xf32, #c>
      %init = xegpu.load_nd %tc[%m, %n] {layout = #c} : !xegpu.tensor_desc<32x64xf32, #c> -> vector<32x64xf32>
      %ta = xegpu.create_nd_tdesc %a : memref<64x64xf16> -> !xegpu.tensor_desc<32x16xf16, #a>
      %tb = xegpu.create_nd_tdesc %b : memref<64x64xf16> -> !xegpu.tensor_desc<16x64xf16, #b>
      %tp = xegpu.create_nd_tdesc %a : memref<64x64xf16> -> !xegpu.tensor_desc<32x16xf16, #a_prefetch>
      %sum = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %init) -> vector<32x64xf32> {
        %next = arith.addi %k, %c16 : index
        xegpu.prefetch_nd %tp[%m, %next] : !xegpu.tensor_desc<32x16xf16, #a_prefetch>
        %va = xegpu.load_nd %ta[%m, %k] {layout = #a} : !xegpu.tensor_desc<32x16xf16, #a> -> vector<32x16xf16>
        %vb = xegpu.load_nd %tb[%k, %n] {layout = #b} : !xegpu.tensor_desc<16x64xf16, #b> -> vector<16x64xf16>
        %d = xegpu.dpas %va, %vb, %acc {layout_a = #a, layout_b = #b, layout_cd = #c} : vector<32x16xf16>, vector<16x64xf16>, vector<32x64xf32> -> vector<32x64xf32>
        scf.yield %d : vector<32x64xf32>
      } {layout_result_0 = #c}
      xegpu.store_nd %sum, %tc[%m, %n] {layout = #c} : vector<32x64xf32>, !xegpu.tensor_desc<32x64xf32, #c>
      gpu.return
    }
  }
  func.func @main() attributes {llvm.emit_c_interface} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %low = arith.constant -2.0 : f32
    %high = arith.constant 2.0 : f32
    %zero = arith.constant 0.0 : f32
    %false = arith.constant 0 : i1
    %a = memref.alloc() : memref<64x64xf16>
    %b = memref.alloc() : memref<64x64xf16>
    %c = memref.alloc() : memref<64x64xf32>
    %expected = memref.alloc() : memref<64x64xf32>
    %a_any = memref.cast %a : memref<64x64xf16> to memref<*xf16>
    %b_any = memref.cast %b : memref<64x64xf16> to memref<*xf16>
    %c_any = memref.cast %c : memref<64x64xf32> to memref<*xf32>
    %expected_any = memref.cast %expected : memref<64x64xf32> to memref<*xf32>
    call @fillResource1DRandomF16(%a_any, %low, %high, %false) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%b_any, %low, %high, %false) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DF32(%expected_any, %zero) : (memref<*xf32>, f32) -> ()
    %da = gpu.alloc () : memref<64x64xf16>
    %db = gpu.alloc () : memref<64x64xf16>
    %dc = gpu.alloc () : memref<64x64xf32>
    gpu.memcpy %da, %a : memref<64x64xf16>, memref<64x64xf16>
    gpu.memcpy %db, %b : memref<64x64xf16>, memref<64x64xf16>
    %ga = memref.memory_space_cast %da : memref<64x64xf16> to memref<64x64xf16, 1>
    %a1 = memref.memory_space_cast %ga : memref<64x64xf16, 1> to memref<64x64xf16>
    gpu.launch_func @kernel::@gemm blocks in (%c2, %c1, %c1) threads in (%c128, %c1, %c1) args(%a1 : memref<64x64xf16>, %db : memref<64x64xf16>, %dc : memref<64x64xf32>)
    gpu.wait
    gpu.memcpy %c, %dc : memref<64x64xf32>, memref<64x64xf32>
    call @gemmF16F16F32(%a_any, %b_any, %expected_any) : (memref<*xf16>, memref<*xf16>, memref<*xf32>) -> ()
    call @printAllcloseF32(%c_any, %expected_any) : (memref<*xf32>, memref<*xf32>) -> ()
    gpu.dealloc %da : memref<64x64xf16>
    gpu.dealloc %db : memref<64x64xf16>
    gpu.dealloc %dc : memref<64x64xf32>
    return
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DF32(memref<*xf32>, f32) attributes {llvm.emit_c_interface}
  func.func private @gemmF16F16F32(memref<*xf16>, memref<*xf16>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
