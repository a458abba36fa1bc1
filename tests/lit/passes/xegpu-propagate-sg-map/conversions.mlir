// RUN: xegpu-opt %s -p xegpu-propagate-sg-map{target=pvc} | filecheck %s

// Where two needs conflict, conversions stand between. Maps are abbreviated by what they say of 16x16 tiles.
#r = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#c = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>
!rows = !xegpu.tensor_desc<16x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
!columns = !xegpu.tensor_desc<16x16xf32, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>>
!tile = vector<16x16xf32>

gpu.module @m {
  // Two loads with maps of their own meet in an elementwise operation; the store has the second one's map.
  // CHECK-LABEL: gpu.func @elementwise
  // CHECK: %a = xegpu.load_nd
  // CHECK: %b = xegpu.load_nd
  // CHECK-NEXT: %[[B:.*]] = xegpu.convert_layout %b <{input_layout = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>, target_layout = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>}>
  // CHECK-NEXT: %s = arith.addf %a, %[[B]]
  // CHECK-NEXT: %[[S:.*]] = xegpu.convert_layout %s <{input_layout = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>, target_layout = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>}>
  // CHECK-NEXT: xegpu.store_nd %[[S]]
  gpu.func @elementwise(%m: memref<16x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !rows
    %u = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !columns
    %a = xegpu.load_nd %t : !rows -> !tile
    %b = xegpu.load_nd %u : !columns -> !tile
    %s = arith.addf %a, %b : !tile
    xegpu.store_nd %s, %u : !tile, !columns
    gpu.return
  }

  // What a loop carries has one map: what is carried on is computed so; constants are not converted.
  // CHECK-LABEL: gpu.func @loop
  // CHECK: %r = scf.for {{.*}} iter_args(%x = %a)
  // CHECK: %b = xegpu.load_nd
  // CHECK-NEXT: %[[B:.*]] = xegpu.convert_layout %b <{input_layout = #xegpu.sg_map<wi_layout = [16, 1], {{.*}}, target_layout = #xegpu.sg_map<wi_layout = [1, 16], {{.*}}
  // CHECK-NEXT: %y = arith.mulf %[[B]], %half
  // CHECK-NEXT: scf.yield %y
  // CHECK-NOT: xegpu.convert_layout
  // CHECK: gpu.return
  gpu.func @loop(%m: memref<16x16xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %half = arith.constant dense<0.5> : !tile
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !rows
    %u = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !columns
    %a = xegpu.load_nd %t : !rows -> !tile
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (!tile) {
      %b = xegpu.load_nd %u : !columns -> !tile
      %y = arith.mulf %b, %half : !tile
      scf.yield %y : !tile
    }
    xegpu.store_nd %r, %t : !tile, !rows
    gpu.return
  }

  // So have the results of a choice.
  // CHECK-LABEL: gpu.func @choice
  // CHECK: %r = scf.if %p
  // CHECK-NEXT: scf.yield %a
  // CHECK-NEXT: } else {
  // CHECK-NEXT: %[[B:.*]] = xegpu.convert_layout %b
  // CHECK-NEXT: scf.yield %[[B]]
  gpu.func @choice(%m: memref<16x16xf32>, %p: i1) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !rows
    %u = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !columns
    %a = xegpu.load_nd %t : !rows -> !tile
    %b = xegpu.load_nd %u : !columns -> !tile
    %r = scf.if %p -> (!tile) {
      scf.yield %a : !tile
    } else {
      scf.yield %b : !tile
    }
    xegpu.store_nd %r, %t : !tile, !rows
    gpu.return
  }

  // Operands of products are converted to what the matrix engine takes; the other use of A keeps its map.
  // CHECK-LABEL: gpu.func @product
  // CHECK: %[[A:.*]] = xegpu.convert_layout %a <{input_layout = #xegpu.sg_map<wi_layout = [8, 2], wi_data = [1, 1]>, target_layout = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>}> : vector<8x16xf16>
  // CHECK-NEXT: %d = xegpu.dpas %[[A]], %b
  // CHECK: xegpu.store_nd %a, %ta
  gpu.func @product(%m: memref<8x16xf16>, %n: memref<16x16xf16>, %o: memref<8x16xf32>) kernel {
    %ta = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = [8, 2], wi_data = [1, 1]>>
    %tb = xegpu.create_nd_tdesc %n[0, 0] : memref<16x16xf16> -> !xegpu.tensor_desc<16x16xf16>
    %tc = xegpu.create_nd_tdesc %o[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %a = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = [8, 2], wi_data = [1, 1]>> -> vector<8x16xf16>
    %b = xegpu.load_nd %tb : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
    %d = xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    xegpu.store_nd %d, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %a, %ta : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = [8, 2], wi_data = [1, 1]>>
    gpu.return
  }

  // Reductions, transposes, broadcasts and shape casts carry maps on; nothing is converted here.
  // CHECK-LABEL: gpu.func @carried
  // CHECK-NOT: xegpu.convert_layout
  // CHECK: gpu.return
  gpu.func @carried(%m: memref<16x16xf32>, %o: memref<16x16xf32>) kernel {
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !rows
    %u = xegpu.create_nd_tdesc %o[0, 0] : memref<16x16xf32> -> !xegpu.tensor_desc<16x16xf32>
    %a = xegpu.load_nd %t : !rows -> !tile
    %s = vector.multi_reduction <add>, %a, %zero [0] : !tile to vector<16xf32>
    %row = vector.shape_cast %s : vector<16xf32> to vector<1x16xf32>
    %b = vector.broadcast %row : vector<1x16xf32> to !tile
    %d = arith.divf %a, %b : !tile
    %x = vector.transpose %d, [1, 0] : !tile to !tile
    xegpu.store_nd %x, %u : !tile, !xegpu.tensor_desc<16x16xf32>
    gpu.return
  }
}
