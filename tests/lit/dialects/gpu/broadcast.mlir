// RUN: XEGPU_CANONICAL
module {
  gpu.module @m {
    gpu.func @k(%x: f32, %v: vector<4xf32>, %i: i32) kernel {
      %0 = gpu.subgroup_broadcast %x, first_active_lane : f32
      %1 = gpu.subgroup_broadcast %v, specific_lane %i : vector<4xf32>
      gpu.return
    }
  }
}

