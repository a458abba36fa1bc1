gpu.module @m {
  gpu.func @k(%a: memref<16xf32>) kernel {
    gpu.return
  }
}
