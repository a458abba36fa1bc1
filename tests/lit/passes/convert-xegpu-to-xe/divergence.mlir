// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc},canonicalize | filecheck %s

gpu.module @m {
  // Without another side, work-items for which the condition is false wait behind the choice.
  // CHECK-LABEL: xe.kernel @one_side
  // CHECK: %[[FLAG:.*]] = xe.cmp({{.*}}) {condition = "lt", exec_size = 16 : i32, no_mask, {{.*}} flag !xe.flag
  // CHECK-NEXT: xe.cond_goto %[[FLAG]], ^bb2, ^bb1 {inverted} : !xe.flag
  // CHECK-NEXT: ^bb1:
  // CHECK: xe.store[{{.*}} {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>}
  // CHECK-NEXT: xe.br ^bb2
  // CHECK-NEXT: ^bb2:
  // CHECK-NEXT: xe.join ^bb3
  // CHECK-NEXT: ^bb3:
  // CHECK-NEXT: xe.eot
  gpu.func @one_side(%m: memref<16xf32>, %s: f32) kernel {
    %t = gpu.thread_id x
    %c = arith.constant 3 : index
    %p = arith.cmpi ult, %t, %c : index
    scf.if %p {
      memref.store %s, %m[%t] : memref<16xf32>
    }
    gpu.return
  }

  // Both sides write their lanes of one register block.
  // CHECK-LABEL: xe.kernel @both_sides
  // CHECK: %[[NONE:.*]] = xe.undef : !xe.grf<64, 64>
  // CHECK: xe.cond_goto %{{.*}}, ^bb2(%[[NONE]] : !xe.grf<64, 64>), ^bb1 {inverted} : !xe.flag
  // CHECK-NEXT: ^bb1:
  // CHECK: %[[A:.*]] = xe.add({{.*}}no_mask
  // CHECK-NEXT: %[[FIRST:.*]] = xe.mov into %[[NONE]] : !xe.grf<64, 64>(%[[A]] : !xe.grf<64, 64>) {exec_size = 16 : i32, reads = [#xe.read<ud>], write = #xe.write<ud>}
  // CHECK-NEXT: xe.goto ^bb4, ^bb2(%[[FIRST]] : !xe.grf<64, 64>)
  // CHECK-NEXT: ^bb2(%[[MIDDLE:.*]]: !xe.grf<64, 64>):
  // CHECK-NEXT: xe.join ^bb3, ^bb4(%[[MIDDLE]] : !xe.grf<64, 64>)
  // CHECK-NEXT: ^bb3:
  // CHECK: %[[SECOND:.*]] = xe.mov into %[[MIDDLE]]
  // CHECK-NEXT: xe.br ^bb4(%[[SECOND]] : !xe.grf<64, 64>)
  // CHECK-NEXT: ^bb4(%[[R:.*]]: !xe.grf<64, 64>):
  // CHECK-NEXT: xe.join ^bb5
  // CHECK: xe.store[{{.*}}] data %[[R]]
  gpu.func @both_sides(%m: memref<16xi32>) kernel {
    %t = gpu.thread_id x
    %x = memref.load %m[%t] : memref<16xi32>
    %five = arith.constant 5 : i32
    %p = arith.cmpi slt, %x, %five : i32
    %r = scf.if %p -> (i32) {
      %a = arith.addi %x, %five : i32
      scf.yield %a : i32
    } else {
      %b = arith.muli %x, %five : i32
      scf.yield %b : i32
    }
    memref.store %r, %m[%t] : memref<16xi32>
    gpu.return
  }

  // A side that only gives a value is where the result starts.
  // CHECK-LABEL: xe.kernel @trivial_side
  // CHECK: xe.cond_goto %{{.*}}, ^bb2(%[[X:.*]] : !xe.grf<64, 64>), ^bb1
  // CHECK: %[[A:.*]] = xe.mov into %[[X]]
  // CHECK-NEXT: xe.br ^bb2(%[[A]] : !xe.grf<64, 64>)
  // CHECK-NEXT: ^bb2(
  // CHECK-NEXT: xe.join ^bb3
  gpu.func @trivial_side(%m: memref<16xi32>) kernel {
    %t = gpu.thread_id x
    %x = memref.load %m[%t] : memref<16xi32>
    %five = arith.constant 5 : i32
    %p = arith.cmpi slt, %x, %five : i32
    %r = scf.if %p -> (i32) {
      memref.store %five, %m[%t] : memref<16xi32>
      %a = arith.addi %x, %five : i32
      scf.yield %a : i32
    } else {
      scf.yield %x : i32
    }
    memref.store %r, %m[%t] : memref<16xi32>
    gpu.return
  }

  // Work-items leave the loop one after another, and keep what they had then.
  // CHECK-LABEL: xe.kernel @trips
  // CHECK: xe.br ^bb1(
  // CHECK-NEXT: ^bb1(%[[I:.*]]: !xe.grf<128, 64>, %[[SUM:.*]]: !xe.grf<64, 64>):
  // CHECK: xe.cond_goto %{{.*}}, ^bb3, ^bb2 {inverted} : !xe.flag
  // CHECK-NEXT: ^bb2:
  // CHECK: %[[NEXT_I:.*]] = xe.mov into %[[I]] : !xe.grf<128, 64>({{.*}}) {exec_size = 16 : i32, reads = [#xe.read<uq>], write = #xe.write<uq>}
  // CHECK: %[[NEXT:.*]] = xe.mov into %[[SUM]]
  // CHECK-NEXT: xe.br ^bb1(%[[NEXT_I]], %[[NEXT]] : !xe.grf<128, 64>, !xe.grf<64, 64>)
  // CHECK-NEXT: ^bb3:
  // CHECK-NEXT: xe.join ^bb4
  // CHECK: xe.store[{{.*}}] data %[[SUM]]
  gpu.func @trips(%m: memref<16xi32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %r = scf.for %i = %c0 to %t step %c1 iter_args(%a = %zero) -> (i32) {
      %x = memref.load %m[%i] : memref<16xi32>
      %b = arith.addi %a, %x : i32
      scf.yield %b : i32
    }
    memref.store %r, %m[%t] : memref<16xi32>
    gpu.return
  }

  // What the first region computes in each round is kept for those who leave.
  // CHECK-LABEL: xe.kernel @computed_result
  // CHECK: ^bb1(%[[X:.*]]: !xe.grf<64, 64>, %[[LEFT:.*]]: !xe.grf<64, 64>):
  // CHECK: %[[Y:.*]] = xe.add(%[[X]], {{.*}}no_mask
  // CHECK: %[[KEPT:.*]] = xe.mov into %[[LEFT]] : !xe.grf<64, 64>(%[[Y]] : !xe.grf<64, 64>) {exec_size = 16 : i32, reads
  // CHECK: xe.cond_goto %{{.*}}, ^bb3, ^bb2 {inverted} : !xe.flag
  // CHECK: xe.br ^bb1(%{{.*}}, %[[KEPT]] : !xe.grf<64, 64>, !xe.grf<64, 64>)
  // CHECK: xe.store[{{.*}}] data %[[KEPT]]
  gpu.func @computed_result(%m: memref<16xi32>, %n: i32) kernel {
    %t = gpu.thread_id x
    %start = memref.load %m[%t] : memref<16xi32>
    %r = scf.while (%x = %start) : (i32) -> (i32) {
      %y = arith.addi %x, %n : i32
      %p = arith.cmpi slt, %y, %n : i32
      scf.condition(%p) %y : i32
    } do {
    ^bb0(%y: i32):
      %z = arith.muli %y, %n : i32
      scf.yield %z : i32
    }
    memref.store %r, %m[%t] : memref<16xi32>
    gpu.return
  }

  // 64-bit values of 32 work-items are merged in two halves.
  // CHECK-LABEL: xe.kernel @halves
  // CHECK: xe.mov into %{{.*}} {exec_size = 16 : i32, reads = [#xe.read<uq>], write = #xe.write<uq>} -> !xe.grf<256, 64>
  // CHECK-NEXT: xe.mov into %{{.*}} {channel_offset = 16 : i32, exec_size = 16 : i32, reads = [#xe.read<uq, 128>], write = #xe.write<uq, 128>} -> !xe.grf<256, 64>
  gpu.func @halves(%m: memref<32xi64>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 32>} {
    %t = gpu.thread_id x
    %x = memref.load %m[%t] : memref<32xi64>
    %five = arith.constant 5 : i64
    %p = arith.cmpi slt, %x, %five : i64
    %r = scf.if %p -> (i64) {
      %a = arith.addi %x, %five : i64
      scf.yield %a : i64
    } else {
      scf.yield %x : i64
    }
    memref.store %r, %m[%t] : memref<32xi64>
    gpu.return
  }

  // Uniform conditions and loops stay jumps, wherever they are; only work-items that are on divide.
  // CHECK-LABEL: xe.kernel @uniform_inside
  // CHECK: xe.cond_goto
  // CHECK: xe.cond_br
  // CHECK: xe.div({{.*}}) {exec_size = 16 : i32, reads
  // CHECK-NOT: xe.cond_goto
  // CHECK: xe.eot
  gpu.func @uniform_inside(%m: memref<16xi32>, %n: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.load %m[%t] : memref<16xi32>
    %p = arith.cmpi slt, %x, %n : i32
    %five = arith.constant 5 : i32
    scf.if %p {
      %q = arith.cmpi slt, %five, %n : i32
      scf.if %q {
        %y = arith.divui %five, %x : i32
        memref.store %y, %m[%t] : memref<16xi32>
      }
    }
    gpu.return
  }

  // A switch is one choice after another.
  // CHECK-LABEL: xe.kernel @switch
  // CHECK-COUNT-2: xe.cond_goto
  // CHECK-NOT: xe.cond_goto
  // CHECK: xe.eot
  gpu.func @switch(%m: memref<16xi32>) kernel {
    %t = gpu.thread_id x
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %r = scf.index_switch %t -> i32
    case 7 {
      memref.store %one, %m[%t] : memref<16xi32>
      scf.yield %one : i32
    }
    case -2 {
      memref.store %two, %m[%t] : memref<16xi32>
      scf.yield %two : i32
    }
    default {
      %x = memref.load %m[%t] : memref<16xi32>
      scf.yield %x : i32
    }
    memref.store %r, %m[%t] : memref<16xi32>
    gpu.return
  }

  // A region of several blocks is left from each of them.
  // CHECK-LABEL: xe.kernel @region
  // CHECK: xe.br ^bb1
  // CHECK: xe.cond_br %{{.*}}, ^bb2, ^bb3 : !xe.flag
  // CHECK: xe.eot
  gpu.func @region(%m: memref<16xi32>, %n: i32, %p: i1) kernel {
    %t = gpu.thread_id x
    %r = scf.execute_region -> i32 {
      cf.cond_br %p, ^a, ^b
    ^a:
      scf.yield %n : i32
    ^b:
      %x = memref.load %m[%t] : memref<16xi32>
      scf.yield %x : i32
    }
    memref.store %r, %m[%t] : memref<16xi32>
    gpu.return
  }
}
