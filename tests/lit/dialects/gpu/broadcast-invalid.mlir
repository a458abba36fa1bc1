// RUN: XEGPU_INVALID

func.func @f(%x: f32) {
  // expected-error@+1 {{a lane must be given for specific_lane only: specific_lane has none}}
  %0 = "gpu.subgroup_broadcast"(%x) <{broadcast_type = #gpu<broadcast specific_lane>}> : (f32) -> f32
  return
}

// -----

func.func @f(%x: f32, %i: i32) {
  // expected-error@+1 {{a lane must be given for specific_lane only: first_active_lane has one}}
  %0 = "gpu.subgroup_broadcast"(%x, %i) <{broadcast_type = #gpu<broadcast first_active_lane>}> : (f32, i32) -> f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{expected a result of type f32, got i32}}
  %0 = "gpu.subgroup_broadcast"(%x) <{broadcast_type = #gpu<broadcast first_active_lane>}> : (f32) -> i32
  return
}

// -----

func.func @f(%x: memref<4xf32>) {
  // expected-error@+1 {{expected integers or floats, got memref<4xf32>}}
  %0 = gpu.subgroup_broadcast %x, first_active_lane : memref<4xf32>
  return
}
