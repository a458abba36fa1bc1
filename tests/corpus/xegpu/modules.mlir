// Several device modules, a kernel that calls a function, and a host that launches them one after the other.
module attributes {gpu.container_module} {
  func.func @main(%n: index) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %half = arith.constant 5.000000e-01 : f32
    %x = gpu.alloc host_shared () : memref<16x16xf32>
    %y = gpu.alloc (%n) : memref<?xf32>
    gpu.launch_func @first::@scale blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<16x16xf32>, %half : f32)
    gpu.launch_func @second::@clear blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1) args(%y : memref<?xf32>, %n : index)
    %token = gpu.wait async
    %done = gpu.launch_func async [%token] @second::@empty blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.wait [%done]
    gpu.dealloc %x : memref<16x16xf32>
    gpu.dealloc %y : memref<?xf32>
    return
  }
  gpu.module @first {
    gpu.func @scale(%x: memref<16x16xf32>, %factor: f32) kernel attributes {VectorComputeFunctionINTEL, known_grid_size = array<i32: 2, 1, 1>} {
      %c8 = arith.constant 8 : index
      %block = gpu.block_id x
      %i = arith.muli %block, %c8 : index
      %t = xegpu.create_nd_tdesc %x[%i, 0] : memref<16x16xf32> -> !xegpu.tensor_desc<8x16xf32>
      %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
      %w = func.call @scaled(%v, %factor) : (vector<8x16xf32>, f32) -> vector<8x16xf32>
      xegpu.store_nd %w, %t : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
      gpu.return
    }
    func.func private @scaled(%v: vector<8x16xf32>, %factor: f32) -> vector<8x16xf32> {
      %factors = vector.broadcast %factor : f32 to vector<8x16xf32>
      %w = arith.mulf %v, %factors : vector<8x16xf32>
      return %w : vector<8x16xf32>
    }
  }
  gpu.module @second {
    gpu.func @clear(%y: memref<?xf32>, %n: index) kernel {
      %zero = arith.constant 0.000000e+00 : f32
      %i = gpu.global_id x
      %inside = arith.cmpi ult, %i, %n : index
      scf.if %inside {
        memref.store %zero, %y[%i] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @empty() kernel {
      gpu.return
    }
  }
}
