// Layer normalization of one row: mean and variance by reductions, then scale and shift.
gpu.module @kernels {
  gpu.func @layernorm(%x: memref<1024x32xf32>, %gamma: memref<32xf32>, %beta: memref<32xf32>, %y: memref<1024x32xf16>, %epsilon: f32) kernel attributes {VectorComputeFunctionINTEL} {
    %row = gpu.block_id x
    %in = xegpu.create_nd_tdesc %x[%row, 0] : memref<1024x32xf32> -> !xegpu.tensor_desc<32xf32>
    %v = xegpu.load_nd %in : !xegpu.tensor_desc<32xf32> -> vector<32xf32>
    %zero = arith.constant 0.000000e+00 : f32
    %inverse = arith.constant 3.125000e-02 : f32
    %sum = vector.reduction <add>, %v, %zero : vector<32xf32> into f32
    %mean = arith.mulf %sum, %inverse : f32
    %means = vector.broadcast %mean : f32 to vector<32xf32>
    %centered = arith.subf %v, %means : vector<32xf32>
    %squares = arith.mulf %centered, %centered : vector<32xf32>
    %total = vector.reduction <add>, %squares fastmath<reassoc> : vector<32xf32> into f32
    %variance = arith.mulf %total, %inverse : f32
    %safe = arith.addf %variance, %epsilon : f32
    %scale = math.rsqrt %safe : f32
    %scales = vector.broadcast %scale : f32 to vector<32xf32>
    %normal = arith.mulf %centered, %scales : vector<32xf32>
    %gt = xegpu.create_nd_tdesc %gamma[0] : memref<32xf32> -> !xegpu.tensor_desc<32xf32>
    %g = xegpu.load_nd %gt <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<32xf32> -> vector<32xf32>
    %bt = xegpu.create_nd_tdesc %beta[0] : memref<32xf32> -> !xegpu.tensor_desc<32xf32>
    %b = xegpu.load_nd %bt <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<32xf32> -> vector<32xf32>
    %affine = math.fma %normal, %g, %b : vector<32xf32>
    %narrow = arith.truncf %affine : vector<32xf32> to vector<32xf16>
    %out = xegpu.create_nd_tdesc %y[%row, 0] : memref<1024x32xf16> -> !xegpu.tensor_desc<32xf16>
    xegpu.store_nd %narrow, %out : vector<32xf16>, !xegpu.tensor_desc<32xf16>
    gpu.return
  }
}
