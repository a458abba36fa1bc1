func.func @f(%x: f32) {
  %x = arith.constant 1.0 : f32
  return
}
