// The dump is a pipeline again.
// RUN: xegpu-opt %s -p 'cse,xe-pipeline{target=arc}' --dump-pass-pipeline 2> %t.pipeline > /dev/null
// RUN: filecheck %s --check-prefix=PIPELINE --input-file=%t.pipeline
// PIPELINE:      Pass Manager with {{[0-9]+}} passes:
// PIPELINE-NEXT: cse,memref-flatten-vector-elements,gpu-kernel-outlining,convert-llvm-to-gpu,gpu-infer-block-size,gpu-inline-calls,{{.*}},convert-xegpu-to-xe{target="arc"},{{.*}}xe-allocate-registers

// RUN: xegpu-opt %s -p 'cse,xe-pipeline{target=arc}' -t xe-asm --mlir-timing 2>&1 >/dev/null | filecheck %s --check-prefix=TIMING
// TIMING:      ===---{{-*}}===
// TIMING-NEXT: ... Execution time report ...
// TIMING:      Total Execution Time: {{[0-9.]+}} seconds
// TIMING:      ----Wall Time----  ----Name----
// TIMING-NEXT: {{ +[0-9.]+ \( *[0-9.]+%\)}}  Parser
// TIMING:      ) {{ }}cse
// TIMING:      ) {{ }}xe-pipeline
// TIMING:      ) {{   }}convert-xegpu-to-xe{{$}}
// TIMING-NEXT: ) {{   }}xe-canonicalize
// TIMING:      ) {{ }}Output
// TIMING-NEXT: ) {{ }}Rest
// TIMING-NEXT: (100.0%)  Total

// RUN: xegpu-opt %s -p 'cse' --mlir-timing --mlir-timing-display=list 2>&1 >/dev/null | filecheck %s --check-prefix=LIST
// LIST-DAG: ) {{ }}cse
// LIST-DAG: ) {{ }}Parser
// LIST:     (100.0%)  Total
gpu.module @kernels {
  gpu.func @sum(%m: memref<4xi32>, %a: i32) kernel {
    %c0 = arith.constant 0 : index
    %b = arith.addi %a, %a : i32
    %c = arith.addi %a, %a : i32
    %d = arith.muli %b, %c : i32
    memref.store %d, %m[%c0] : memref<4xi32>
    gpu.return
  }
}
