// Layer normalisation of rows of f16: a subgroup kernel in XeTile, and helpers of the host that take any size.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: functions of the host on `memref<?x?x...>`, called with buffers of known size through `memref.cast`,
// and statistics that `math.rsqrt` and `scf.for` with several results compute. The kernel rounds to f16 in the end, and
// so does the host.
!tile = !xetile.tile<8x64xf16>
!row = !xetile.tile<1x64xf32>
module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %low = arith.constant -3.0 : f32
    %high = arith.constant 5.0 : f32
    %fractions = arith.constant false
    %x = gpu.alloc host_shared () : memref<32x64xf16>
    %gain = gpu.alloc host_shared () : memref<1x64xf32>
    %shift = gpu.alloc host_shared () : memref<1x64xf32>
    %y = gpu.alloc host_shared () : memref<32x64xf16>
    %expected = memref.alloc() : memref<32x64xf32>
    %any_x = memref.cast %x : memref<32x64xf16> to memref<*xf16>
    %any_gain = memref.cast %gain : memref<1x64xf32> to memref<*xf32>
    %any_shift = memref.cast %shift : memref<1x64xf32> to memref<*xf32>
    call @fillResource1DRandomF16(%any_x, %low, %high, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF32(%any_gain, %low, %high, %fractions) : (memref<*xf32>, f32, f32, i1) -> ()
    call @fillResource1DRandomF32(%any_shift, %low, %high, %fractions) : (memref<*xf32>, f32, f32, i1) -> ()

    gpu.launch_func @kernels::@layer_norm blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<32x64xf16>, %gain : memref<1x64xf32>, %shift : memref<1x64xf32>, %y : memref<32x64xf16>)

    %x_of_any_size = memref.cast %x : memref<32x64xf16> to memref<?x?xf16>
    %expected_of_any_size = memref.cast %expected : memref<32x64xf32> to memref<?x?xf32>
    call @layer_norm_on_the_host(%x_of_any_size, %gain, %shift, %expected_of_any_size)
        : (memref<?x?xf16>, memref<1x64xf32>, memref<1x64xf32>, memref<?x?xf32>) -> ()
    %any_y = memref.cast %y : memref<32x64xf16> to memref<*xf16>
    %any_expected = memref.cast %expected : memref<32x64xf32> to memref<*xf32>
    // CHECK: [ALLCLOSE: TRUE]
    call @printAllcloseF16(%any_y, %any_expected) : (memref<*xf16>, memref<*xf32>) -> ()
    memref.dealloc %expected : memref<32x64xf32>
    gpu.dealloc %x : memref<32x64xf16>
    gpu.dealloc %gain : memref<1x64xf32>
    gpu.dealloc %shift : memref<1x64xf32>
    gpu.dealloc %y : memref<32x64xf16>
    return
  }

  func.func @layer_norm_on_the_host(%x: memref<?x?xf16>, %gain: memref<1x64xf32>, %shift: memref<1x64xf32>,
                                    %y: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %epsilon = arith.constant 1.0e-5 : f32
    %rows = memref.dim %x, %c0 : memref<?x?xf16>
    %columns = memref.dim %x, %c1 : memref<?x?xf16>
    %whole = arith.index_cast %columns : index to i32
    %n = arith.sitofp %whole : i32 to f32
    scf.for %i = %c0 to %rows step %c1 {
      %sums:2 = scf.for %j = %c0 to %columns step %c1 iter_args(%sum = %zero, %square_sum = %zero) -> (f32, f32) {
        %narrow = memref.load %x[%i, %j] : memref<?x?xf16>
        %v = arith.extf %narrow : f16 to f32
        %square = arith.mulf %v, %v : f32
        %next_sum = arith.addf %sum, %v : f32
        %next_square_sum = arith.addf %square_sum, %square : f32
        scf.yield %next_sum, %next_square_sum : f32, f32
      }
      %mean = arith.divf %sums#0, %n : f32
      %mean_square = arith.divf %sums#1, %n : f32
      %square_of_mean = arith.mulf %mean, %mean : f32
      %variance = arith.subf %mean_square, %square_of_mean : f32
      %safe = arith.addf %variance, %epsilon : f32
      %factor = math.rsqrt %safe : f32
      scf.for %j = %c0 to %columns step %c1 {
        %narrow = memref.load %x[%i, %j] : memref<?x?xf16>
        %g = memref.load %gain[%c0, %j] : memref<1x64xf32>
        %s = memref.load %shift[%c0, %j] : memref<1x64xf32>
        %v = arith.extf %narrow : f16 to f32
        %d = arith.subf %v, %mean : f32
        %normal = arith.mulf %d, %factor : f32
        %result = math.fma %normal, %g, %s : f32
        %rounded = arith.truncf %result : f32 to f16
        %wide = arith.extf %rounded : f16 to f32
        memref.store %wide, %y[%i, %j] : memref<?x?xf32>
      }
    }
    return
  }

  gpu.module @kernels {
    gpu.func @layer_norm(%x: memref<32x64xf16>, %gain: memref<1x64xf32>, %shift: memref<1x64xf32>,
                         %y: memref<32x64xf16>)
        kernel attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                           known_grid_size = array<i32: 4, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %n = arith.constant dense<64.0> : vector<8x1xf32>
      %epsilon = arith.constant dense<1.0e-5> : vector<8x1xf32>
      %block = gpu.block_id x
      %i = arith.muli %block, %c8 : index
      %tx = xetile.init_tile %x[%i, %c0] : memref<32x64xf16> -> !tile
      %tg = xetile.init_tile %gain[%c0, %c0] : memref<1x64xf32> -> !row
      %ts = xetile.init_tile %shift[%c0, %c0] : memref<1x64xf32> -> !row
      %ty = xetile.init_tile %y[%i, %c0] : memref<32x64xf16> -> !tile
      %narrow = xetile.load_tile %tx : !tile -> vector<8x64xf16>
      %v = arith.extf %narrow : vector<8x64xf16> to vector<8x64xf32>
      %sum = xetile.reduction <add>, %v [1] : vector<8x64xf32> -> vector<8x1xf32>
      %mean = arith.divf %sum, %n : vector<8x1xf32>
      %means = xetile.broadcast %mean [1] : vector<8x1xf32> -> vector<8x64xf32>
      %d = arith.subf %v, %means : vector<8x64xf32>
      %squares = arith.mulf %d, %d : vector<8x64xf32>
      %square_sum = xetile.reduction <add>, %squares [1] : vector<8x64xf32> -> vector<8x1xf32>
      %variance = arith.divf %square_sum, %n : vector<8x1xf32>
      %safe = arith.addf %variance, %epsilon : vector<8x1xf32>
      %factor = math.rsqrt %safe : vector<8x1xf32>
      %factors = xetile.broadcast %factor [1] : vector<8x1xf32> -> vector<8x64xf32>
      %normal = arith.mulf %d, %factors : vector<8x64xf32>
      %g = xetile.load_tile %tg : !row -> vector<1x64xf32>
      %s = xetile.load_tile %ts : !row -> vector<1x64xf32>
      %gains = xetile.broadcast %g [0] : vector<1x64xf32> -> vector<8x64xf32>
      %shifts = xetile.broadcast %s [0] : vector<1x64xf32> -> vector<8x64xf32>
      %scaled = arith.mulf %normal, %gains : vector<8x64xf32>
      %shifted = arith.addf %scaled, %shifts : vector<8x64xf32>
      %result = arith.truncf %shifted : vector<8x64xf32> to vector<8x64xf16>
      xetile.store_tile %result, %ty : vector<8x64xf16>, !tile
      gpu.return
    }
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF16(memref<*xf16>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
