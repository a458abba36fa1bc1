// The operand of a product packed by a shuffle, as compilers write it where no load does it.
gpu.module @kernels {
  gpu.func @pack(%x: memref<4x4xf16>, %y: memref<2x4x2xf16>) {
    %in = xegpu.create_nd_tdesc %x[0, 0] : memref<4x4xf16> -> !xegpu.tensor_desc<4x4xf16>
    %v = xegpu.load_nd %in : !xegpu.tensor_desc<4x4xf16> -> vector<4x4xf16>
    %flat = vector.shape_cast %v : vector<4x4xf16> to vector<16xf16>
    %shuffled = vector.shuffle %flat, %flat [0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15] {packed} : vector<16xf16>, vector<16xf16>
    %packed = vector.shape_cast %shuffled : vector<16xf16> to vector<2x4x2xf16>
    %words = vector.bitcast %packed : vector<2x4x2xf16> to vector<2x4x1xi32>
    %first = vector.extract %words[0, 0, 0] : i32 from vector<2x4x1xi32>
    %changed = vector.insert %first, %words [1, 3, 0] : i32 into vector<2x4x1xi32>
    %halves = vector.bitcast %changed : vector<2x4x1xi32> to vector<2x4x2xf16>
    %one = vector.extract_strided_slice %halves {offsets = [1, 0, 0], sizes = [1, 4, 2], strides = [1, 1, 1]} : vector<2x4x2xf16> to vector<1x4x2xf16>
    %line = vector.shape_cast %one : vector<1x4x2xf16> to vector<8xf16>
    %to = xegpu.create_nd_tdesc %y[0, 0, 0] : memref<2x4x2xf16> -> !xegpu.tensor_desc<2xf16>
    %start = vector.extract_strided_slice %line {offsets = [0], sizes = [2], strides = [1]} : vector<8xf16> to vector<2xf16>
    xegpu.store_nd %start, %to : vector<2xf16>, !xegpu.tensor_desc<2xf16>
    gpu.return
  }
}
