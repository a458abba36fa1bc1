// Plain code of work-items in the same modules: shared memory of the work-group, barriers, printing, atomic updates; i64 and f64.

// CHECK: sum 496 of lane 0
// CHECK: rank = 1 offset = 0 sizes = [4] strides = [1] data =
// CHECK-NEXT: [496, 32, -31, 5]
// CHECK-NEXT: 2.25

module attributes {gpu.container_module} {
  gpu.module @kernel [#xevm.target<chip = "bmg">] attributes {} {
    gpu.func @sum(%x: memref<?xi64>, %y: memref<4xi64>, %z: memref<1xf64>) workgroup(%part: memref<32xi64, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %i = gpu.thread_id x
      %v = memref.load %x[%i] : memref<?xi64>
      memref.store %v, %part[%i] : memref<32xi64, #gpu.address_space<workgroup>>
      gpu.barrier
      %is_first = arith.cmpi eq, %i, %c0 : index
      scf.if %is_first {
        %n = gpu.block_dim x
        %zero = arith.constant 0 : i64
        %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
          %e = memref.load %part[%k] : memref<32xi64, #gpu.address_space<workgroup>>
          %t = arith.addi %s, %e : i64
          scf.yield %t : i64
        }
        memref.store %sum, %y[%c0] : memref<4xi64>
        gpu.printf "sum %lld of lane %d\0A", %sum, %zero : i64, i64
      }
      %one = arith.constant 1 : i64
      %0 = memref.atomic_rmw addi %one, %y[%c1] : (i64, memref<4xi64>) -> i64
      %minus = arith.subi %one, %v : i64
      %m = arith.subi %minus, %one : i64
      %1 = memref.atomic_rmw mins %m, %y[%c2] : (i64, memref<4xi64>) -> i64
      %size = memref.dim %x, %c0 : memref<?xi64>
      %s = arith.index_cast %size : index to i64
      %c27 = arith.constant 27 : i64
      %five = arith.subi %s, %c27 : i64
      memref.store %five, %y[%c3] : memref<4xi64>
      scf.if %is_first {
        %d = arith.constant 1.5 : f64
        %e = arith.mulf %d, %d : f64
        memref.store %e, %z[%c0] : memref<1xf64>
      }
      gpu.return
    }
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %x = gpu.alloc host_shared (%c32) : memref<?xi64>
    %y = gpu.alloc host_shared () : memref<4xi64>
    %z = gpu.alloc host_shared () : memref<1xf64>
    scf.parallel (%i) = (%c0) to (%c32) step (%c1) {
      %n = arith.index_cast %i : index to i64
      memref.store %n, %x[%i] : memref<?xi64>
      scf.reduce
    }
    gpu.launch_func @kernel::@sum blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<?xi64>, %y : memref<4xi64>, %z : memref<1xf64>)
    %y_any = memref.cast %y : memref<4xi64> to memref<*xi64>
    call @printMemrefI64(%y_any) : (memref<*xi64>) -> ()
    %d = memref.load %z[%c0] : memref<1xf64>
    call @printF64(%d) : (f64) -> ()
    call @printNewline() : () -> ()
    return
  }
  func.func private @printMemrefI64(memref<*xi64>) attributes {llvm.emit_c_interface}
  func.func private @printF64(f64)
  func.func private @printNewline()
}
