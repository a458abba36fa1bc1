// y[to[k]] = 2 * x[from[k]], where negative indices stand for "nowhere": what comes from nowhere is 1, what goes
// nowhere is dropped. Four subgroups share one gather and one scatter of 8x64 elements. XeGPU of LLVM 22.
#map = #xegpu.layout<sg_layout = [2, 2], sg_data = [4, 32]>
!indices = !xegpu.tensor_desc<8x64xi32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gather_scatter(%from: memref<8x64xi32>, %to: memref<8x64xi32>, %x: memref<700xf32>,
                           %y: memref<600xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant dense<0> : vector<8x64xi32>
    %two = arith.constant dense<2.0> : vector<8x64xf32>
    %half = arith.constant dense<0.5> : vector<8x64xf32>
    %t_from = xegpu.create_nd_tdesc %from : memref<8x64xi32> -> !indices
    %t_to = xegpu.create_nd_tdesc %to : memref<8x64xi32> -> !indices
    %origin = xegpu.load_nd %t_from[0, 0] <{layout = #map}> : !indices -> vector<8x64xi32>
    %target = xegpu.load_nd %t_to[0, 0] <{layout = #map}> : !indices -> vector<8x64xi32>
    %comes = arith.cmpi sge, %origin, %zero : vector<8x64xi32>
    %goes = arith.cmpi sge, %target, %zero : vector<8x64xi32>
    %origins = arith.index_cast %origin : vector<8x64xi32> to vector<8x64xindex>
    %targets = arith.index_cast %target : vector<8x64xi32> to vector<8x64xindex>
    %loaded = xegpu.load %x[%origins], %comes <{layout = #map}>
        : memref<700xf32>, vector<8x64xindex>, vector<8x64xi1> -> vector<8x64xf32>
    %v = arith.select %comes, %loaded, %half : vector<8x64xi1>, vector<8x64xf32>
    %w = arith.mulf %v, %two : vector<8x64xf32>
    xegpu.store %w, %y[%targets], %goes <{layout = #map}>
        : vector<8x64xf32>, memref<600xf32>, vector<8x64xindex>, vector<8x64xi1>
    gpu.return
  }
}
