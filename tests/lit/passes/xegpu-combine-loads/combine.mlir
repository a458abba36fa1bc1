// RUN: xegpu-opt %s -p 'xegpu-combine-loads{target=pvc}' --split-input-file | filecheck %s
// RUN: xegpu-opt %s -p 'xegpu-combine-loads{target=arc}' --split-input-file | filecheck %s --check-prefix=ARC
// RUN: not xegpu-opt %s -p 'xegpu-combine-loads{target=moon}' --split-input-file 2>&1 | filecheck %s --check-prefix=MOON
// ARC-NOT: array_length
// MOON: error: {{.*}}unknown target 'moon', expected one of: pvc, arc

// Descriptors that a loop carries: they move alike, and only the one that is left is carried.
!t = !xegpu.tensor_desc<16x16xbf16>
gpu.module @m {
  // CHECK-LABEL: gpu.func @carried
  gpu.func @carried(%b: memref<64x64xbf16>, %n: index) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %m = arith.addi %n, %c16 : index
    // CHECK:      %[[T:.*]] = xegpu.create_nd_tdesc %b[0, %n] : memref<64x64xbf16> -> !xegpu.tensor_desc<16x16xbf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>
    %s = xegpu.create_nd_tdesc %b[0, %n] : memref<64x64xbf16> -> !t
    %t = xegpu.create_nd_tdesc %b[0, %m] : memref<64x64xbf16> -> !t
    %z = arith.constant dense<0.0> : vector<8x16x2xbf16>
    // CHECK:      scf.for {{.*}} iter_args(%{{.*}} = %z, %[[D:.*]] = %[[T]]) -> (vector<8x16x2xbf16>, !xegpu.tensor_desc<16x16xbf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>) {
    %r:3 = scf.for %k = %c0 to %c64 step %c16 iter_args(%ds = %s, %a = %z, %dt = %t) -> (!t, vector<8x16x2xbf16>, !t) {
      // CHECK-NEXT: %[[V:.*]] = xegpu.load_nd %[[D]] <{l1_hint = #xegpu.cache_hint<cached>, packed}> : {{.*}} -> vector<2x8x16x2xbf16>
      // CHECK-NEXT: %[[X:.*]] = vector.extract %[[V]][0] : vector<8x16x2xbf16> from vector<2x8x16x2xbf16>
      // CHECK-NEXT: %[[Y:.*]] = vector.extract %[[V]][1] : vector<8x16x2xbf16> from vector<2x8x16x2xbf16>
      // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[X]], %[[Y]]
      // CHECK-NEXT: %[[Q:.*]] = arith.addf %[[P]], %{{.*}}
      // CHECK-NEXT: %[[E:.*]] = xegpu.update_nd_offset %[[D]], [16, 0]
      // CHECK-NEXT: scf.yield %[[Q]], %[[E]]
      %x = xegpu.load_nd %ds <{packed, l1_hint = #xegpu.cache_hint<cached>}> : !t -> vector<8x16x2xbf16>
      %y = xegpu.load_nd %dt <{packed, l1_hint = #xegpu.cache_hint<cached>}> : !t -> vector<8x16x2xbf16>
      %p = arith.mulf %x, %y : vector<8x16x2xbf16>
      %q = arith.addf %p, %a : vector<8x16x2xbf16>
      %es = xegpu.update_nd_offset %ds, [16, 0] : !t
      %et = xegpu.update_nd_offset %dt, [16, 0] : !t
      scf.yield %es, %q, %et : !t, vector<8x16x2xbf16>, !t
    }
    %u = arith.bitcast %r#1 : vector<8x16x2xbf16> to vector<8x16x2xi16>
    xegpu.compile_hint
    gpu.return
  }
}

// -----

// The loads differ, move in different ways, transpose, are shared among lanes, or something is written between them.
!t = !xegpu.tensor_desc<8x16xf16>
!w = !xegpu.tensor_desc<8x8xf32>
#map = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
!d = !xegpu.tensor_desc<8x16xf16, #map>
gpu.module @m {
  // CHECK-LABEL: gpu.func @stay
  // CHECK-NOT: array_length
  gpu.func @stay(%b: memref<64x64xf16>, %f: memref<64x64xf32>, %n: index, %i: index, %j: index) kernel {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %s = xegpu.create_nd_tdesc %b[0, 0] : memref<64x64xf16> -> !t
    %t = xegpu.create_nd_tdesc %b[0, 16] : memref<64x64xf16> -> !t
    %0 = xegpu.load_nd %s <{l1_hint = #xegpu.cache_hint<cached>}> : !t -> vector<8x16xf16>
    %1 = xegpu.load_nd %t : !t -> vector<8x16xf16>
    xegpu.store_nd %0, %t : vector<8x16xf16>, !t
    %2 = xegpu.load_nd %s : !t -> vector<8x16xf16>
    gpu.barrier
    %3 = xegpu.load_nd %t : !t -> vector<8x16xf16>
    %u = xegpu.create_nd_tdesc %f[0, 0] : memref<64x64xf32> -> !w
    %v = xegpu.create_nd_tdesc %f[0, 8] : memref<64x64xf32> -> !w
    %4 = xegpu.load_nd %u <{transpose = array<i64: 1, 0>}> : !w -> vector<8x8xf32>
    %5 = xegpu.load_nd %v <{transpose = array<i64: 1, 0>}> : !w -> vector<8x8xf32>
    %x = xegpu.create_nd_tdesc %b[0, 0] : memref<64x64xf16> -> !d
    %y = xegpu.create_nd_tdesc %b[0, 16] : memref<64x64xf16> -> !d
    %6 = xegpu.load_nd %x : !d -> vector<8x1xf16>
    %7 = xegpu.load_nd %y : !d -> vector<8x1xf16>
    scf.for %k = %c0 to %c64 step %c16 iter_args(%ds = %s, %dt = %t) -> (!t, !t) {
      %8 = xegpu.load_nd %ds : !t -> vector<8x16xf16>
      %9 = xegpu.load_nd %dt : !t -> vector<8x16xf16>
      %es = xegpu.update_nd_offset %ds, [8, %i] : !t
      %et = xegpu.update_nd_offset %dt, [8, %j] : !t
      scf.yield %es, %et : !t, !t
    }
    gpu.return
  }
}
