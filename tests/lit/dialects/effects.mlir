// Operations without effects merge and disappear; loads merge with loads, and nothing else does.
// RUN: xegpu-opt %s -p cse,dce | filecheck %s

// CHECK-LABEL: func.func @pure
// CHECK-NEXT: return
func.func @pure(%m: memref<64x64xf16>, %v: vector<4xi8>, %i: index, %x: vector<8x16xf16>, %y: vector<16x16xf16>) {
  %0 = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16>
  %1 = xegpu.update_nd_offset %0, [0, 16] : !xegpu.tensor_desc<8x16xf16>
  %2 = xegpu.dpas %x, %y : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
  %3 = arith.extsi %v : vector<4xi8> to vector<4xi32>
  %4 = arith.remui %i, %i : index
  %5 = gpu.lane_id
  %6 = gpu.block_id x
  %7 = index.add %i, %i
  %8 = vector.transpose %x, [1, 0] : vector<8x16xf16> to vector<16x8xf16>
  %9 = memref.cast %m : memref<64x64xf16> to memref<?x?xf16>
  %10 = xegpu.load_nd %0 : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  return
}

// CHECK-LABEL: func.func @merge
func.func @merge(%m: memref<64x64xf16>, %r: memref<2xindex>, %i: index) {
  // CHECK-COUNT-1: gpu.thread_id x
  %0 = gpu.thread_id x
  %1 = gpu.thread_id x
  // CHECK-NOT: gpu.thread_id x
  // CHECK: gpu.thread_id y
  %2 = gpu.thread_id y
  // CHECK-COUNT-1: xegpu.create_nd_tdesc %m[0, 0]
  %3 = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16>
  %4 = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16>
  // CHECK-NOT: create_nd_tdesc %m[0, 0]
  // CHECK: memref.store %0, %r[%i]
  // CHECK: memref.store %0, %r[%i]
  // CHECK: memref.store
  memref.store %0, %r[%i] : memref<2xindex>
  memref.store %1, %r[%i] : memref<2xindex>
  memref.store %2, %r[%i] : memref<2xindex>
  // CHECK-COUNT-2: xegpu.prefetch_nd
  xegpu.prefetch_nd %3 : !xegpu.tensor_desc<8x16xf16>
  xegpu.prefetch_nd %4 : !xegpu.tensor_desc<8x16xf16>
  // CHECK-COUNT-2: gpu.barrier
  gpu.barrier
  gpu.barrier
  // CHECK-NEXT: return
  return
}

// A store between two loads keeps them apart.
// CHECK-LABEL: func.func @loads
func.func @loads(%a: !xegpu.tensor_desc<8x16xf16>) {
  // CHECK-COUNT-1: xegpu.load_nd
  %0 = xegpu.load_nd %a : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  %1 = xegpu.load_nd %a : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  // CHECK-NEXT: arith.addf
  %2 = arith.addf %0, %1 : vector<8x16xf16>
  // CHECK-NEXT: xegpu.store_nd
  xegpu.store_nd %2, %a : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>
  // CHECK-NEXT: xegpu.load_nd
  %3 = xegpu.load_nd %a : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  // CHECK-NEXT: xegpu.store_nd
  xegpu.store_nd %3, %a : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>
  return
}
