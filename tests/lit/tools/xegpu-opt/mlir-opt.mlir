// The ways of mlir-opt to name passes and to ask for help.

// RUN: xegpu-opt %s --cse --canonicalize | filecheck %s --check-prefix=BOTH
// BOTH: func.func @host
// BOTH-COUNT-1: arith.constant 7
// BOTH: gpu.func @kernel
// BOTH-COUNT-1: arith.constant 8
// BOTH-NOT: arith.constant

// RUN: xegpu-opt %s --pass-pipeline='builtin.module(gpu.module(cse))' --mlir-print-ir-after-all --mlir-disable-threading 2>&1 >/dev/null | filecheck %s --check-prefix=NESTED
// NESTED: // -----// IR Dump After CommonSubexpressionElimination (cse) //----- //
// NESTED-NOT: func.func @host
// NESTED: gpu.func @kernel
// NESTED-NOT: func.func @host

// RUN: xegpu-opt %s -p 'builtin.module(gpu.module(cse),dce)' --dump-pass-pipeline --mlir-timing 2>&1 | filecheck %s --check-prefix=TWICE
// TWICE: Pass Manager with 2 passes:
// TWICE-NEXT: gpu.module(cse),dce
// TWICE: gpu.module(cse)
// TWICE-NEXT: cse
// TWICE: dce

// RUN: xegpu-opt %s --xetile-blocking='target=arc' --xe-pipeline="target=arc grf-count=256" --dump-pass-pipeline 2>&1 >/dev/null | filecheck %s --check-prefix=OPTIONS
// OPTIONS: xetile-blocking{target="arc"}
// OPTIONS: grf_count=256

// RUN: xegpu-opt %s -pass-pipeline='builtin.module(cse)' -canonicalize -mlir-print-ir-before=canonicalize 2>&1 >/dev/null | filecheck %s --check-prefix=DASH
// DASH: IR Dump Before CanonicalizePass (canonicalize)

// RUN: not xegpu-opt %s --cse=x=1 2>&1 | filecheck %s --check-prefix=WRONG
// WRONG: xegpu-opt: error: pass 'cse' has no option 'x'

// RUN: not xegpu-opt %s --emit-bytecode 2>&1 | filecheck %s --check-prefix=HINT
// HINT: xegpu-opt: error: unrecognized arguments: --emit-bytecode; text is written only (see --help)

// RUN: xegpu-opt --list-passes | filecheck %s --check-prefix=LIST
// LIST: convert-xegpu-to-xe
// LIST: xetile-wg-to-sg
// LIST: canonicalize

// RUN: xegpu-opt --show-dialects | filecheck %s --check-prefix=DIALECTS
// DIALECTS-DAG: arith
// DIALECTS-DAG: gpu
// DIALECTS-DAG: xegpu
// DIALECTS-DAG: xetile

func.func @host() -> (i32, i32) {
  %a = arith.constant 7 : i32
  %b = arith.constant 7 : i32
  return %a, %b : i32, i32
}
gpu.module @kernels {
  gpu.func @kernel(%m: memref<4xi32>, %n: memref<4xi32>, %i: index) kernel {
    %a = arith.constant 8 : i32
    %b = arith.constant 8 : i32
    memref.store %a, %m[%i] : memref<4xi32>
    memref.store %b, %n[%i] : memref<4xi32>
    gpu.return
  }
}
