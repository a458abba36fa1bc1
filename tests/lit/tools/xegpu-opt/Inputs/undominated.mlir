func.func @f(%x: f32) {
  // The product comes too late.
  %0 = arith.addf %x, %1 : f32
  %1 = arith.mulf %x, %x : f32
  return
}
