// Collatz sequences: a kernel that stands in the middle of the host's code, as `gpu.launch`, and prints.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: `gpu.launch`, whose body uses what the host has computed, without an argument list; numbers from a
// table that the program holds; loops of work-items that end at different times; `gpu.printf`; and whole results as
// `CHECK-NEXT` lines.
module attributes {gpu.container_module} {
  memref.global "private" constant @starts : memref<2x4xi32> = dense<[[1, 7, 9, 16], [27, 31, 97, 128]]>

  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %starts = memref.get_global @starts : memref<2x4xi32>
    %x = gpu.alloc host_shared () : memref<2x4xi32>
    %steps = gpu.alloc host_shared () : memref<2x4xi32>
    gpu.memcpy %x, %starts : memref<2x4xi32>, memref<2x4xi32>

    // CHECK-DAG: 27 takes 111 steps
    // CHECK-DAG: 97 takes 118 steps
    gpu.launch blocks(%bx, %by, %bz) in (%blocks_x = %c2, %blocks_y = %c1, %blocks_z = %c1)
        threads(%tx, %ty, %tz) in (%threads_x = %c4, %threads_y = %c1, %threads_z = %c1) {
      %limit = arith.constant 100 : i32
      %start = memref.load %x[%bx, %tx] : memref<2x4xi32>
      %end:2 = scf.while (%n = %start, %count = %zero) : (i32, i32) -> (i32, i32) {
        %goes_on = arith.cmpi sgt, %n, %one : i32
        scf.condition(%goes_on) %n, %count : i32, i32
      } do {
      ^bb0(%n: i32, %count: i32):
        %bit = arith.andi %n, %one : i32
        %is_odd = arith.cmpi eq, %bit, %one : i32
        %next = scf.if %is_odd -> (i32) {
          %tripled = arith.muli %n, %three : i32
          %up = arith.addi %tripled, %one : i32
          scf.yield %up : i32
        } else {
          %down = arith.divsi %n, %two : i32
          scf.yield %down : i32
        }
        %counted = arith.addi %count, %one : i32
        scf.yield %next, %counted : i32, i32
      }
      memref.store %end#1, %steps[%bx, %tx] : memref<2x4xi32>
      %is_long = arith.cmpi sgt, %end#1, %limit : i32
      scf.if %is_long {
        gpu.printf "%d takes %d steps\n", %start, %end#1 : i32, i32
      }
      gpu.terminator
    }

    %any_steps = memref.cast %steps : memref<2x4xi32> to memref<*xi32>
    // CHECK: rank = 2 offset = 0 sizes = [2, 4] strides = [4, 1] data =
    // CHECK-NEXT: [0,   16,   19,   4],
    // CHECK-NEXT: [111,   106,   118,   7]
    call @printMemrefI32(%any_steps) : (memref<*xi32>) -> ()
    gpu.dealloc %x : memref<2x4xi32>
    gpu.dealloc %steps : memref<2x4xi32>
    return
  }
  func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
}
