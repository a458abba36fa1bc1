// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} --split-input-file --verify-diagnostics | filecheck %s

// Functions that are instructions, in f32; small types are converted.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @instructions
  // CHECK: xe.math.exp({{.*}}exec_size = 32 : i32{{.*}}write = #xe.write<f>
  // CHECK: xe.math.log({{.*}}exec_size = 32 : i32
  // CHECK: xe.math.sin({{.*}}exec_size = 32 : i32
  // CHECK: xe.math.rsqt({{.*}}exec_size = 32 : i32
  // CHECK: xe.pow({{.*}}exec_size = 32 : i32
  gpu.func @instructions(%m: memref<32xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0] : memref<32xf32> -> !xegpu.tensor_desc<32xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<32xf32> -> vector<32xf32>
    %0 = math.exp2 %v : vector<32xf32>
    %1 = math.log2 %0 : vector<32xf32>
    %2 = math.sin %1 : vector<32xf32>
    %3 = math.rsqrt %2 : vector<32xf32>
    %4 = math.powf %3, %v : vector<32xf32>
    xegpu.store_nd %4, %t : vector<32xf32>, !xegpu.tensor_desc<32xf32>
    gpu.return
  }

  // CHECK-LABEL: xe.kernel @small
  // CHECK: xe.mov({{.*}}reads = [#xe.read<bf>], write = #xe.write<f>
  // CHECK: xe.math.cos({{.*}}exec_size = 16 : i32{{.*}}write = #xe.write<f>
  // CHECK: xe.mov({{.*}}reads = [#xe.read<f>], write = #xe.write<bf>
  gpu.func @small(%m: memref<16xbf16>) kernel {
    %i = gpu.lane_id
    %x = memref.load %m[%i] : memref<16xbf16>
    %y = math.cos %x : bf16
    memref.store %y, %m[%i] : memref<16xbf16>
    gpu.return
  }

  // CHECK-LABEL: xe.kernel @double
  // CHECK: xe.sqrtm({{.*}}write = #xe.write<df>
  // CHECK: xe.div({{.*}}write = #xe.write<df>
  gpu.func @double(%m: memref<16xf64>) kernel {
    %i = gpu.lane_id
    %x = memref.load %m[%i] : memref<16xf64>
    %y = math.rsqrt %x : f64
    memref.store %y, %m[%i] : memref<16xf64>
    gpu.return
  }

  // CHECK-LABEL: xe.kernel @bits
  // CHECK: xe.lzd(
  // CHECK: xe.fbl(
  // CHECK: xe.cbit(
  gpu.func @bits(%m: memref<16xi32>) kernel {
    %i = gpu.lane_id
    %x = memref.load %m[%i] : memref<16xi32>
    %0 = math.ctlz %x : i32
    %1 = math.cttz %0 : i32
    %2 = math.ctpop %1 : i32
    memref.store %2, %m[%i] : memref<16xi32>
    gpu.return
  }
}
