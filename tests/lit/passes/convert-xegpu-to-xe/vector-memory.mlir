// RUN: xegpu-opt %s -p xe-pipeline{target=pvc} -t xe-asm --split-input-file | filecheck %s

// A subgroup loads rows in block messages; rows that follow each other are one.
gpu.module @m {
  // CHECK-LABEL: // kernel rows
  // CHECK: load.ugm.d32x64t.a64 (1|M0)
  // CHECK-NEXT: load.ugm.d32x64t.a64 (1|M0)
  // CHECK-NOT: load
  // CHECK: store.ugm.d32x64t.a64 (1|M0)
  // CHECK-NOT: jmpi
  gpu.func @rows(%a: memref<64x16xf32>, %b: memref<64x16xf32>, %i: index) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %v = vector.load %a[%i, %c0] : memref<64x16xf32>, vector<8x16xf32>
    vector.store %v, %b[%i, %c0] : memref<64x16xf32>, vector<8x16xf32>
    gpu.return
  }
}

// -----

// Of halves at any place, only the running kernel knows whether they begin at a dword.
gpu.module @m {
  // CHECK-LABEL: // kernel halves
  // CHECK: and (1|M0) [[REST:r[0-9.]+]]<1>:uq {{.*}} 0x3:uq
  // CHECK: cmp (1|M0) (eq)[[FLAG:f[0-9.]+]]
  // CHECK: (W&~[[FLAG]]) jmpi
  // CHECK: load.ugm.d32x8t.a64 (1|M0)
  // CHECK: load.ugm.d16u32.a64 (16|M0)
  gpu.func @halves(%a: memref<64x16xf16>, %b: memref<16xf16>, %i: index) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %v = vector.load %a[%c0, %i] : memref<64x16xf16>, vector<16xf16>
    // CHECK-NOT: cmp
    // CHECK: store.ugm.d32x8t.a64 (1|M0)
    vector.store %v, %b[%c0] : memref<16xf16>, vector<16xf16>
    gpu.return
  }
}

// -----

// Work-items with places of their own load several elements in one message.
gpu.module @m {
  // CHECK-LABEL: // kernel quads
  // CHECK: {{^}}    load.ugm.d32x4.a64 (16|M0)
  // CHECK-NOT: mov
  // CHECK: {{^}}    store.ugm.d32x4.a64 (16|M0)
  gpu.func @quads(%a: memref<64x4xf32>, %b: memref<64x4xf32>) kernel
      attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %a[%i, %c0] : memref<64x4xf32>, vector<4xf32>
    vector.store %v, %b[%i, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

// Elements beyond the buffer are not read: the padding stands where they would be.
gpu.module @m {
  // CHECK-LABEL: // kernel padded
  // CHECK: mov (16|M0) [[DATA:r[0-9]+]].0<1>:ud 0x3f800000:ud
  // CHECK: cmp (16|M0) (lt)[[FLAG:f[0-9.]+]] {{.*}} 0x3c:uq
  // CHECK: (W&[[FLAG]]) load.ugm.d32.a64 (16|M0) [[DATA]]:1
  gpu.func @padded(%a: memref<60xf32>, %b: memref<16xf32>, %i: index) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %v = vector.transfer_read %a[%i], %one : memref<60xf32>, vector<16xf32>
    vector.store %v, %b[%c0] : memref<16xf32>, vector<16xf32>
    gpu.return
  }
}
