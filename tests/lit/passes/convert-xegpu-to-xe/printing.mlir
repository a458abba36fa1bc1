// RUN: xegpu-opt -p convert-xegpu-to-xe{target=pvc} %s | filecheck %s

gpu.module @m {
  // A record for each lane that is on: room is asked for first, the number of the text stored last.
  // CHECK-LABEL: xe.kernel @print
  // CHECK-SAME: implicit_arguments = [#xe.implicit_argument<printf_buffer, at 8, 8 bytes>]
  // CHECK-SAME: printf_strings = ["%d\0A", "done"]
  // CHECK: xe.atomic_iadd
  // CHECK: xe.load
  // CHECK: xe.cond_goto
  // CHECK-COUNT-8: xe.store
  // CHECK: xe.join
  // CHECK: xe.atomic_iadd
  // CHECK-COUNT-6: xe.store
  // CHECK-NOT: xe.store
  // CHECK: xe.eot
  gpu.func @print(%m: memref<4xi32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %m[%t] : memref<4xi32>
    gpu.printf "%d\0A", %v : i32
    gpu.printf "done"
    gpu.return
  }

  // An assertion is a record, and an instruction that stops the launch.
  // CHECK-LABEL: xe.kernel @assert
  // CHECK-SAME: printf_strings = ["100%% wrong"]
  // CHECK: xe.cond_br
  // CHECK: xe.atomic_iadd
  // CHECK-COUNT-6: xe.store
  // CHECK: xe.illegal
  // CHECK: xe.eot
  gpu.func @assert(%p: i1) kernel attributes {VectorComputeFunctionINTEL} {
    cf.assert %p, "100% wrong"
    gpu.return
  }

  // The elements of a vector are arguments of one record.
  // CHECK-LABEL: xe.kernel @vector
  // CHECK-SAME: printf_strings = ["( ( %g ), ( %g ) )\0A"]
  // CHECK-COUNT-10: xe.store
  // CHECK-NOT: xe.store
  // CHECK: xe.eot
  gpu.func @vector(%a: f32, %b: f32) kernel attributes {VectorComputeFunctionINTEL} {
    %v = vector.from_elements %a, %b : vector<2x1xf32>
    vector.print %v : vector<2x1xf32>
    gpu.return
  }

  // A kernel that prints nothing takes no buffer.
  // CHECK-LABEL: xe.kernel @quiet
  // CHECK-SAME: implicit_arguments = []
  // CHECK-NOT: printf_strings
  // CHECK: xe.eot
  gpu.func @quiet() kernel {
    gpu.return
  }
}
