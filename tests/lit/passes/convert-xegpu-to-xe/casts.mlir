// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// A conversion is one move: the source is read with the sign that the operation means. Truth is a word of all ones.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @casts
  gpu.func @casts(%m: memref<64xf32>, %b: memref<64xi8>, %h: memref<64xf16>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    %tb = xegpu.create_nd_tdesc %b[0] : memref<64xi8> -> !xegpu.tensor_desc<16xi8>
    %th = xegpu.create_nd_tdesc %h[0] : memref<64xf16> -> !xegpu.tensor_desc<16xf16>
    %w = xegpu.load_nd %tb : !xegpu.tensor_desc<16xi8> -> vector<16xi8>
    %x = xegpu.load_nd %th : !xegpu.tensor_desc<16xf16> -> vector<16xf16>
    // CHECK: %[[SEXT:.*]] = xe.mov({{.*}}reads = [#xe.read<b>], write = #xe.write<ud>} -> !xe.grf<64, 64>
    %0 = arith.extsi %w : vector<16xi8> to vector<16xi32>
    // CHECK: %[[ZEXT:.*]] = xe.mov({{.*}}reads = [#xe.read<ub>], write = #xe.write<ud>} -> !xe.grf<64, 64>
    %1 = arith.extui %w : vector<16xi8> to vector<16xi32>
    // CHECK: %[[TRUNC:.*]] = xe.mov(%[[ZEXT]] : {{.*}}reads = [#xe.read<ud>], write = #xe.write<uw>} -> !xe.grf<32, 32>
    %2 = arith.trunci %1 : vector<16xi32> to vector<16xi16>
    // CHECK: xe.mov(%[[SEXT]] : {{.*}}reads = [#xe.read<d>], write = #xe.write<f>}
    %3 = arith.sitofp %0 : vector<16xi32> to vector<16xf32>
    // CHECK: xe.mov(%[[ZEXT]] : {{.*}}reads = [#xe.read<ud>], write = #xe.write<f>}
    %4 = arith.uitofp %1 : vector<16xi32> to vector<16xf32>
    // CHECK: %[[F:.*]] = xe.mov({{.*}}reads = [#xe.read<hf>], write = #xe.write<f>} -> !xe.grf<64, 64>
    %5 = arith.extf %x : vector<16xf16> to vector<16xf32>
    // CHECK: %[[BF:.*]] = xe.mov(%[[F]] : {{.*}}reads = [#xe.read<f>], write = #xe.write<bf>} -> !xe.grf<32, 32>
    %6 = arith.truncf %5 : vector<16xf32> to vector<16xbf16>
    // CHECK: %[[I:.*]] = xe.mov(%[[F]] : {{.*}}reads = [#xe.read<f>], write = #xe.write<d>}
    %7 = arith.fptosi %5 : vector<16xf32> to vector<16xi32>
    // CHECK: xe.mov(%[[F]] : {{.*}}reads = [#xe.read<f>], write = #xe.write<ud>}
    %8 = arith.fptoui %5 : vector<16xf32> to vector<16xi32>
    // CHECK: xe.mov(%[[BF]] : {{.*}}reads = [#xe.read<bf>], write = #xe.write<f>}
    %9 = arith.extf %6 : vector<16xbf16> to vector<16xf32>
    // CHECK: xe.mov(%[[TRUNC]] : {{.*}}reads = [#xe.read<w>], write = #xe.write<f>}
    %10 = arith.sitofp %2 : vector<16xi16> to vector<16xf32>
    // Nothing is moved where bits only change their name.
    %11 = arith.bitcast %7 : vector<16xi32> to vector<16xf32>
    // CHECK: xe.add{{.*}}(%{{.*}}, %[[I]] : {{.*}}reads = [#xe.read<f>, #xe.read<f>]
    %12 = arith.addf %10, %11 : vector<16xf32>
    // CHECK: %[[TRUE:.*]], %{{.*}} = xe.cmp({{.*}}condition = "gt", {{.*}}reads = [#xe.read<f>, #xe.read<f>], write = #xe.write<w>} -> !xe.grf<32, 32> flag !xe.flag
    %13 = arith.cmpf ogt, %12, %3 : vector<16xf32>
    // CHECK: xe.mov(%[[TRUE]] : {{.*}}reads = [#xe.read<w, neg>], write = #xe.write<ud>}
    %14 = arith.extui %13 : vector<16xi1> to vector<16xi32>
    // CHECK: xe.mov(%[[TRUE]] : {{.*}}reads = [#xe.read<w>], write = #xe.write<ud>}
    %15 = arith.extsi %13 : vector<16xi1> to vector<16xi32>
    // CHECK: %[[BIT:.*]] = xe.and(%[[I]] : {{.*}}#xe.imm<ud, 1>]
    // CHECK: xe.mov(%[[BIT]] : {{.*}}reads = [#xe.read<d, neg>], write = #xe.write<w>} -> !xe.grf<32, 32>
    %16 = arith.trunci %7 : vector<16xi32> to vector<16xi1>
    %17 = arith.select %16, %14, %15 : vector<16xi1>, vector<16xi32>
    %18 = arith.addi %17, %8 : vector<16xi32>
    %19 = arith.bitcast %18 : vector<16xi32> to vector<16xf32>
    %20 = arith.addf %19, %4 : vector<16xf32>
    %21 = arith.addf %20, %9 : vector<16xf32>
    xegpu.store_nd %21, %t : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }
}
