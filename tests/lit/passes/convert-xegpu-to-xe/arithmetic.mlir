// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// Elementwise operations: one instruction where there is one, with operands read as the operation means them.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @floats
  gpu.func @floats(%m: memref<64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    // CHECK: %[[V:.*]] = xe.load
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    // CHECK: %[[D:.*]] = xe.add(%[[V]], %[[V]] : {{.*}}reads = [#xe.read<f>, #xe.read<f, neg>]
    %0 = arith.subf %v, %v : vector<16xf32>
    // CHECK: %[[M:.*]] = xe.mad{{.*}}(%[[D]], %[[V]], %[[V]] : {{.*}}reads = [#xe.read<f>, #xe.read<f>, #xe.read<f>]
    %1 = math.fma %0, %v, %v : vector<16xf32>
    // CHECK: %[[N:.*]] = xe.mov{{.*}}(%[[M]] : {{.*}}reads = [#xe.read<f, neg>], write = #xe.write<f>
    %2 = arith.negf %1 : vector<16xf32>
    // CHECK: %[[X:.*]] = xe.sel{{.*}}(%[[N]], %[[V]] : {{.*}}condition = "ge"
    %3 = arith.maxnumf %2, %v : vector<16xf32>
    // CHECK: %[[L:.*]] = xe.sel{{.*}}(%[[X]], %[[V]] : {{.*}}condition = "lt"
    %4 = arith.minnumf %3, %v : vector<16xf32>
    // CHECK: %[[Q:.*]] = xe.div{{.*}}(%[[L]], %[[V]] :
    %5 = arith.divf %4, %v : vector<16xf32>
    // CHECK: %[[F:.*]] = xe.rndd{{.*}}(%[[Q]] :
    %6 = math.floor %5 : vector<16xf32>
    // CHECK: %[[C:.*]] = xe.rndu{{.*}}(%[[F]] :
    %7 = math.ceil %6 : vector<16xf32>
    // CHECK: %[[Z:.*]] = xe.rndz{{.*}}(%[[C]] :
    %8 = math.trunc %7 : vector<16xf32>
    // CHECK: %[[E:.*]] = xe.rnde{{.*}}(%[[Z]] :
    %9 = math.roundeven %8 : vector<16xf32>
    // A constant is read as an immediate, and only the last source can be one.
    // CHECK: xe.mul{{.*}}(%[[E]] : {{.*}}reads = [#xe.read<f>, #xe.imm<f, 1073741824>]
    %two = arith.constant dense<2.0> : vector<16xf32>
    %10 = arith.mulf %two, %9 : vector<16xf32>
    xegpu.store_nd %10, %t : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }

  // CHECK-LABEL: xe.kernel @integers
  gpu.func @integers(%m: memref<64xi32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0] : memref<64xi32> -> !xegpu.tensor_desc<16xi32>
    // CHECK: %[[V:.*]] = xe.load
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xi32> -> vector<16xi32>
    // CHECK: xe.div({{.*}}reads = [#xe.read<d>, #xe.read<d>]
    %0 = arith.divsi %v, %v : vector<16xi32>
    // CHECK: xe.div{{.*}}reads = [#xe.read<ud>, #xe.read<ud>]
    %1 = arith.divui %0, %v : vector<16xi32>
    // CHECK: xe.mod{{.*}}reads = [#xe.read<d>, #xe.read<d>]
    %2 = arith.remsi %1, %v : vector<16xi32>
    // CHECK: xe.mod{{.*}}reads = [#xe.read<ud>, #xe.read<ud>]
    %3 = arith.remui %2, %v : vector<16xi32>
    // CHECK: xe.asr{{.*}}reads = [#xe.read<d>, #xe.read<d>]
    %4 = arith.shrsi %3, %v : vector<16xi32>
    // CHECK: xe.shr{{.*}}reads = [#xe.read<ud>, #xe.read<ud>]
    %5 = arith.shrui %4, %v : vector<16xi32>
    // CHECK: xe.shl{{.*}}reads = [#xe.read<ud>, #xe.read<ud>]
    %6 = arith.shli %5, %v : vector<16xi32>
    // CHECK: xe.sel{{.*}}condition = "lt", {{.*}}reads = [#xe.read<d>, #xe.read<d>]
    %7 = arith.minsi %6, %v : vector<16xi32>
    // CHECK: xe.sel{{.*}}condition = "ge", {{.*}}reads = [#xe.read<ud>, #xe.read<ud>]
    %8 = arith.maxui %7, %v : vector<16xi32>
    // CHECK: xe.xor
    %9 = arith.xori %8, %v : vector<16xi32>
    // CHECK: xe.or
    %10 = arith.ori %9, %v : vector<16xi32>
    // CHECK: xe.and
    %11 = arith.andi %10, %v : vector<16xi32>
    // CHECK: xe.add{{.*}}reads = [#xe.read<ud>, #xe.read<ud, neg>]
    %12 = arith.subi %11, %v : vector<16xi32>
    // CHECK: xe.mul
    %13 = arith.muli %12, %v : vector<16xi32>
    xegpu.store_nd %13, %t : vector<16xi32>, !xegpu.tensor_desc<16xi32>
    gpu.return
  }

  // Comparisons: an unordered predicate is an ordered one inverted; `one` and `ueq` need two.
  // CHECK-LABEL: xe.kernel @comparisons
  gpu.func @comparisons(%m: memref<64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    %w = arith.addf %v, %v : vector<16xf32>
    // CHECK: %[[LE:.*]], %{{.*}} = xe.cmp({{.*}}condition = "le"
    // CHECK: xe.not{{.*}}(%[[LE]] : {{.*}}write = #xe.write<w>
    %0 = arith.cmpf ugt, %v, %w : vector<16xf32>
    // CHECK: %[[LT:.*]], %{{.*}} = xe.cmp({{.*}}condition = "lt"
    // CHECK: %[[GT:.*]], %{{.*}} = xe.cmp({{.*}}condition = "gt"
    // CHECK: xe.or{{.*}}(%[[LT]], %[[GT]] :
    %1 = arith.cmpf one, %v, %w : vector<16xf32>
    // CHECK: xe.cmp({{.*}}condition = "ne"
    %2 = arith.cmpf une, %v, %w : vector<16xf32>
    %a = arith.select %0, %v, %w : vector<16xi1>, vector<16xf32>
    %b = arith.select %1, %a, %w : vector<16xi1>, vector<16xf32>
    // What a comparison made is compared once more, into the flag that chooses.
    // CHECK: %[[FLAG:[^ ]*]] = xe.cmp({{.*}} {condition = "ne", exec_size = 16 : i32, no_mask, reads = [#xe.read<f>, #xe.read<f>]} flag !xe.flag
    // CHECK: xe.sel if %[[FLAG]] : !xe.flag(
    %c = arith.select %2, %b, %w : vector<16xi1>, vector<16xf32>
    xegpu.store_nd %c, %t : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }

  // What spans more than 32 channels or two registers takes several instructions; 64-bit channels half as many each.
  // CHECK-LABEL: xe.kernel @chunks
  // CHECK: xe.add{{.*}}exec_size = 16 : i32, no_mask, reads = [#xe.read<df>, #xe.read<df>], write = #xe.write<df>
  // CHECK: xe.add{{.*}}exec_size = 8 : i32, no_mask, reads = [#xe.read<df, 128>, #xe.read<df, 128>], write = #xe.write<df, 128>
  // CHECK-NOT: xe.add
  // CHECK: xe.eot
  gpu.func @chunks(%m: memref<64xf64>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0] : memref<64xf64> -> !xegpu.tensor_desc<24xf64>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<24xf64> -> vector<24xf64>
    %0 = arith.addf %v, %v : vector<24xf64>
    xegpu.store_nd %0, %t : vector<24xf64>, !xegpu.tensor_desc<24xf64>
    gpu.return
  }
}
