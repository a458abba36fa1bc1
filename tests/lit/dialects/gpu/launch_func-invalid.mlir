// RUN: XEGPU_INVALID

module attributes {gpu.container_module} {
  func.func @run(%x: index) {
    // expected-error@+1 {{kernel container 'm' is undefined}}
    gpu.launch_func @m::@k blocks in (%x, %x, %x) threads in (%x, %x, %x)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  func.func private @m()
  func.func @run(%x: index) {
    // expected-error@+1 {{kernel module 'm' is undefined: that is a func.func}}
    gpu.launch_func @m::@k blocks in (%x, %x, %x) threads in (%x, %x, %x)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
  }
  func.func @run(%x: index) {
    // expected-error@+1 {{kernel function '@m::@k' is undefined}}
    gpu.launch_func @m::@k blocks in (%x, %x, %x) threads in (%x, %x, %x)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k() {
      gpu.return
    }
  }
  func.func @run(%x: index) {
    // expected-error@+1 {{kernel function '@m::@k' is missing the 'gpu.kernel' attribute}}
    gpu.launch_func @m::@k blocks in (%x, %x, %x) threads in (%x, %x, %x)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%a: f32) kernel {
      gpu.return
    }
  }
  func.func @run(%x: index) {
    // expected-error@+1 {{got 0 kernel operands but expected 1}}
    gpu.launch_func @m::@k blocks in (%x, %x, %x) threads in (%x, %x, %x)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%a: f32) kernel {
      gpu.return
    }
  }
  func.func @run(%x: index) {
    // expected-error@+1 {{type of function argument 0 does not match: got index, expected f32}}
    gpu.launch_func @m::@k clusters in (%x, %x, %x) blocks in (%x, %x, %x) threads in (%x, %x, %x) args(%x : index)
    return
  }
}

// -----

gpu.module @m {
  gpu.func @k() kernel {
    gpu.return
  }
}
func.func @run(%x: index) {
  // expected-error@+1 {{expected the closest surrounding module to have the 'gpu.container_module' attribute}}
  gpu.launch_func @m::@k blocks in (%x, %x, %x) threads in (%x, %x, %x)
  return
}

// -----

// expected-error@+1 {{expects at least one object}}
gpu.binary @m []
