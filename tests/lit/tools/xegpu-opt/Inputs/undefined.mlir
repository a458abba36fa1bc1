func.func @f(%x: f32) {
  %0 = arith.addf %x, %y : f32
  return
}
