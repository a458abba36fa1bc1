// Work-groups: a transposed matrix, a transposed operand of a product, other owners by convert_layout, a column sum.

// CHECK: [ALLCLOSE: TRUE]
// CHECK-NEXT: [ALLCLOSE: TRUE]
// CHECK-NEXT: [ALLCLOSE: TRUE]

#in = #xegpu.layout<sg_layout = [2, 4], sg_data = [32, 16], order = [0, 1]>
#out = #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 32], order = [1, 0]>
#c = #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 32]>
#a = #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 64]>
#b = #xegpu.layout<sg_layout = [4, 2], sg_data = [64, 32]>
#other = #xegpu.layout<sg_layout = [2, 4], sg_data = [32, 16]>
#columns = #xegpu.slice<#c, dims = [0]>
module @transposes attributes {gpu.container_module} {
  gpu.module @kernel [#xevm.target<chip = "pvc">] {
    gpu.func @transpose(%x: memref<64x64xf32>, %y: memref<64x64xf32>) kernel {
      %c0 = arith.constant 0 : index
      %tx = xegpu.create_nd_tdesc %x : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32, #in>
      %v = xegpu.load_nd %tx[%c0, %c0] <{layout = #in}> : !xegpu.tensor_desc<64x64xf32, #in> -> vector<64x64xf32>
      %t = vector.transpose %v, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
      %ty = xegpu.create_nd_tdesc %y : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32, #out>
      xegpu.store_nd %t, %ty[%c0, %c0] <{layout = #out}> : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32, #out>
      gpu.return
    }
    gpu.func @product(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>, %sums: memref<64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %ta = xegpu.create_nd_tdesc %a : memref<64x64xf16> -> !xegpu.tensor_desc<64x64xf16>
      %tb = xegpu.create_nd_tdesc %b : memref<64x64xf16> -> !xegpu.tensor_desc<64x64xf16>
      %tc = xegpu.create_nd_tdesc %c : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
      %ts = xegpu.create_nd_tdesc %sums : memref<64xf32> -> !xegpu.tensor_desc<64xf32>
      %va = xegpu.load_nd %ta[0, 0] : !xegpu.tensor_desc<64x64xf16> -> vector<64x64xf16>
      %vb = xegpu.load_nd %tb[0, 0] : !xegpu.tensor_desc<64x64xf16> -> vector<64x64xf16>
      %vt = vector.transpose %vb, [1, 0] : vector<64x64xf16> to vector<64x64xf16>
      %d = xegpu.dpas %va, %vt {layout_a = #a, layout_b = #b, layout_cd = #c} : vector<64x64xf16>, vector<64x64xf16> -> vector<64x64xf32>
      %half = arith.constant dense<0.5> : vector<64x64xf32>
      %e = arith.mulf %d, %half fastmath<fast> : vector<64x64xf32>
      %zero = arith.constant dense<0.0> : vector<64xf32>
      %s = vector.multi_reduction <add>, %e, %zero [0] : vector<64x64xf32> to vector<64xf32>
      %moved = xegpu.convert_layout %e <{input_layout = #c, target_layout = #other}> : vector<64x64xf32>
      xegpu.store_nd %moved, %tc[0, 0] <{layout = #other}> : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32>
      xegpu.store_nd %s, %ts[0] <{layout = #columns}> : vector<64xf32>, !xegpu.tensor_desc<64xf32>
      gpu.return
    }
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %low = arith.constant -3.0 : f32
    %high = arith.constant 3.0 : f32
    %true = arith.constant true
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %x = gpu.alloc host_shared () : memref<64x64xf32>
    %y = gpu.alloc host_shared () : memref<64x64xf32>
    %a = gpu.alloc host_shared () : memref<64x64xf16>
    %b = gpu.alloc host_shared () : memref<64x64xf16>
    %c = gpu.alloc host_shared () : memref<64x64xf32>
    %s = gpu.alloc host_shared () : memref<64xf32>
    %x_any = memref.cast %x : memref<64x64xf32> to memref<*xf32>
    %y_any = memref.cast %y : memref<64x64xf32> to memref<*xf32>
    %a_any = memref.cast %a : memref<64x64xf16> to memref<*xf16>
    %b_any = memref.cast %b : memref<64x64xf16> to memref<*xf16>
    %c_any = memref.cast %c : memref<64x64xf32> to memref<*xf32>
    %s_any = memref.cast %s : memref<64xf32> to memref<*xf32>
    call @fillResource1DRandomF32(%x_any, %low, %high, %true) : (memref<*xf32>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%a_any, %low, %high, %true) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%b_any, %low, %high, %true) : (memref<*xf16>, f32, f32, i1) -> ()
    gpu.launch_func @kernel::@transpose blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<64x64xf32>, %y : memref<64x64xf32>)
    gpu.launch_func @kernel::@product blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%a : memref<64x64xf16>, %b : memref<64x64xf16>, %c : memref<64x64xf32>, %s : memref<64xf32>)
    %turned = memref.alloc() : memref<64x64xf32>
    %product = memref.alloc() : memref<64x64xf32>
    %sums = memref.alloc() : memref<64xf32>
    scf.for %i = %c0 to %c64 step %c1 {
      memref.store %zero, %sums[%i] : memref<64xf32>
    }
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %v = memref.load %x[%i, %j] : memref<64x64xf32>
        memref.store %v, %turned[%j, %i] : memref<64x64xf32>
        %r = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> f32 {
          %e = memref.load %a[%i, %k] : memref<64x64xf16>
          %f = memref.load %b[%j, %k] : memref<64x64xf16>
          %ew = arith.extf %e : f16 to f32
          %fw = arith.extf %f : f16 to f32
          %n = math.fma %ew, %fw, %acc : f32
          scf.yield %n : f32
        }
        %h = arith.mulf %r, %half : f32
        memref.store %h, %product[%i, %j] : memref<64x64xf32>
        %so_far = memref.load %sums[%j] : memref<64xf32>
        %next = arith.addf %so_far, %h : f32
        memref.store %next, %sums[%j] : memref<64xf32>
      }
    }
    %turned_any = memref.cast %turned : memref<64x64xf32> to memref<*xf32>
    %product_any = memref.cast %product : memref<64x64xf32> to memref<*xf32>
    %sums_any = memref.cast %sums : memref<64xf32> to memref<*xf32>
    call @printAllcloseF32(%y_any, %turned_any) : (memref<*xf32>, memref<*xf32>) -> ()
    call @printAllcloseF32(%c_any, %product_any) : (memref<*xf32>, memref<*xf32>) -> ()
    call @printAllcloseF32(%s_any, %sums_any) : (memref<*xf32>, memref<*xf32>) -> ()
    return
  }
  func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
