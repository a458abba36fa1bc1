// RUN: not xegpu-opt %s -p arith-promote-integers 2>&1 | filecheck %s

gpu.module @kernels {
  gpu.func @product(%x: i32) kernel {
    %a = arith.trunci %x : i32 to i5
    // CHECK: invalid.mlir:[[# @LINE + 1]]:{{[0-9]+}}: error: 'arith.mului_extended' op computes with integers of 5 bits, for which it has no rule
    %low, %high = arith.mului_extended %a, %a : i5
    gpu.return
  }
}
