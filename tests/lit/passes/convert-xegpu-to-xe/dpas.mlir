// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// Types of the matrix engine: B and A are read as what they are, integers without a sign as signed ones.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @bf16
  // CHECK: xe.dpas({{.*}} {exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<bf>, #xe.read<bf>], repeat = 8 : i32, write = #xe.write<f>} -> !xe.grf<512, 64>
  gpu.func @bf16(%a: memref<8x32xbf16>, %b: memref<16x32xbf16>, %c: memref<8x16xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x32xbf16> -> !xegpu.tensor_desc<8x16xbf16>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<16x32xbf16> -> !xegpu.tensor_desc<16x16xbf16>
    %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xbf16> -> vector<8x16xbf16>
    %vb = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<16x16xbf16> -> vector<8x16x2xbf16>
    %vc = xegpu.dpas %va, %vb : vector<8x16xbf16>, vector<8x16x2xbf16> -> vector<8x16xf32>
    xegpu.store_nd %vc, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }

  // The accumulator is updated in place; a result in bf16 takes half the bytes.
  // CHECK-LABEL: xe.kernel @accumulated
  // CHECK: %[[C:.*]] = xe.load_block2d[{{.*}}size = d16, block = [16, 8, 1]>{{.*}} -> !xe.grf<256, 64>
  // CHECK: xe.dpas into %[[C]] : !xe.grf<256, 64> acc %[[C]] : !xe.grf<256, 64>({{.*}}reads = [#xe.read<bf>, #xe.read<bf>, #xe.read<bf>], repeat = 8 : i32, write = #xe.write<bf>} -> !xe.grf<256, 64>
  gpu.func @accumulated(%a: memref<8x32xbf16>, %b: memref<16x32xbf16>, %c: memref<8x32xbf16>) kernel attributes {VectorComputeFunctionINTEL} {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x32xbf16> -> !xegpu.tensor_desc<8x16xbf16>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<16x32xbf16> -> !xegpu.tensor_desc<16x16xbf16>
    %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<8x32xbf16> -> !xegpu.tensor_desc<8x16xbf16>
    %old = xegpu.load_nd %tc : !xegpu.tensor_desc<8x16xbf16> -> vector<8x16xbf16>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xbf16> -> vector<8x16xbf16>
    %vb = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<16x16xbf16> -> vector<8x16x2xbf16>
    %vc = xegpu.dpas %va, %vb, %old : vector<8x16xbf16>, vector<8x16x2xbf16>, vector<8x16xbf16> -> vector<8x16xbf16>
    xegpu.store_nd %vc, %tc : vector<8x16xbf16>, !xegpu.tensor_desc<8x16xbf16>
    gpu.return
  }

  // CHECK-LABEL: xe.kernel @bytes
  // CHECK: size = d8, vnni, block = [16, 32, 1]
  // CHECK: xe.dpas({{.*}} reads = [#xe.read<d>, #xe.read<b>, #xe.read<b>], repeat = 8 : i32, write = #xe.write<d>} -> !xe.grf<512, 64>
  gpu.func @bytes(%a: memref<8x64xi8>, %b: memref<32x64xi8>, %c: memref<8x16xi32>) kernel attributes {VectorComputeFunctionINTEL} {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x64xi8> -> !xegpu.tensor_desc<8x32xi8>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<32x64xi8> -> !xegpu.tensor_desc<32x16xi8>
    %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<8x16xi32> -> !xegpu.tensor_desc<8x16xi32>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x32xi8> -> vector<8x32xi8>
    %vb = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<32x16xi8> -> vector<8x16x4xi8>
    %vc = xegpu.dpas %va, %vb : vector<8x32xi8>, vector<8x16x4xi8> -> vector<8x16xi32>
    xegpu.store_nd %vc, %tc : vector<8x16xi32>, !xegpu.tensor_desc<8x16xi32>
    gpu.return
  }

  // CHECK-LABEL: xe.kernel @signs
  // CHECK: xe.dpas({{.*}} reads = [#xe.read<d>, #xe.read<ub>, #xe.read<ub>], repeat = 8 : i32, write = #xe.write<d>}
  gpu.func @signs(%a: memref<8x64xui8>, %b: memref<32x64xui8>, %c: memref<8x16xi32>) kernel attributes {VectorComputeFunctionINTEL} {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x64xui8> -> !xegpu.tensor_desc<8x32xui8>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<32x64xui8> -> !xegpu.tensor_desc<32x16xui8>
    %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<8x16xi32> -> !xegpu.tensor_desc<8x16xi32>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x32xui8> -> vector<8x32xui8>
    %vb = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<32x16xui8> -> vector<8x16x4xui8>
    %vc = xegpu.dpas %va, %vb : vector<8x32xui8>, vector<8x16x4xui8> -> vector<8x16xi32>
    xegpu.store_nd %vc, %tc : vector<8x16xi32>, !xegpu.tensor_desc<8x16xi32>
    gpu.return
  }

  // CHECK-LABEL: xe.kernel @tf32
  // CHECK: xe.dpas({{.*}} {exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<tf32>, #xe.read<tf32>], repeat = 4 : i32, write = #xe.write<f>} -> !xe.grf<256, 64>
  gpu.func @tf32(%a: memref<4x16xtf32>, %b: memref<8x16xtf32>, %c: memref<4x16xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<4x16xtf32> -> !xegpu.tensor_desc<4x8xtf32>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<8x16xtf32> -> !xegpu.tensor_desc<8x16xtf32>
    %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<4x16xf32> -> !xegpu.tensor_desc<4x16xf32>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<4x8xtf32> -> vector<4x8xtf32>
    %vb = xegpu.load_nd %tb : !xegpu.tensor_desc<8x16xtf32> -> vector<8x16xtf32>
    %vc = xegpu.dpas %va, %vb : vector<4x8xtf32>, vector<8x16xtf32> -> vector<4x16xf32>
    xegpu.store_nd %vc, %tc : vector<4x16xf32>, !xegpu.tensor_desc<4x16xf32>
    gpu.return
  }

  // A product that is larger than one instruction: blocks of eight rows, and along K each result is the next accumulator.
  // CHECK-LABEL: xe.kernel @large
  // CHECK: %[[TOP:.*]] = xe.dpas({{.*}}{{.*}}repeat = 8 : i32
  // CHECK: xe.dpas into %[[TOP]] : !xe.grf<512, 64> acc %[[TOP]] : {{.*}}{{.*}}repeat = 8 : i32
  // CHECK: %[[REST:.*]] = xe.dpas({{.*}}{{.*}}repeat = 4 : i32
  // CHECK: xe.dpas into %[[REST]] : !xe.grf<256, 64> acc %[[REST]] : {{.*}}{{.*}}repeat = 4 : i32
  // CHECK-NOT: xe.dpas
  // CHECK: xe.eot
  gpu.func @large(%a: memref<12x32xf16>, %b: memref<32x32xf16>, %c: memref<12x16xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<12x32xf16> -> !xegpu.tensor_desc<12x32xf16>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<32x32xf16> -> !xegpu.tensor_desc<32x16xf16>
    %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<12x16xf32> -> !xegpu.tensor_desc<12x16xf32>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<12x32xf16> -> vector<12x32xf16>
    %vb = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<32x16xf16> -> vector<16x16x2xf16>
    %vc = xegpu.dpas %va, %vb : vector<12x32xf16>, vector<16x16x2xf16> -> vector<12x16xf32>
    xegpu.store_nd %vc, %tc : vector<12x16xf32>, !xegpu.tensor_desc<12x16xf32>
    gpu.return
  }

  // B that was not packed on its way is packed in registers: columns of pairs, the upper row in the low half.
  // CHECK-LABEL: xe.kernel @unpacked
  // CHECK: %[[B:.*]] = xe.load_block2d[{{.*}}block = [16, 16, 1]>{{.*}} -> !xe.grf<512, 64>
  // CHECK: xe.mov into %{{.*}}(%[[B]] : !xe.grf<512, 64>) {{.*}}reads = [#xe.read<{{uw|hf}}>], write = #xe.write<{{uw|hf}}, 0, 2>
  // CHECK: xe.mov into %{{.*}}(%[[B]] : !xe.grf<512, 64>) {{.*}}reads = [#xe.read<{{uw|hf}}, 32>], write = #xe.write<{{uw|hf}}, 2, 2>
  // CHECK: xe.dpas(
  gpu.func @unpacked(%a: memref<8x32xf16>, %b: memref<16x32xf16>, %c: memref<8x16xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x32xf16> -> !xegpu.tensor_desc<8x16xf16>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<16x32xf16> -> !xegpu.tensor_desc<16x16xf16>
    %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
    %vb = xegpu.load_nd %tb : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
    %vc = xegpu.dpas %va, %vb : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    xegpu.store_nd %vc, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
