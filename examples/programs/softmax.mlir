// Softmax over the rows of a matrix: a work-group kernel in XeTile, checked by loops on the host.
//
// RUN: xegpu-run %s --filecheck
//
// The host fills memory with random numbers, computes what it expects in f32, and compares. The kernel gets memory that
// both sides can use (`gpu.alloc host_shared`), and the launch counts subgroups, as the kernel's work-groups are made of
// eight of them.
module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %low = arith.constant -4.0 : f32
    %high = arith.constant 4.0 : f32
    %fractions = arith.constant false
    %x = gpu.alloc host_shared () : memref<64x64xf32>
    %y = gpu.alloc host_shared () : memref<64x64xf32>
    %expected = memref.alloc() : memref<64x64xf32>
    %any_x = memref.cast %x : memref<64x64xf32> to memref<*xf32>
    call @fillResource1DRandomF32(%any_x, %low, %high, %fractions) : (memref<*xf32>, f32, f32, i1) -> ()
    gpu.launch_func @kernels::@softmax blocks in (%c2, %c1, %c1) threads in (%c8, %c1, %c1)
        args(%x : memref<64x64xf32>, %y : memref<64x64xf32>)
    call @softmax_on_the_host(%x, %expected) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
    %any_y = memref.cast %y : memref<64x64xf32> to memref<*xf32>
    %any_expected = memref.cast %expected : memref<64x64xf32> to memref<*xf32>
    // CHECK: [ALLCLOSE: TRUE]
    call @printAllcloseF32(%any_y, %any_expected) : (memref<*xf32>, memref<*xf32>) -> ()
    memref.dealloc %expected : memref<64x64xf32>
    gpu.dealloc %x : memref<64x64xf32>
    gpu.dealloc %y : memref<64x64xf32>
    return
  }

  func.func @softmax_on_the_host(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    scf.for %i = %c0 to %c64 step %c1 {
      %first = memref.load %x[%i, %c0] : memref<64x64xf32>
      %most = scf.for %j = %c1 to %c64 step %c1 iter_args(%so_far = %first) -> (f32) {
        %v = memref.load %x[%i, %j] : memref<64x64xf32>
        %larger = arith.maximumf %so_far, %v : f32
        scf.yield %larger : f32
      }
      %sum = scf.for %j = %c0 to %c64 step %c1 iter_args(%so_far = %zero) -> (f32) {
        %v = memref.load %x[%i, %j] : memref<64x64xf32>
        %d = arith.subf %v, %most : f32
        %e = math.exp %d : f32
        memref.store %e, %y[%i, %j] : memref<64x64xf32>
        %s = arith.addf %so_far, %e : f32
        scf.yield %s : f32
      }
      scf.for %j = %c0 to %c64 step %c1 {
        %e = memref.load %y[%i, %j] : memref<64x64xf32>
        %p = arith.divf %e, %sum : f32
        memref.store %p, %y[%i, %j] : memref<64x64xf32>
      }
    }
    return
  }

  gpu.module @kernels {
    gpu.func @softmax(%x: memref<64x64xf32>, %y: memref<64x64xf32>) kernel
        attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 8, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %block = gpu.block_id x
      %row = arith.muli %block, %c32 : index
      %tx = xetile.init_tile %x[%row, %c0] : memref<64x64xf32>
          -> !xetile.tile<32x64xf32, #xetile.tile_attr<wg_map = <sg_layout = [4, 2], sg_data = [8, 32]>>>
      %v = xetile.load_tile %tx
          : !xetile.tile<32x64xf32, #xetile.tile_attr<wg_map = <sg_layout = [4, 2], sg_data = [8, 32]>>>
          -> vector<32x64xf32>
      %max = xetile.reduction <maximumf>, %v [1] : vector<32x64xf32> -> vector<32x1xf32>
      %maxima = xetile.broadcast %max [1] : vector<32x1xf32> -> vector<32x64xf32>
      %d = arith.subf %v, %maxima : vector<32x64xf32>
      %e = math.exp %d : vector<32x64xf32>
      %sum = xetile.reduction <add>, %e [1] : vector<32x64xf32> -> vector<32x1xf32>
      %sums = xetile.broadcast %sum [1] : vector<32x1xf32> -> vector<32x64xf32>
      %p = arith.divf %e, %sums : vector<32x64xf32>
      %ty = xetile.init_tile %y[%row, %c0] : memref<64x64xf32>
          -> !xetile.tile<32x64xf32, #xetile.tile_attr<wg_map = <sg_layout = [4, 2], sg_data = [8, 32]>>>
      xetile.store_tile %p, %ty : vector<32x64xf32>,
          !xetile.tile<32x64xf32, #xetile.tile_attr<wg_map = <sg_layout = [4, 2], sg_data = [8, 32]>>>
      gpu.return
    }
  }
  func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
