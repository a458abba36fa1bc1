// Passes that compile for a GPU find it in their option, in --target, or in the module.

// RUN: xegpu-opt %s -p 'convert-xegpu-to-xe{target=arc}' | filecheck %s --check-prefix=OPTION
// OPTION-COUNT-2: target = "arc"
// OPTION-NOT: target = "pvc"

// RUN: xegpu-opt %s -p convert-xegpu-to-xe | filecheck %s
// CHECK: gpu.module @one
// CHECK: xe.kernel @k attributes {{.*}}target = "pvc"}
// CHECK: gpu.module @other
// CHECK: xe.kernel @k attributes {{.*}}target = "arc"}

// RUN: xegpu-opt %s -p xe-pipeline,convert-xegpu-to-xe,xegpu-verify-target | filecheck %s

// RUN: xegpu-opt %s -p xegpu-blocking --target arc --dump-pass-pipeline -o /dev/null 2>&1 | filecheck %s --check-prefix=PASSES
// PASSES: xegpu-blocking{target="arc"},memref

// RUN: xegpu-opt %s -p 'gpu.module(convert-xegpu-to-xe)' --target arc --dump-pass-pipeline -o /dev/null 2>&1 \
// RUN:   | filecheck %s --check-prefix=NESTED
// NESTED: gpu.module(convert-xegpu-to-xe{target="arc"}),memref

// RUN: not xegpu-opt %s -p 'xegpu-convert-generation{to=llvm22}' 2>&1 | filecheck %s --check-prefix=LAUNCHES
// LAUNCHES: error: 'gpu.module' op is for pvc and others are not: host code, which launches both, needs option target

gpu.module @one [#xevm.target<chip = "bmg">] {
  gpu.func @k() kernel {
    gpu.return
  }
}

gpu.module @other [#xevm.target<O = 3, chip = "dg2">] {
  gpu.func @k() kernel {
    gpu.return
  }
}
