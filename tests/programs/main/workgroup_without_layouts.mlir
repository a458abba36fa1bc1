// A work-group's product and softmax in which nothing says who computes: the launch has eight subgroups, which divide it.
// RUN: mlir-opt %s --gpu-lower-to-xevm-pipeline="xegpu-op-level=workgroup" | mlir-runner --entry-point-result=void | FileCheck %s

// CHECK: [ALLCLOSE: TRUE]
// CHECK: sum of probabilities 64

module @plain attributes {gpu.container_module} {
  gpu.module @kernel [#xevm.target<chip = "bmg">] {
    gpu.func @gemm(%a: memref<64x128xf16>, %b: memref<128x64xf16>, %c: memref<64x64xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %ta = xegpu.create_nd_tdesc %a : memref<64x128xf16> -> !xegpu.tensor_desc<64x32xf16>
      %tb = xegpu.create_nd_tdesc %b : memref<128x64xf16> -> !xegpu.tensor_desc<32x64xf16>
      %zero = arith.constant dense<0.0> : vector<64x64xf32>
      %sum = scf.for %k = %c0 to %c128 step %c32 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
        xegpu.prefetch_nd %ta[%c0, %k] : !xegpu.tensor_desc<64x32xf16>
        %va = xegpu.load_nd %ta[%c0, %k] : !xegpu.tensor_desc<64x32xf16> -> vector<64x32xf16>
        %vb = xegpu.load_nd %tb[%k, %c0] : !xegpu.tensor_desc<32x64xf16> -> vector<32x64xf16>
        %next = xegpu.dpas %va, %vb, %acc : vector<64x32xf16>, vector<32x64xf16>, vector<64x64xf32> -> vector<64x64xf32>
        scf.yield %next : vector<64x64xf32>
      }
      %tc = xegpu.create_nd_tdesc %c : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
      xegpu.store_nd %sum, %tc[0, 0] : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32>
      gpu.return
    }
    gpu.func @softmax(%x: memref<64x64xf32>) kernel {
      %t = xegpu.create_nd_tdesc %x : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
      %v = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<64x64xf32> -> vector<64x64xf32>
      %lowest = arith.constant dense<0xFF800000> : vector<64xf32>
      %zero = arith.constant dense<0.0> : vector<64xf32>
      %max = vector.multi_reduction <maximumf>, %v, %lowest [1] : vector<64x64xf32> to vector<64xf32>
      %max_column = vector.shape_cast %max : vector<64xf32> to vector<64x1xf32>
      %maxima = vector.broadcast %max_column : vector<64x1xf32> to vector<64x64xf32>
      %d = arith.subf %v, %maxima : vector<64x64xf32>
      %e = math.exp %d : vector<64x64xf32>
      %sum = vector.multi_reduction <add>, %e, %zero [1] : vector<64x64xf32> to vector<64xf32>
      %sum_column = vector.shape_cast %sum : vector<64xf32> to vector<64x1xf32>
      %sums = vector.broadcast %sum_column : vector<64x1xf32> to vector<64x64xf32>
      %p = arith.divf %e, %sums : vector<64x64xf32>
      xegpu.store_nd %p, %t[0, 0] : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32>
      gpu.return
    }
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %low = arith.constant -4.0 : f32
    %high = arith.constant 4.0 : f32
    %true = arith.constant true
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %a = memref.alloc() : memref<64x128xf16>
    %b = memref.alloc() : memref<128x64xf16>
    %c = memref.alloc() : memref<64x64xf32>
    %e = memref.alloc() : memref<64x64xf32>
    %a_any = memref.cast %a : memref<64x128xf16> to memref<*xf16>
    %b_any = memref.cast %b : memref<128x64xf16> to memref<*xf16>
    %c_any = memref.cast %c : memref<64x64xf32> to memref<*xf32>
    %e_any = memref.cast %e : memref<64x64xf32> to memref<*xf32>
    call @fillResource1DRandomF16(%a_any, %low, %high, %true) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%b_any, %low, %high, %true) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DF32(%e_any, %zero) : (memref<*xf32>, f32) -> ()

    %t0 = gpu.wait async
    %da, %t1 = gpu.alloc async [%t0] () : memref<64x128xf16>
    %t2 = gpu.memcpy async [%t1] %da, %a : memref<64x128xf16>, memref<64x128xf16>
    %db, %t3 = gpu.alloc async [%t2] () : memref<128x64xf16>
    %t4 = gpu.memcpy async [%t3] %db, %b : memref<128x64xf16>, memref<128x64xf16>
    %dc, %t5 = gpu.alloc async [%t4] () : memref<64x64xf32>
    %t6 = gpu.launch_func async [%t5] @kernel::@gemm blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%da : memref<64x128xf16>, %db : memref<128x64xf16>, %dc : memref<64x64xf32>)
    %t7 = gpu.memcpy async [%t6] %c, %dc : memref<64x64xf32>, memref<64x64xf32>
    gpu.wait [%t7]
    call @gemmF16F16F32(%a_any, %b_any, %e_any) : (memref<*xf16>, memref<*xf16>, memref<*xf32>) -> ()
    call @printAllcloseF32(%c_any, %e_any) : (memref<*xf32>, memref<*xf32>) -> ()

    %t8 = gpu.wait async
    %t9 = gpu.launch_func async [%t8] @kernel::@softmax blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%dc : memref<64x64xf32>)
    %t10 = gpu.memcpy async [%t9] %c, %dc : memref<64x64xf32>, memref<64x64xf32>
    %t11 = gpu.dealloc async [%t10] %da : memref<64x128xf16>
    %t12 = gpu.dealloc async [%t11] %db : memref<128x64xf16>
    %t13 = gpu.dealloc async [%t12] %dc : memref<64x64xf32>
    gpu.wait [%t13]
    %total = scf.for %i = %c0 to %c64 step %c1 iter_args(%rows = %zero) -> (f32) {
      %row = scf.for %j = %c0 to %c64 step %c1 iter_args(%sum = %rows) -> (f32) {
        %p = memref.load %c[%i, %j] : memref<64x64xf32>
        %next = arith.addf %sum, %p : f32
        scf.yield %next : f32
      }
      scf.yield %row : f32
    }
    %rounded = arith.addf %total, %half : f32
    %whole = arith.fptosi %rounded : f32 to i64
    vector.print str "sum of probabilities "
    call @printI64(%whole) : (i64) -> ()
    call @printNewline() : () -> ()
    return
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DF32(memref<*xf32>, f32) attributes {llvm.emit_c_interface}
  func.func private @gemmF16F16F32(memref<*xf16>, memref<*xf16>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printI64(i64)
  func.func private @printNewline()
}
