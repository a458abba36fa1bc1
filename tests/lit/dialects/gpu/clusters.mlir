// RUN: XEGPU_CANONICAL
module {
  gpu.module @m {
    gpu.func @k() kernel {
      %0 = gpu.cluster_id x
      %1 = gpu.cluster_dim y
      %2 = gpu.cluster_block_id z
      %3 = gpu.cluster_dim_blocks z upper_bound 3
      gpu.return
    }
  }
}

