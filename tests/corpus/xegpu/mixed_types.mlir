// One product instruction for each of the types that matrix units take.
gpu.module @kernels {
  gpu.func @tf32(%a: vector<8x8xtf32>, %b: vector<8x16xtf32>, %out: memref<8x16xf32>) {
    %sum = xegpu.dpas %a, %b : vector<8x8xtf32>, vector<8x16xtf32> -> vector<8x16xf32>
    %t = xegpu.create_nd_tdesc %out[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %sum, %t : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
  gpu.func @bf16(%a: vector<8x16xbf16>, %b: vector<8x16x2xbf16>, %c: vector<8x16xbf16>, %out: memref<8x16xbf16>) {
    %sum = xegpu.dpas %a, %b, %c : vector<8x16xbf16>, vector<8x16x2xbf16>, vector<8x16xbf16> -> vector<8x16xbf16>
    %t = xegpu.create_nd_tdesc %out[0, 0] : memref<8x16xbf16> -> !xegpu.tensor_desc<8x16xbf16>
    xegpu.store_nd %sum, %t : vector<8x16xbf16>, !xegpu.tensor_desc<8x16xbf16>
    gpu.return
  }
  gpu.func @f16(%a: vector<8x16xf16>, %b: vector<16x16xf16>, %c: vector<8x16xf16>, %out: memref<8x16xf16>) {
    %sum = xegpu.dpas %a, %b, %c : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf16> -> vector<8x16xf16>
    %t = xegpu.create_nd_tdesc %out[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16>
    xegpu.store_nd %sum, %t : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>
    gpu.return
  }
  gpu.func @i8(%a: memref<8x32xi8>, %b: memref<32x16xi8>, %out: memref<8x16xi32>) kernel {
    %at = xegpu.create_nd_tdesc %a[0, 0] : memref<8x32xi8> -> !xegpu.tensor_desc<8x32xi8>
    %bt = xegpu.create_nd_tdesc %b[0, 0] : memref<32x16xi8> -> !xegpu.tensor_desc<32x16xi8>
    %av = xegpu.load_nd %at : !xegpu.tensor_desc<8x32xi8> -> vector<8x32xi8>
    %bv = xegpu.load_nd %bt <{packed}> : !xegpu.tensor_desc<32x16xi8> -> vector<8x16x4xi8>
    %sum = xegpu.dpas %av, %bv : vector<8x32xi8>, vector<8x16x4xi8> -> vector<8x16xi32>
    %t = xegpu.create_nd_tdesc %out[0, 0] : memref<8x16xi32> -> !xegpu.tensor_desc<8x16xi32>
    xegpu.store_nd %sum, %t : vector<8x16xi32>, !xegpu.tensor_desc<8x16xi32>
    gpu.return
  }
  gpu.func @signs(%a: vector<8x32xsi8>, %b: vector<32x16xsi8>, %c: vector<8x16xi32>, %u: vector<8x32xui8>, %w: vector<32x16xui8>, %out: memref<8x16xi32>) {
    %sum = xegpu.dpas %a, %b, %c : vector<8x32xsi8>, vector<32x16xsi8>, vector<8x16xi32> -> vector<8x16xi32>
    %more = xegpu.dpas %u, %w, %sum : vector<8x32xui8>, vector<32x16xui8>, vector<8x16xi32> -> vector<8x16xi32>
    %t = xegpu.create_nd_tdesc %out[0, 0] : memref<8x16xi32> -> !xegpu.tensor_desc<8x16xi32>
    xegpu.store_nd %more, %t : vector<8x16xi32>, !xegpu.tensor_desc<8x16xi32>
    gpu.return
  }
}
