// y = max(x * scale + bias, 0) on bf16: work-items in XeGPU, and memory of the device that the host copies to and from.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: the asynchronous form of `gpu` operations. `gpu.alloc` without `host_shared` is memory of the device;
// each operation waits for the tokens in its brackets and gives one of its own, and `gpu.wait` waits for the last. The
// three copies to the device do not wait for each other. The reference is a `linalg.generic` whose maps repeat the row
// of scales and the column of biases.
#repeat_row = affine_map<(i, j) -> (0, j)>
#repeat_column = affine_map<(i, j) -> (i, 0)>
#each = affine_map<(i, j) -> (i, j)>
#map = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
!tile = !xegpu.tensor_desc<8x16xbf16, #map>
!scale = !xegpu.tensor_desc<16xf32, #map>
module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %low = arith.constant -2.0 : f32
    %high = arith.constant 2.0 : f32
    %fractions = arith.constant false
    %x = memref.alloc() : memref<64x128xbf16>
    %scale = memref.alloc() : memref<1x128xf32>
    %bias = memref.alloc() : memref<64x1xf32>
    %y = memref.alloc() : memref<64x128xbf16>
    %expected = memref.alloc() : memref<64x128xf32>
    %any_x = memref.cast %x : memref<64x128xbf16> to memref<*xbf16>
    %any_scale = memref.cast %scale : memref<1x128xf32> to memref<*xf32>
    %any_bias = memref.cast %bias : memref<64x1xf32> to memref<*xf32>
    call @fillResource1DRandomBF16(%any_x, %low, %high, %fractions) : (memref<*xbf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF32(%any_scale, %low, %high, %fractions) : (memref<*xf32>, f32, f32, i1) -> ()
    call @fillResource1DRandomF32(%any_bias, %low, %high, %fractions) : (memref<*xf32>, f32, f32, i1) -> ()

    %begin = gpu.wait async
    %device_x, %has_x = gpu.alloc async [%begin] () : memref<64x128xbf16>
    %device_scale, %has_scale = gpu.alloc async [%begin] () : memref<1x128xf32>
    %device_bias, %has_bias = gpu.alloc async [%begin] () : memref<64x1xf32>
    %device_y, %has_y = gpu.alloc async [%begin] () : memref<64x128xbf16>
    %copied_x = gpu.memcpy async [%has_x] %device_x, %x : memref<64x128xbf16>, memref<64x128xbf16>
    %copied_scale = gpu.memcpy async [%has_scale] %device_scale, %scale : memref<1x128xf32>, memref<1x128xf32>
    %copied_bias = gpu.memcpy async [%has_bias] %device_bias, %bias : memref<64x1xf32>, memref<64x1xf32>
    %computed = gpu.launch_func async [%copied_x, %copied_scale, %copied_bias, %has_y] @kernels::@elementwise
        blocks in (%c8, %c8, %c1) threads in (%c16, %c1, %c1)
        args(%device_x : memref<64x128xbf16>, %device_scale : memref<1x128xf32>, %device_bias : memref<64x1xf32>,
             %device_y : memref<64x128xbf16>)
    %copied_y = gpu.memcpy async [%computed] %y, %device_y : memref<64x128xbf16>, memref<64x128xbf16>
    %freed_x = gpu.dealloc async [%computed] %device_x : memref<64x128xbf16>
    %freed_scale = gpu.dealloc async [%computed] %device_scale : memref<1x128xf32>
    %freed_bias = gpu.dealloc async [%computed] %device_bias : memref<64x1xf32>
    %freed_y = gpu.dealloc async [%copied_y] %device_y : memref<64x128xbf16>
    gpu.wait [%copied_y, %freed_x, %freed_scale, %freed_bias, %freed_y]

    %zero = arith.constant 0.0 : f32
    linalg.generic {indexing_maps = [#each, #repeat_row, #repeat_column, #each],
                    iterator_types = ["parallel", "parallel"]}
        ins(%x, %scale, %bias : memref<64x128xbf16>, memref<1x128xf32>, memref<64x1xf32>)
        outs(%expected : memref<64x128xf32>) {
    ^bb0(%v: bf16, %s: f32, %b: f32, %old: f32):
      %wide = arith.extf %v : bf16 to f32
      %product = arith.mulf %wide, %s : f32
      %sum = arith.addf %product, %b : f32
      %cut = arith.maximumf %sum, %zero : f32
      // What the result is rounded to; without it, a small number could be off by more than a thousandth.
      %narrow = arith.truncf %cut : f32 to bf16
      %rounded = arith.extf %narrow : bf16 to f32
      linalg.yield %rounded : f32
    }
    %any_y = memref.cast %y : memref<64x128xbf16> to memref<*xbf16>
    %any_expected = memref.cast %expected : memref<64x128xf32> to memref<*xf32>
    // CHECK: [ALLCLOSE: TRUE]
    call @printAllcloseBF16(%any_y, %any_expected) : (memref<*xbf16>, memref<*xf32>) -> ()
    memref.dealloc %x : memref<64x128xbf16>
    memref.dealloc %scale : memref<1x128xf32>
    memref.dealloc %bias : memref<64x1xf32>
    memref.dealloc %y : memref<64x128xbf16>
    memref.dealloc %expected : memref<64x128xf32>
    return
  }

  gpu.module @kernels {
    gpu.func @elementwise(%x: memref<64x128xbf16>, %scale: memref<1x128xf32>, %bias: memref<64x1xf32>,
                          %y: memref<64x128xbf16>)
        kernel attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 8, 8, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %zero = arith.constant dense<0.0> : vector<8x1xf32>
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %i = arith.muli %by, %c8 : index
      %j = arith.muli %bx, %c16 : index
      %tx = xegpu.create_nd_tdesc %x[%i, %j] : memref<64x128xbf16> -> !tile
      %ts = xegpu.create_nd_tdesc %scale[0, %j] : memref<1x128xf32> -> !scale
      %ty = xegpu.create_nd_tdesc %y[%i, %j] : memref<64x128xbf16> -> !tile
      %v = xegpu.load_nd %tx : !tile -> vector<8x1xbf16>
      %s = xegpu.load_nd %ts : !scale -> vector<1x1xf32>
      %own = vector.extract %s[0, 0] : f32 from vector<1x1xf32>
      %scales = vector.broadcast %own : f32 to vector<8x1xf32>
      %biases = scf.for %r = %c0 to %c8 step %c1 iter_args(%all = %zero) -> (vector<8x1xf32>) {
        %row = arith.addi %i, %r : index
        %b = memref.load %bias[%row, %c0] : memref<64x1xf32>
        %next = vector.insert %b, %all[%r, 0] : f32 into vector<8x1xf32>
        scf.yield %next : vector<8x1xf32>
      }
      %wide = arith.extf %v : vector<8x1xbf16> to vector<8x1xf32>
      %product = arith.mulf %wide, %scales : vector<8x1xf32>
      %sum = arith.addf %product, %biases : vector<8x1xf32>
      %cut = arith.maximumf %sum, %zero : vector<8x1xf32>
      %narrow = arith.truncf %cut : vector<8x1xf32> to vector<8x1xbf16>
      xegpu.store_nd %narrow, %ty : vector<8x1xbf16>, !tile
      gpu.return
    }
  }
  func.func private @fillResource1DRandomBF16(memref<*xbf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseBF16(memref<*xbf16>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
