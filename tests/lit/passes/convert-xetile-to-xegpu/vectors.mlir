// RUN: xegpu-opt %s -p convert-xetile-to-xegpu{target=pvc} | filecheck %s

gpu.module @m {
  // CHECK-LABEL: gpu.func @product
  gpu.func @product(%a: vector<8x16xf16>, %b: vector<16x16xf16>, %c: vector<8x16xf32>) {
    // CHECK: xegpu.dpas %a, %b, %c : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf32> -> vector<8x16xf32>
    %0 = xetile.tile_mma %a, %b, %c : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf32> -> vector<8x16xf32>
    // CHECK: xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    %1 = xetile.tile_mma %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    gpu.return
  }

  // Reductions begin with what changes nothing, whatever the kind.
  // CHECK-LABEL: gpu.func @reductions
  gpu.func @reductions(%x: vector<4x8xf32>, %i: vector<4x8xi8>) {
    // CHECK: %[[ZERO:.*]] = arith.constant dense<-0.000000e+00> : vector<4xf32>
    // CHECK-NEXT: %[[SUM:.*]] = vector.multi_reduction <add>, %x, %[[ZERO]] [1] : vector<4x8xf32> to vector<4xf32>
    // CHECK-NEXT: vector.shape_cast %[[SUM]] : vector<4xf32> to vector<4x1xf32>
    %0 = xetile.reduction <add>, %x [1] : vector<4x8xf32> -> vector<4x1xf32>
    // CHECK: arith.constant dense<{{0xFF800000|0xff800000}}> : vector<8xf32>
    // CHECK: vector.multi_reduction <maximumf>, %x, %{{.*}} [0] : vector<4x8xf32> to vector<8xf32>
    // CHECK: vector.shape_cast %{{.*}} : vector<8xf32> to vector<1x8xf32>
    %1 = xetile.reduction <maximumf>, %x [0] : vector<4x8xf32> -> vector<1x8xf32>
    // CHECK: arith.constant dense<1> : vector<8xi8>
    %2 = xetile.reduction <mul>, %i [0] : vector<4x8xi8> -> vector<1x8xi8>
    // CHECK: arith.constant dense<127> : vector<8xi8>
    %3 = xetile.reduction <minsi>, %i [0] : vector<4x8xi8> -> vector<1x8xi8>
    // CHECK: arith.constant dense<-1> : vector<8xi8>
    %4 = xetile.reduction <and>, %i [0] : vector<4x8xi8> -> vector<1x8xi8>
    // CHECK: %[[FLAT:.*]] = vector.shape_cast %x : vector<4x8xf32> to vector<32xf32>
    // CHECK-NEXT: %[[ALL:.*]] = vector.reduction <minnumf>, %[[FLAT]] : vector<32xf32> into f32
    // CHECK-NEXT: vector.broadcast %[[ALL]] : f32 to vector<1x1xf32>
    %5 = xetile.reduction <minnumf>, %x [0, 1] : vector<4x8xf32> -> vector<1x1xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @shapes
  gpu.func @shapes(%x: vector<4x8xf32>, %r: vector<1x8xf32>, %c: vector<4x1xf32>) {
    // CHECK: vector.transpose %x, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
    %0 = xetile.transpose %x, [1, 0] : vector<4x8xf32> -> vector<8x4xf32>
    // CHECK: vector.broadcast %r : vector<1x8xf32> to vector<4x8xf32>
    %1 = xetile.broadcast %r [0] : vector<1x8xf32> -> vector<4x8xf32>
    // CHECK: vector.broadcast %c : vector<4x1xf32> to vector<4x8xf32>
    %2 = xetile.broadcast %c [1] : vector<4x1xf32> -> vector<4x8xf32>
    gpu.return
  }
}
