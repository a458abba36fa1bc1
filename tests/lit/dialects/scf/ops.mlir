// RUN: XEGPU_CANONICAL
module {
  func.func @f(%x: f32, %c: i1, %lb: index, %m: memref<16xf32>, %i: i32, %k: index) -> f32 {
    %0 = scf.for %a = %lb to %lb step %lb iter_args(%y = %x) -> (f32) {
      scf.yield %y : f32
    }
    %1, %2 = scf.for %a_1 = %i to %i step %i iter_args(%y_1 = %x, %z = %x) -> (f32, f32) : i32 {
      scf.yield %y_1, %z : f32, f32
    } {a = 1 : i32}
    %3 = scf.if %c -> (f32) {
      scf.yield %x : f32
    } else {
      scf.yield %x : f32
    }
    scf.parallel (%p, %q) = (%lb, %lb) to (%lb, %lb) step (%lb, %lb) {
      memref.store %x, %m[%p] : memref<16xf32>
      scf.reduce
    }
    %4, %5 = scf.parallel (%p_1) = (%lb) to (%lb) step (%lb) init (%x, %x) -> (f32, f32) {
      scf.reduce(%x, %x : f32, f32) {
      ^bb0(%l: f32, %r: f32):
        scf.reduce.return %l : f32
      }, {
      ^bb0(%l_1: f32, %r_1: f32):
        scf.reduce.return %l_1 : f32
      }
    } {mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
    scf.index_switch %k
    case 1 {
      scf.yield
    }
    default {
      scf.yield
    }
    %6, %7 = scf.index_switch %k {a = 1 : i32} -> f32, f32
    case 1 {
      scf.yield %x, %x : f32, f32
    }
    default {
      scf.yield %x, %x : f32, f32
    }
    scf.execute_region {
      scf.yield
    }
    %8 = scf.execute_region -> (f32) {
      scf.yield %x : f32
    }
    scf.while : () -> () {
      scf.condition(%c)
    } do {
      scf.yield
    }
    %9, %10 = scf.while (%v = %i) : (i32) -> (f32, i32) {
      scf.condition(%c) %x, %v : f32, i32
    } do {
    ^bb0(%v_1: f32, %w: i32):
      scf.yield %w : i32
    } attributes {a = 1 : i32}
    return %0 : f32
  }
}

