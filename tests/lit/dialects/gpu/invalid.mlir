// RUN: XEGPU_INVALID

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op expected void return type for kernel function}}
  gpu.func @f(%x: f32) -> f32 kernel {
    gpu.return %x : f32
  }
}

// -----

gpu.module @m {
  gpu.func @f() -> i32 {
    // expected-error@+1 {{'gpu.return' op returns nothing, but function @f returns i32}}
    gpu.return
  }
}

// -----

// expected-error@+1 {{'gpu.func' op expects parent op 'gpu.module'}}
gpu.func @f() {
  gpu.return
}

// -----

gpu.module @m {
  // expected-error@+1 {{expected memref type in workgroup attribution, got f32}}
  gpu.func @f() workgroup(%w : f32) {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{expected memory space #gpu.address_space<workgroup> in attribution, got #gpu.address_space<private>}}
  gpu.func @f() workgroup(%w : memref<4xf32, #gpu.address_space<private>>) {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{attribute 'known_block_size' must be an i32 array of 3 elements, got array<i32: 16>}}
  gpu.func @f() kernel attributes {known_block_size = array<i32: 16>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{attribute 'known_block_size' must hold positive sizes, got array<i32: 16, 0, 1>}}
  gpu.func @f() kernel attributes {gpu.known_block_size = array<i32: 16, 0, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{expected body region argument #0 to be of type f32, got i32}}
  "gpu.func"() <{function_type = (f32) -> ()}> ({
  ^bb0(%a: i32):
    "gpu.return"() : () -> ()
  }) {sym_name = "f"} : () -> ()
}

// -----

gpu.module @m {
  // expected-error@+1 {{expected at least 3 arguments of the body region (1 inputs and the workgroup attributions), got 2}}
  "gpu.func"() <{function_type = (f32) -> ()}> ({
  ^bb0(%a: f32, %b: memref<4xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "f", workgroup_attributions = 2 : i64} : () -> ()
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op expected a body}}
  "gpu.func"() <{function_type = () -> ()}> ({}) {sym_name = "f"} : () -> ()
}

// -----

func.func @f() {
  // expected-error@+1 {{expected upper_bound of at least 1, got 0}}
  %0 = gpu.lane_id upper_bound 0
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{Expected `x`, `y`, or `z`}}
  %0 = gpu.thread_id w
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{expected 3 sizes, got 2}}
  gpu.launch_func @m::@f blocks in (%n, %n) threads in (%n, %n, %n)
  return
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @f() kernel {
      gpu.return
    }
  }
  func.func @f(%n: index, %i: i64) {
    // expected-error@+1 {{expects grid, block and cluster sizes of one type, got index, index, index, i64, i64, i64}}
    "gpu.launch_func"(%n, %n, %n, %i, %i, %i) <{kernel = @m::@f, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>}>
      : (index, index, index, i64, i64, i64) -> ()
    return
  }
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{dimension operand count does not equal memref dynamic dimension count: expected 0, got 1}}
  %0 = gpu.alloc (%n) : memref<4xf32>
  return
}

// -----

func.func @f(%a: memref<4xf32>, %b: memref<8xf32>) {
  // expected-error@+1 {{arguments have incompatible shape: memref<4xf32> and memref<8xf32>}}
  gpu.memcpy %a, %b : memref<4xf32>, memref<8xf32>
  return
}

// -----

func.func @f(%a: memref<4xf32>, %b: memref<4xf16>) {
  // expected-error@+1 {{arguments have incompatible element types: f32 and f16}}
  gpu.memcpy %a, %b : memref<4xf32>, memref<4xf16>
  return
}

// -----

// expected-error@+1 {{Expected `global`, `workgroup`, or `private`}}
func.func private @f(memref<4xf32, #gpu.address_space<shared>>)

// -----

func.func @f() {
  // expected-error@+1 {{'gpu.terminator' op expects parent op 'gpu.launch'}}
  gpu.terminator
}
