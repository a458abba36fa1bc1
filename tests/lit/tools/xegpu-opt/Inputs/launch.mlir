func.func @start(%m: memref<16xf32>) {
  %one = arith.constant 1 : index
  %count = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
      threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %m[%tx] : memref<16xf32>
    gpu.terminator
  }
  return
}
