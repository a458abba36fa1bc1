// Gathers of any rank from memrefs and from addresses in the style after LLVM 22: masks by positions, shapes with units, a prefetch.

// CHECK: rank = 2 offset = 0 sizes = [4, 16] strides = [16, 1] data =
// CHECK-NEXT: {{\[\[}}0,   7,   14,   21,   28,   35,   42,   49,   56,   63,   70,   77,   84,   91,   98,   105],
// CHECK-NEXT: [112,
// CHECK-NEXT: [224,
// CHECK-NEXT: [0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0]]
// CHECK: rank = 1 offset = 0 sizes = [2] strides = [1] data =
// CHECK-NEXT: [7896, 240]

module attributes {gpu.container_module} {
  memref.global "private" @source : memref<512xi32> = uninitialized
  gpu.module @kernel [#xevm.target<chip = "bmg">] {
    gpu.func @gather(%x: memref<512xi32>, %y: memref<4x16xi32>, %z: memref<2xi32>) kernel attributes {intel_reqd_sub_group_size = 16 : i32} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c16 = arith.constant 16 : index
      %lanes = vector.step : vector<16xindex>
      %rows = vector.step : vector<4xindex>
      %rows_column = vector.shape_cast %rows : vector<4xindex> to vector<4x1xindex>
      %rows_all = vector.broadcast %rows_column : vector<4x1xindex> to vector<4x16xindex>
      %lanes_all = vector.broadcast %lanes : vector<16xindex> to vector<4x16xindex>
      %sixteen = arith.constant dense<16> : vector<4x16xindex>
      %seven = arith.constant dense<7> : vector<4x16xindex>
      %starts = arith.muli %rows_all, %sixteen : vector<4x16xindex>
      %numbers = arith.addi %starts, %lanes_all overflow<nsw, nuw> : vector<4x16xindex>
      %places = arith.muli %numbers, %seven : vector<4x16xindex>
      %mask = vector.create_mask %c3, %c16 : vector<4x16xi1>
      xegpu.prefetch %x[%places] : memref<512xi32>, vector<4x16xindex>
      %v = xegpu.load %x[%places], %mask <{layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>, l1_hint = #xegpu.cache_hint<streaming>}> : memref<512xi32>, vector<4x16xindex>, vector<4x16xi1> -> vector<4x16xi32>
      %zeros = arith.constant dense<0> : vector<4x16xi32>
      %w = arith.select %mask, %v, %zeros : vector<4x16xi1>, vector<4x16xi32>
      %to_index = memref.extract_aligned_pointer_as_index %y : memref<4x16xi32> -> index
      %to = arith.index_cast %to_index : index to i64
      %all = vector.constant_mask [4, 16] : vector<4x16xi1>
      xegpu.store %w, %to[%numbers], %all : vector<4x16xi32>, i64, vector<4x16xindex>, vector<4x16xi1>
      %cube = vector.shape_cast %w : vector<4x16xi32> to vector<1x4x16xi32>
      %z16 = arith.constant dense<0> : vector<1x16xi32>
      %s = vector.multi_reduction <add>, %cube, %z16 [1] : vector<1x4x16xi32> to vector<1x16xi32>
      %line = vector.shape_cast %s : vector<1x16xi32> to vector<16xi32>
      %sum = vector.reduction <add>, %line : vector<16xi32> into i32
      memref.store %sum, %z[%c0] : memref<2xi32>
      // A row of a small buffer by a transfer, with padding behind its end.
      %pad = arith.constant 0 : i32
      %row = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true]} : memref<4x16xi32>, vector<16xi32>
      %wide = vector.transfer_read %y[%c3, %c0], %pad : memref<4x16xi32>, vector<2x32xi32>
      %z2 = arith.constant dense<0> : vector<2xi32>
      %r2 = vector.multi_reduction <add>, %wide, %z2 [1] : vector<2x32xi32> to vector<2xi32>
      %r0 = vector.reduction <maxui>, %row : vector<16xi32> into i32
      %mid = vector.extract %row[15] : i32 from vector<16xi32>
      %r1 = vector.reduction <add>, %r2 : vector<2xi32> into i32
      %t = arith.addi %r0, %mid : i32
      %u = arith.addi %t, %r1 : i32
      %thirty = arith.constant 30 : i32
      %o = arith.addi %u, %thirty : i32
      memref.store %o, %z[%c1] : memref<2xi32>
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %x = memref.get_global @source : memref<512xi32>
    affine.for %i = 0 to 512 {
      %n = arith.index_cast %i : index to i32
      affine.store %n, %x[%i] : memref<512xi32>
    }
    %any = memref.cast %x : memref<512xi32> to memref<*xi32>
    gpu.host_register %any : memref<*xi32>
    %y = gpu.alloc host_shared () : memref<4x16xi32>
    %z = gpu.alloc host_shared () : memref<2xi32>
    gpu.launch_func @kernel::@gather blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%x : memref<512xi32>, %y : memref<4x16xi32>, %z : memref<2xi32>)
    gpu.host_unregister %any : memref<*xi32>
    %y_any = memref.cast %y : memref<4x16xi32> to memref<*xi32>
    %z_any = memref.cast %z : memref<2xi32> to memref<*xi32>
    call @printMemrefI32(%y_any) : (memref<*xi32>) -> ()
    call @printMemrefI32(%z_any) : (memref<*xi32>) -> ()
    return
  }
  func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
}
