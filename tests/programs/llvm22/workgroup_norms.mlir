// Rows of a work-group that are normalised, with layouts on everything as the passes of LLVM 22 leave them; a gather from an
// address, a mask of rows, a transposed result and an unranked argument.
// RUN: mlir-opt %s --gpu-lower-to-xevm-pipeline="xegpu-op-level=workgroup zebin-chip=pvc igc-cmd-options=-ze-opt-large-register-file" | mlir-runner --shared-libs=%mlir_levelzero_runtime --entry-point-result=void | FileCheck %s
// CHECK: normalised
// CHECK: [ALLCLOSE: TRUE]
#l = #xegpu.layout<sg_layout = [8, 1], sg_data = [8, 64], inst_data = [8, 16], lane_layout = [1, 16], lane_data = [1, 1]>
#lt = #xegpu.layout<sg_layout = [1, 8], sg_data = [64, 8], inst_data = [16, 8], order = [0, 1]>
module @norms attributes {gpu.container_module} {
  memref.global "private" constant @gain : memref<64xf32> = dense<2.0>
  gpu.module @kernel [#xevm.target<O = 3, chip = "pvc">] {
    gpu.func @norms(%x: memref<*xf32>, %g: memref<64xf32>, %y: memref<64x64xf32>, %n: index, %p: i64) kernel attributes {intel_reqd_sub_group_size = 16 : i32, known_block_size = array<i32: 128, 1, 1>} {
      %xx = memref.cast %x : memref<*xf32> to memref<64x64xf32>
      %t = xegpu.create_nd_tdesc %xx : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32, #l>
      %v = xegpu.load_nd %t[0, 0] {layout_result_0 = #l} : !xegpu.tensor_desc<64x64xf32, #l> -> vector<64x64xf32>
      %c64 = arith.constant 64 : index
      %m = vector.create_mask %n, %c64 {layout_result_0 = #l} : vector<64x64xi1>
      %zz = arith.constant {layout_result_0 = #l} dense<0.0> : vector<64x64xf32>
      %w = arith.select %m, %v, %zz {layout_result_0 = #l} : vector<64x64xi1>, vector<64x64xf32>
      %sq = arith.mulf %w, %w fastmath<contract> {layout_result_0 = #l} : vector<64x64xf32>
      %z = arith.constant {layout_result_0 = #xegpu.slice<#l, dims = [1]>} dense<1.0> : vector<64xf32>
      %s = vector.multi_reduction <add>, %sq, %z {layout_result_0 = #xegpu.slice<#l, dims = [1]>} [1] : vector<64x64xf32> to vector<64xf32>
      %r = math.sqrt %s {layout_result_0 = #xegpu.slice<#l, dims = [1]>} : vector<64xf32>
      %rc = vector.shape_cast %r {layout_result_0 = #l} : vector<64xf32> to vector<64x1xf32>
      %b = vector.broadcast %rc {layout_result_0 = #l} : vector<64x1xf32> to vector<64x64xf32>
      %q = arith.divf %w, %b {layout_result_0 = #l} : vector<64x64xf32>
      %o = vector.step {layout_result_0 = #xegpu.slice<#l, dims = [0]>} : vector<64xindex>
      %k = vector.constant_mask [64] {layout_result_0 = #xegpu.slice<#l, dims = [0]>} : vector<64xi1>
      %gv = xegpu.load %p[%o], %k <{l1_hint = #xegpu.cache_hint<cached>}> : i64, vector<64xindex>, vector<64xi1> -> vector<64xf32>
      %gb = vector.broadcast %gv {layout_result_0 = #l} : vector<64xf32> to vector<64x64xf32>
      %h = arith.mulf %q, %gb {layout_result_0 = #l} : vector<64x64xf32>
      %ht = vector.transpose %h, [1, 0] {layout_result_0 = #lt} : vector<64x64xf32> to vector<64x64xf32>
      %u = xegpu.create_nd_tdesc %y, shape : [%c64, 64], strides : [64, 1] : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32, #lt>
      xegpu.store_nd %ht, %u[0, 0] <{l3_hint = #xegpu.cache_hint<write_back>}> : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32, #lt>
      gpu.return
    }
  }
  func.func @cpu(%x: memref<64x64xf32>, %e: memref<64x64xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    scf.for %i = %c0 to %n step %c1 {
      %s = scf.for %j = %c0 to %c64 step %c1 iter_args(%a = %one) -> f32 {
        %v = memref.load %x[%i, %j] : memref<64x64xf32>
        %q = arith.mulf %v, %v : f32
        %b = arith.addf %a, %q : f32
        scf.yield %b : f32
      }
      %r = math.sqrt %s : f32
      scf.for %j = %c0 to %c64 step %c1 {
        %v = memref.load %x[%i, %j] : memref<64x64xf32>
        %d = arith.divf %v, %r : f32
        %g = arith.mulf %d, %two : f32
        memref.store %g, %e[%j, %i] : memref<64x64xf32>
      }
    }
    return
  }
  func.func @main() attributes {llvm.emit_c_interface} {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %n = arith.constant 37 : index
    %f0 = arith.constant 0.0 : f32
    %low = arith.constant -1.0 : f32
    %high = arith.constant 1.0 : f32
    %false = arith.constant false
    %gain = memref.get_global @gain : memref<64xf32>
    %x = memref.alloc() : memref<64x64xf32>
    %y = memref.alloc() : memref<64x64xf32>
    %e = memref.alloc() : memref<64x64xf32>
    %xa = memref.cast %x : memref<64x64xf32> to memref<*xf32>
    %ya = memref.cast %y : memref<64x64xf32> to memref<*xf32>
    %ea = memref.cast %e : memref<64x64xf32> to memref<*xf32>
    call @fillResource1DRandomF32(%xa, %low, %high, %false) : (memref<*xf32>, f32, f32, i1) -> ()
    call @fillResource1DF32(%ea, %f0) : (memref<*xf32>, f32) -> ()
    call @cpu(%x, %e, %n) : (memref<64x64xf32>, memref<64x64xf32>, index) -> ()
    %begin = call @rtclock() : () -> f64
    %dx = gpu.alloc () : memref<64x64xf32>
    %dy = gpu.alloc () : memref<64x64xf32>
    %dg = gpu.alloc () : memref<64xf32>
    gpu.memcpy %dx, %x : memref<64x64xf32>, memref<64x64xf32>
    gpu.memcpy %dg, %gain : memref<64xf32>, memref<64xf32>
    %dxa = memref.cast %dx : memref<64x64xf32> to memref<*xf32>
    %ptr = memref.extract_aligned_pointer_as_index %dg : memref<64xf32> -> index
    %pi = arith.index_cast %ptr : index to i64
    gpu.launch_func @kernel::@norms blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%dxa : memref<*xf32>, %dg : memref<64xf32>, %dy : memref<64x64xf32>, %n : index, %pi : i64)
    gpu.wait
    gpu.memcpy %y, %dy : memref<64x64xf32>, memref<64x64xf32>
    gpu.dealloc %dx : memref<64x64xf32>
    gpu.dealloc %dy : memref<64x64xf32>
    gpu.dealloc %dg : memref<64xf32>
    %end = call @rtclock() : () -> f64
    vector.print str "normalised\0A"
    call @printAllcloseF32(%ya, %ea) : (memref<*xf32>, memref<*xf32>) -> ()
    return
  }
  func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DF32(memref<*xf32>, f32) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @rtclock() -> f64
}
