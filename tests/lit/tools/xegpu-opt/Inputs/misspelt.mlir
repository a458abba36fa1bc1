func.func @f(%x: !xegpu.tensor_desc<8x16xf32>) { %0 = xegpu.prefetch_nb %x : !xegpu.tensor_desc<8x16xf32> }
