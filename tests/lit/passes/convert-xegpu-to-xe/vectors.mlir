// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// Operations that choose and move elements: what stands right already takes no instruction.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @views
  // CHECK: %[[V:.*]] = xe.load into
  // CHECK-NEXT: %[[S:.*]] = xe.add(%[[V]], %[[V]] : {{.*}}reads = [#xe.read<f, 64>, #xe.read<f, 64>], write = #xe.write<f>} -> !xe.grf<64, 64>
  // CHECK-NEXT: xe.store[{{.*}} data %[[S]]
  gpu.func @views(%m: memref<64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0] : memref<64xf32> -> !xegpu.tensor_desc<32xf32>
    %u = xegpu.create_nd_tdesc %m[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<32xf32> -> vector<32xf32>
    %0 = vector.shape_cast %v : vector<32xf32> to vector<2x16xf32>
    %1 = vector.extract %0[1] : vector<16xf32> from vector<2x16xf32>
    %2 = vector.extract_strided_slice %v {offsets = [16], sizes = [16], strides = [1]} : vector<32xf32> to vector<16xf32>
    %3 = arith.addf %1, %2 : vector<16xf32>
    xegpu.store_nd %3, %u : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }

  // A transpose reads with the stride of a row.
  // CHECK-LABEL: xe.kernel @transpose
  // CHECK: xe.mov into %{{.*}}exec_size = 8 : i32, no_mask, reads = [#xe.read<ud, [4, 1, 0]>], write = #xe.write<ud>
  // CHECK: xe.mov into %{{.*}}exec_size = 8 : i32, no_mask, reads = [#xe.read<ud, 4, [4, 1, 0]>], write = #xe.write<ud, 32>
  // CHECK: xe.mov into %{{.*}}exec_size = 8 : i32, no_mask, reads = [#xe.read<ud, 8, [4, 1, 0]>], write = #xe.write<ud, 64>
  // CHECK: xe.mov into %{{.*}}exec_size = 8 : i32, no_mask, reads = [#xe.read<ud, 12, [4, 1, 0]>], write = #xe.write<ud, 96>
  gpu.func @transpose(%m: memref<64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0] : memref<64xf32> -> !xegpu.tensor_desc<32xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<32xf32> -> vector<32xf32>
    %0 = vector.shape_cast %v : vector<32xf32> to vector<8x4xf32>
    %1 = vector.transpose %0, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    %2 = vector.shape_cast %1 : vector<4x8xf32> to vector<32xf32>
    xegpu.store_nd %2, %t : vector<32xf32>, !xegpu.tensor_desc<32xf32>
    gpu.return
  }

  // An interleaving writes every second element.
  // CHECK-LABEL: xe.kernel @shuffle
  // CHECK: xe.mov into %{{.*}}exec_size = 8 : i32, no_mask, reads = [#xe.read<ud>], write = #xe.write<ud, 0, 2>
  // CHECK: xe.mov into %{{.*}}exec_size = 8 : i32, no_mask, reads = [#xe.read<ud>], write = #xe.write<ud, 4, 2>
  gpu.func @shuffle(%m: memref<64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    %0 = vector.shuffle %v, %v [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23] : vector<16xf32>, vector<16xf32>
    xegpu.store_nd %0, %t : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }

  // A part that is put into a vector: the part and the rest are moved, the operand stays as it was.
  // CHECK-LABEL: xe.kernel @insert
  // CHECK: %[[V:.*]] = xe.load into
  // CHECK: %[[S:.*]] = xe.add(%[[V]], %[[V]] : {{.*}}reads = [#xe.read<f>, #xe.read<f, 64>]
  // CHECK-DAG: xe.mov into %{{.*}}(%[[S]] : {{.*}}exec_size = 16 : i32, no_mask, reads = [#xe.read<ud>], write = #xe.write<ud, 64>
  // CHECK-DAG: xe.mov into %{{.*}}(%[[V]] : {{.*}}exec_size = 16 : i32, no_mask, reads = [#xe.read<ud>], write = #xe.write<ud>
  gpu.func @insert(%m: memref<64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0] : memref<64xf32> -> !xegpu.tensor_desc<32xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<32xf32> -> vector<32xf32>
    %0 = vector.shape_cast %v : vector<32xf32> to vector<2x16xf32>
    %1 = vector.extract %0[0] : vector<16xf32> from vector<2x16xf32>
    %2 = vector.extract %0[1] : vector<16xf32> from vector<2x16xf32>
    %3 = arith.addf %1, %2 : vector<16xf32>
    %4 = vector.insert %3, %0[1] : vector<16xf32> into vector<2x16xf32>
    %5 = vector.shape_cast %4 : vector<2x16xf32> to vector<32xf32>
    xegpu.store_nd %5, %t : vector<32xf32>, !xegpu.tensor_desc<32xf32>
    gpu.return
  }

  // One element is read by all channels; a bitcast is another name for the same bytes.
  // CHECK-LABEL: xe.kernel @scalars
  // CHECK: %[[V:.*]] = xe.load into
  // CHECK: xe.mov(%[[V]] : {{.*}}exec_size = 16 : i32, no_mask, reads = [#xe.read<f, 12, [0, 1, 0]>], write = #xe.write<f>
  // CHECK: %[[H:.*]] = xe.add{{.*}}(%[[V]], %[[V]] : {{.*}}exec_size = 32 : i32, no_mask, reads = [#xe.read<hf>, #xe.read<hf>], write = #xe.write<hf>
  gpu.func @scalars(%m: memref<64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    %0 = vector.extract %v[3] : f32 from vector<16xf32>
    %1 = vector.broadcast %0 : f32 to vector<16xf32>
    %2 = vector.bitcast %v : vector<16xf32> to vector<32xf16>
    %3 = arith.addf %2, %2 : vector<32xf16>
    %4 = vector.bitcast %3 : vector<32xf16> to vector<16xf32>
    %5 = arith.mulf %4, %1 : vector<16xf32>
    xegpu.store_nd %5, %t : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }
}
