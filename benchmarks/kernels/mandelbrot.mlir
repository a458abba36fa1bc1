// Iterations until |z| > 2, at most %limit, for each point of a picture of the Mandelbrot set.
gpu.module @kernels {
  gpu.func @mandelbrot(%out: memref<?x?xi32>, %step: f32, %limit: i32) kernel {
    %left = arith.constant -2.25 : f32
    %top = arith.constant -1.5 : f32
    %f0 = arith.constant 0.0 : f32
    %f2 = arith.constant 2.0 : f32
    %f4 = arith.constant 4.0 : f32
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %column = gpu.global_id x
    %row = gpu.global_id y
    %column_i = arith.index_cast %column : index to i32
    %row_i = arith.index_cast %row : index to i32
    %column_f = arith.sitofp %column_i : i32 to f32
    %row_f = arith.sitofp %row_i : i32 to f32
    %cr = math.fma %column_f, %step, %left : f32
    %ci = math.fma %row_f, %step, %top : f32
    %end:3 = scf.while (%zr = %f0, %zi = %f0, %n = %i0) : (f32, f32, i32) -> (f32, f32, i32) {
      %rr = arith.mulf %zr, %zr : f32
      %ii = arith.mulf %zi, %zi : f32
      %norm = arith.addf %rr, %ii : f32
      %inside = arith.cmpf ule, %norm, %f4 : f32
      %more = arith.cmpi slt, %n, %limit : i32
      %go = arith.andi %inside, %more : i1
      scf.condition(%go) %zr, %zi, %n : f32, f32, i32
    } do {
    ^bb0(%zr: f32, %zi: f32, %n: i32):
      %rr = arith.mulf %zr, %zr : f32
      %ii = arith.mulf %zi, %zi : f32
      %twice = arith.mulf %zr, %f2 : f32
      %next_zi = math.fma %twice, %zi, %ci : f32
      %difference = arith.subf %rr, %ii : f32
      %next_zr = arith.addf %difference, %cr : f32
      %next_n = arith.addi %n, %i1 : i32
      scf.yield %next_zr, %next_zi, %next_n : f32, f32, i32
    }
    memref.store %end#2, %out[%row, %column] : memref<?x?xi32>
    gpu.return
  }
}
