// RUN: XEGPU_CANONICAL
module {
  func.func @f(%f8: f8E4M3FN, %e8: f8E8M0FNU, %s: f32) {
    %r0 = arith.scaling_extf %f8, %e8 : f8E4M3FN, f8E8M0FNU to f32
    %r1 = arith.scaling_extf %f8, %e8 fastmath<fast> : f8E4M3FN, f8E8M0FNU to f32
    %r2 = arith.scaling_truncf %s, %e8 : f32, f8E8M0FNU to f8E4M3FN
    %r3 = arith.scaling_truncf %s, %e8 to_nearest_even fastmath<fast> : f32, f8E8M0FNU to f8E4M3FN
    %r4 = arith.scaling_truncf %s, %s : f32, f32 to f8E4M3FN
    return
  }
}

