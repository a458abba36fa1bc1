// Sums of everything before each element, for any number of elements: work-items, shared memory and three launches.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: plain `gpu` code. Work-groups of 64 sum up their part in shared memory, in steps of 1, 2, 4, ... with
// two barriers each; the same kernel then sums up the totals of the groups, and a third launch adds these. The module
// has two kernels, and the number of elements is an argument of the host's function.
module attributes {gpu.container_module} {
  func.func @main() {
    %c1000 = arith.constant 1000 : index
    %c64 = arith.constant 64 : index
    %c7 = arith.constant 7 : index
    // CHECK: 1000 elements, different: 0
    call @check(%c1000) : (index) -> ()
    // CHECK-NEXT: 64 elements, different: 0
    call @check(%c64) : (index) -> ()
    // CHECK-NEXT: 7 elements, different: 0
    call @check(%c7) : (index) -> ()
    return
  }

  func.func @check(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c31 = arith.constant 31 : index
    %c64 = arith.constant 64 : index
    %c50 = arith.constant 50 : index
    %zero = arith.constant 0 : i32
    %x = gpu.alloc host_shared (%n) : memref<?xi32>
    %expected = memref.alloc(%n) : memref<?xi32>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (i32) {
      %far = arith.muli %i, %c31 : index
      %rest = arith.remui %far, %c50 : index
      %v = arith.index_cast %rest : index to i32
      %next = arith.addi %sum, %v : i32
      memref.store %v, %x[%i] : memref<?xi32>
      memref.store %next, %expected[%i] : memref<?xi32>
      scf.yield %next : i32
    }

    %groups = arith.ceildivui %n, %c64 : index
    %totals = gpu.alloc host_shared (%groups) : memref<?xi32>
    %all = gpu.alloc host_shared (%c1) : memref<?xi32>
    gpu.launch_func @scan::@within_groups blocks in (%groups, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%x : memref<?xi32>, %totals : memref<?xi32>)
    gpu.launch_func @scan::@within_groups blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%totals : memref<?xi32>, %all : memref<?xi32>)
    gpu.launch_func @scan::@add_totals blocks in (%groups, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%x : memref<?xi32>, %totals : memref<?xi32>)
    %sum = memref.load %all[%c0] : memref<?xi32>
    %is_right = arith.cmpi eq, %sum, %last : i32
    cf.assert %is_right, "the total of all elements"

    %any_x = memref.cast %x : memref<?xi32> to memref<*xi32>
    %any_expected = memref.cast %expected : memref<?xi32> to memref<*xi32>
    %errors = call @verifyMemrefI32(%any_x, %any_expected) : (memref<*xi32>, memref<*xi32>) -> i64
    vector.print %n : index punctuation <no_punctuation>
    vector.print str " elements, different: "
    vector.print %errors : i64
    memref.dealloc %expected : memref<?xi32>
    gpu.dealloc %x : memref<?xi32>
    gpu.dealloc %totals : memref<?xi32>
    gpu.dealloc %all : memref<?xi32>
    return
  }

  gpu.module @scan {
    // Each element becomes the sum of its group's elements up to it; a group's last sum is its total. All work-items
    // meet at the barriers, also those that have no element: theirs count as zero.
    gpu.func @within_groups(%x: memref<?xi32>, %totals: memref<?xi32>) workgroup(%sums: memref<64xi32, 3>) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %c63 = arith.constant 63 : index
      %zero = arith.constant 0 : i32
      %n = memref.dim %x, %c0 : memref<?xi32>
      %i = gpu.global_id x
      %place = gpu.thread_id x
      %group = gpu.block_id x
      %exists = arith.cmpi ult, %i, %n : index
      %own = scf.if %exists -> (i32) {
        %v = memref.load %x[%i] : memref<?xi32>
        scf.yield %v : i32
      } else {
        scf.yield %zero : i32
      }
      memref.store %own, %sums[%place] : memref<64xi32, 3>
      gpu.barrier
      scf.for %step = %c0 to %c6 step %c1 {
        %distance = arith.shli %c1, %step : index
        %reaches = arith.cmpi uge, %place, %distance : index
        %before = scf.if %reaches -> (i32) {
          %there = arith.subi %place, %distance : index
          %v = memref.load %sums[%there] : memref<64xi32, 3>
          scf.yield %v : i32
        } else {
          scf.yield %zero : i32
        }
        gpu.barrier
        %old = memref.load %sums[%place] : memref<64xi32, 3>
        %new = arith.addi %old, %before : i32
        memref.store %new, %sums[%place] : memref<64xi32, 3>
        gpu.barrier
      }
      %sum = memref.load %sums[%place] : memref<64xi32, 3>
      scf.if %exists {
        memref.store %sum, %x[%i] : memref<?xi32>
      }
      %is_last = arith.cmpi eq, %place, %c63 : index
      scf.if %is_last {
        memref.store %sum, %totals[%group] : memref<?xi32>
      }
      gpu.return
    }

    gpu.func @add_totals(%x: memref<?xi32>, %totals: memref<?xi32>) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = memref.dim %x, %c0 : memref<?xi32>
      %i = gpu.global_id x
      %group = gpu.block_id x
      %is_later = arith.cmpi ugt, %group, %c0 : index
      %exists = arith.cmpi ult, %i, %n : index
      %adds = arith.andi %is_later, %exists : i1
      scf.if %adds {
        %previous = arith.subi %group, %c1 : index
        %before = memref.load %totals[%previous] : memref<?xi32>
        %v = memref.load %x[%i] : memref<?xi32>
        %sum = arith.addi %v, %before : i32
        memref.store %sum, %x[%i] : memref<?xi32>
      }
      gpu.return
    }
  }
  func.func private @verifyMemrefI32(memref<*xi32>, memref<*xi32>) -> i64 attributes {llvm.emit_c_interface}
}
