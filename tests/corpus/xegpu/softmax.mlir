// Softmax of 8 rows of 64 elements in one subgroup.
gpu.module @kernels {
  gpu.func @softmax(%x: memref<512x64xf32>, %y: memref<512x64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %c8 = arith.constant 8 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c8 : index
    %in = xegpu.create_nd_tdesc %x[%i, 0] : memref<512x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    %n1 = xegpu.update_nd_offset %in, [0, 16] : !xegpu.tensor_desc<8x16xf32>
    %n2 = xegpu.update_nd_offset %n1, [0, 16] : !xegpu.tensor_desc<8x16xf32>
    %n3 = xegpu.update_nd_offset %n2, [0, 16] : !xegpu.tensor_desc<8x16xf32>
    %v0 = xegpu.load_nd %in : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    %v1 = xegpu.load_nd %n1 : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    %v2 = xegpu.load_nd %n2 : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    %v3 = xegpu.load_nd %n3 : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    %zero = arith.constant dense<0.000000e+00> : vector<8x64xf32>
    %w0 = vector.insert_strided_slice %v0, %zero {offsets = [0, 0], strides = [1, 1]} : vector<8x16xf32> into vector<8x64xf32>
    %w1 = vector.insert_strided_slice %v1, %w0 {offsets = [0, 16], strides = [1, 1]} : vector<8x16xf32> into vector<8x64xf32>
    %w2 = vector.insert_strided_slice %v2, %w1 {offsets = [0, 32], strides = [1, 1]} : vector<8x16xf32> into vector<8x64xf32>
    %row = vector.insert_strided_slice %v3, %w2 {offsets = [0, 48], strides = [1, 1]} : vector<8x16xf32> into vector<8x64xf32>
    %lowest = arith.constant dense<0xFF800000> : vector<8xf32>
    %nothing = arith.constant dense<0.000000e+00> : vector<8xf32>
    %max = vector.multi_reduction <maximumf>, %row, %lowest [1] : vector<8x64xf32> to vector<8xf32>
    %max_rows = vector.broadcast %max : vector<8xf32> to vector<64x8xf32>
    %max_all = vector.transpose %max_rows, [1, 0] : vector<64x8xf32> to vector<8x64xf32>
    %shifted = arith.subf %row, %max_all fastmath<reassoc> : vector<8x64xf32>
    %log2e = arith.constant dense<1.44269502> : vector<8x64xf32>
    %scaled = arith.mulf %shifted, %log2e : vector<8x64xf32>
    %power = math.exp2 %scaled fastmath<afn> : vector<8x64xf32>
    %sum = vector.multi_reduction <add>, %power, %nothing [1] : vector<8x64xf32> to vector<8xf32>
    %sum_rows = vector.broadcast %sum : vector<8xf32> to vector<64x8xf32>
    %sum_all = vector.transpose %sum_rows, [1, 0] : vector<64x8xf32> to vector<8x64xf32>
    %result = arith.divf %power, %sum_all : vector<8x64xf32>
    %first = vector.extract_strided_slice %result {offsets = [0, 0], sizes = [8, 16], strides = [1, 1]} : vector<8x64xf32> to vector<8x16xf32>
    %out = xegpu.create_nd_tdesc %y[%i, 0] : memref<512x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %first, %out : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
