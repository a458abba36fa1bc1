// Structured control flow beyond the counted loop.
func.func @loops(%x: memref<128xf32>, %limit: f32, %choice: index) -> (f32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1.000000e+00 : f32
  %final = scf.while (%v = %one) : (f32) -> f32 {
    %go_on = arith.cmpf olt, %v, %limit : f32
    scf.condition(%go_on) %v : f32
  } do {
  ^bb0(%v: f32):
    %doubled = arith.addf %v, %v : f32
    scf.yield %doubled : f32
  }
  scf.parallel (%i) = (%c0) to (%c128) step (%c1) {
    memref.store %final, %x[%i] : memref<128xf32>
    scf.reduce
  }
  %sum = scf.parallel (%i) = (%c0) to (%c128) step (%c1) init (%one) -> f32 {
    %v = memref.load %x[%i] : memref<128xf32>
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      scf.reduce.return %ab : f32
    }
  }
  %picked = scf.index_switch %choice -> i32
  case 2 {
    %two = arith.constant 2 : i32
    scf.yield %two : i32
  }
  case 5 {
    %five = arith.constant 5 : i32
    scf.yield %five : i32
  }
  default {
    %none = arith.constant -1 : i32
    scf.yield %none : i32
  }
  %start = arith.constant 0 : i32
  %stop = arith.constant 10 : i32
  %step = arith.constant 2 : i32
  %counted = scf.for %i = %start to %stop step %step iter_args(%acc = %picked) -> (i32) : i32 {
    %next = arith.addi %acc, %i : i32
    scf.yield %next : i32
  }
  %region = scf.execute_region -> f32 {
    scf.yield %sum : f32
  }
  return %region, %counted : f32, i32
}
