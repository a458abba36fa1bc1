// A loop made of branches; the descriptor is a block argument.
gpu.module @kernels {
  gpu.func @sum(%x: memref<1024x16xf32>, %y: memref<8x16xf32>, %n: index) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant dense<0.000000e+00> : vector<8x16xf32>
    %first = xegpu.create_nd_tdesc %x[0, 0] : memref<1024x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    cf.br ^head(%c0, %first, %zero : index, !xegpu.tensor_desc<8x16xf32>, vector<8x16xf32>)
  ^head(%i: index, %t: !xegpu.tensor_desc<8x16xf32>, %acc: vector<8x16xf32>):
    %more = arith.cmpi slt, %i, %n : index
    cf.cond_br %more, ^body, ^end(%acc : vector<8x16xf32>)
  ^body:
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    %next = arith.addf %acc, %v : vector<8x16xf32>
    %t1 = xegpu.update_nd_offset %t, [8, 0] : !xegpu.tensor_desc<8x16xf32>
    %i1 = arith.addi %i, %c8 : index
    cf.br ^head(%i1, %t1, %next : index, !xegpu.tensor_desc<8x16xf32>, vector<8x16xf32>)
  ^end(%total: vector<8x16xf32>):
    %out = xegpu.create_nd_tdesc %y[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %total, %out : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    cf.br ^leave
  ^leave:
    gpu.return
  }
}
