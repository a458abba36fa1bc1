// The Mandelbrot set: one pixel for each work-item, which goes on until its point has escaped.
// Lanes of a subgroup leave the loop in different rounds.
gpu.module @kernels {
  gpu.func @mandelbrot(%counts: memref<?x?xi32>, %left: f32, %top: f32, %step: f32, %limit: i32) kernel {
    %column = gpu.global_id x
    %row = gpu.global_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %height = memref.dim %counts, %c0 : memref<?x?xi32>
    %width = memref.dim %counts, %c1 : memref<?x?xi32>
    %in_row = arith.cmpi ult, %column, %width : index
    %in_column = arith.cmpi ult, %row, %height : index
    %inside = arith.andi %in_row, %in_column : i1
    scf.if %inside {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %origin = arith.constant 0.0 : f32
      %four = arith.constant 4.0 : f32
      %i = arith.index_cast %column : index to i32
      %j = arith.index_cast %row : index to i32
      %u = arith.sitofp %i : i32 to f32
      %v = arith.sitofp %j : i32 to f32
      %dx = arith.mulf %u, %step : f32
      %dy = arith.mulf %v, %step : f32
      %cx = arith.addf %left, %dx : f32
      %cy = arith.addf %top, %dy : f32
      %r:3 = scf.while (%x = %origin, %y = %origin, %n = %zero) : (f32, f32, i32) -> (f32, f32, i32) {
        %xx = arith.mulf %x, %x : f32
        %yy = arith.mulf %y, %y : f32
        %square = arith.addf %xx, %yy : f32
        %near = arith.cmpf ole, %square, %four : f32
        %few = arith.cmpi slt, %n, %limit : i32
        %more = arith.andi %near, %few : i1
        scf.condition(%more) %x, %y, %n : f32, f32, i32
      } do {
      ^bb0(%x: f32, %y: f32, %n: i32):
        %xx = arith.mulf %x, %x : f32
        %yy = arith.mulf %y, %y : f32
        %xy = arith.mulf %x, %y : f32
        %difference = arith.subf %xx, %yy : f32
        %twice = arith.addf %xy, %xy : f32
        %next_x = arith.addf %difference, %cx : f32
        %next_y = arith.addf %twice, %cy : f32
        %next_n = arith.addi %n, %one : i32
        scf.yield %next_x, %next_y, %next_n : f32, f32, i32
      }
      memref.store %r#2, %counts[%row, %column] : memref<?x?xi32>
    }
    gpu.return
  }
}
