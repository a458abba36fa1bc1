// Pipelines are shown pass by pass, on standard error; the output is what it is without.
// RUN: xegpu-opt %s -p 'cse,xe-pipeline{target=arc}' > %t.plain
// RUN: xegpu-opt %s -p 'cse,xe-pipeline{target=arc}' --print-ir-after-all --print-ir-before-all > %t.out 2> %t.err
// RUN: diff %t.plain %t.out
// RUN: filecheck %s --check-prefix=ALL --input-file=%t.err
// ALL:      // -----// IR Dump Before CommonSubexpressionElimination (cse) //----- //
// ALL-NEXT: module {
// ALL:      arith.addi
// ALL:      arith.addi
// ALL:      // -----// IR Dump After CommonSubexpressionElimination (cse) //----- //
// ALL:      arith.addi
// ALL-NOT:  arith.addi
// ALL:      // -----// IR Dump Before MemrefFlattenVectorElementsPass (memref-flatten-vector-elements) //----- //
// ALL:      gpu.func
// ALL:      // -----// IR Dump After ConvertXegpuToXePass (convert-xegpu-to-xe) //----- //
// ALL:      xe.kernel
// ALL:      // -----// IR Dump Before XeAllocateRegistersPass (xe-allocate-registers) //----- //
// ALL-NOT:  grf_count
// ALL:      // -----// IR Dump After XeAllocateRegistersPass (xe-allocate-registers) //----- //
// ALL:      grf_count

// Passes by name, with the prefix that mlir-opt wants, also for other outputs.
// RUN: xegpu-opt %s -p 'cse,xe-pipeline{target=arc}' -t xe-asm --mlir-print-ir-after=cse,xe-cse --mlir-print-ir-before=xe-cse 2>&1 >/dev/null | grep Dump | filecheck %s --check-prefix=NAMED
// NAMED:      IR Dump After CommonSubexpressionElimination (cse)
// NAMED-NEXT: IR Dump After CommonSubexpressionElimination (cse)
// NAMED-NEXT: IR Dump Before XeCsePass (xe-cse)
// NAMED-NEXT: IR Dump After XeCsePass (xe-cse)
// NAMED-NOT:  Dump

// RUN: xegpu-opt %s -p cse,cse,canonicalize --print-ir-after-change 2>&1 >/dev/null | grep Dump | filecheck %s --check-prefix=CHANGE
// CHANGE:     IR Dump After CommonSubexpressionElimination (cse)
// CHANGE-NOT: Dump

// RUN: not xegpu-opt %s -p 'xe-pipeline{target=moon}' --print-ir-after-failure 2>&1 | grep Dump | filecheck %s --check-prefix=FAILURE
// FAILURE: // -----// IR Dump After {{Xe.*}}Pass Failed ({{xe.*}}) //----- //

// RUN: not xegpu-opt %s --print-ir-after=nothing 2>&1 | filecheck %s --check-prefix=UNKNOWN
// UNKNOWN: xegpu-opt: error: there is no pass 'nothing'
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
