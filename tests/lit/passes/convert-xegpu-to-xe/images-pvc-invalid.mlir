// RUN: xegpu-opt %s --split-input-file --verify-diagnostics --convert-xegpu-to-xe=target=pvc

gpu.module @kernels {
  // expected-error@+1 {{'gpu.func' op kernel argument 'in' is an image: pvc has no images}}
  gpu.func @image(%in: !image.surface<image1d, readonly>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error@+1 {{'gpu.func' op kernel argument 's' is a sampler: pvc has no images}}
  gpu.func @sampler(%s: !image.sampler) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @own() kernel {
    // expected-error@+1 {{'image.constant_sampler' op is not supported: pvc has no images}}
    %s = image.constant_sampler "none", "nearest"
    gpu.return
  }
}
