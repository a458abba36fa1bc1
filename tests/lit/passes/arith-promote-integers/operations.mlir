// RUN: xegpu-opt %s -p arith-promote-integers | filecheck %s

gpu.module @kernels {
  // Operations that may carry into the bits above are masked; the others are not.
  // CHECK-LABEL: gpu.func @unsigned
  // CHECK-SAME: (%[[X:.*]]: i32, %[[P:.*]]: !llvm.ptr<1>)
  gpu.func @unsigned(%x: i32, %p: !llvm.ptr<1>) kernel {
    // CHECK: %[[T:.*]] = arith.trunci %[[X]] : i32 to i8
    // CHECK: %[[M:.*]] = arith.constant 31 : i8
    // CHECK: %[[A:.*]] = arith.andi %[[T]], %[[M]] : i8
    %a = arith.trunci %x : i32 to i5
    // CHECK: %[[C:.*]] = arith.constant 30 : i8
    %c = arith.constant -2 : i5
    // CHECK: %[[S:.*]] = arith.addi %[[A]], %[[C]] : i8
    // CHECK: %[[M2:.*]] = arith.constant 31 : i8
    // CHECK: %[[B:.*]] = arith.andi %[[S]], %[[M2]] : i8
    %b = arith.addi %a, %c overflow<nsw> : i5
    // CHECK-NEXT: %[[L:.*]] = arith.cmpi ult, %[[B]], %[[A]] : i8
    %l = arith.cmpi ult, %b, %a : i5
    // CHECK-NEXT: %[[D:.*]] = arith.select %[[L]], %[[A]], %[[B]] : i8
    %d = arith.select %l, %a, %b : i5
    // CHECK-NEXT: %[[W:.*]] = arith.extui %[[D]] : i8 to i32
    %w = arith.extui %d : i5 to i32
    llvm.store %w, %p : i32, !llvm.ptr<1>
    gpu.return
  }

  // Signed operations get signed operands. A cast between types that are promoted to one is gone.
  // CHECK-LABEL: gpu.func @signed
  gpu.func @signed(%x: i64, %p: !llvm.ptr<1>) kernel {
    // CHECK: %[[A:.*]] = arith.andi
    %a = arith.trunci %x : i64 to i40
    // CHECK: %[[N:.*]] = arith.constant 24 : i64
    // CHECK: %[[H:.*]] = arith.shli %[[A]], %[[N]] : i64
    // CHECK: %[[E:.*]] = arith.shrsi %[[H]], %[[N]] : i64
    // CHECK: llvm.store %[[E]]
    %w = arith.extsi %a : i40 to i64
    llvm.store %w, %p : i64, !llvm.ptr<1>
    gpu.return
  }

  // Memory holds three bytes.
  // CHECK-LABEL: gpu.func @memory
  // CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>)
  gpu.func @memory(%p: !llvm.ptr<1>) kernel {
    // CHECK: %[[L:.*]] = llvm.load %[[P]] {alignment = 4 : i64} : !llvm.ptr<1> -> i16
    // CHECK: %[[LW:.*]] = arith.extui %[[L]] : i16 to i32
    // CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][2]
    // CHECK: %[[H:.*]] = llvm.load %[[Q]] {alignment = 2 : i64} : !llvm.ptr<1> -> i8
    %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr<1> -> i24
    // CHECK: llvm.store %{{.*}}, %[[P]] {{.*}}: i16, !llvm.ptr<1>
    // CHECK: llvm.store %{{.*}}, %{{.*}} : i8, !llvm.ptr<1>
    llvm.store %v, %p : i24, !llvm.ptr<1>
    gpu.return
  }
}
