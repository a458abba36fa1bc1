// RUN: xegpu-opt %s -p xe-canonicalize | filecheck %s
// RUN: not xegpu-opt %s -p xe-canonicalize{x=1} 2>&1 | filecheck %s --check-prefix=OPTION

// A module without kernels stays as it is; the pass has no options.
%0 = arith.constant 1 : i32
%1 = arith.addi %0, %0 : i32

// CHECK: arith.addi
// OPTION: error
