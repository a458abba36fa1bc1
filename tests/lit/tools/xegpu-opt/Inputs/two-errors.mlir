func.func @f(%x: !xegpu.tensor_desc<8x16xf32>) {
  %0 = xegpu.load_nd %x : !xegpu.tensor_desc<8x16xf32> -> vector<4x4xf32>
  %1 = xegpu.load_nd %x : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf16>
  return
}
