// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// What lanes do together.
gpu.module @m {
  // Neighbours change places by moves alone; whether each had a partner is known.
  // CHECK-LABEL: xe.kernel @neighbours
  // CHECK: xe.mov into {{.*}}reads = [#xe.read<ud, 4, [2, 1, 0]>], write = #xe.write<ud, 0, 2>
  // CHECK: xe.mov into {{.*}}reads = [#xe.read<ud, [2, 1, 0]>], write = #xe.write<ud, 4, 2>
  // CHECK-NOT: xe.lookup
  gpu.func @neighbours(%m: memref<16xf32>) kernel {
    %i = gpu.lane_id
    %one = arith.constant 1 : i32
    %all = arith.constant 16 : i32
    %x = memref.load %m[%i] : memref<16xf32>
    %y, %valid = gpu.shuffle xor %x, %one, %all : f32
    memref.store %y, %m[%i] : memref<16xf32>
    gpu.return
  }

  // CHECK-LABEL: xe.kernel @anyone
  // CHECK: %[[LANE:.*]] = xe.xor(
  // CHECK: %[[OFFSETS:.*]] = xe.mul({{.*}}#xe.imm<d, 4>], write = #xe.write<uw>
  // CHECK: xe.lookup into %{{.*}}[%[[OFFSETS]]] {exec_size = 16 : i32
  gpu.func @anyone(%m: memref<16xf32>, %o: i32, %w: i32) kernel {
    %i = gpu.lane_id
    %x = memref.load %m[%i] : memref<16xf32>
    %y, %valid = gpu.shuffle xor %x, %o, %w : f32
    memref.store %y, %m[%i] : memref<16xf32>
    gpu.return
  }

  // By halves; lanes that are off count as -0.
  // CHECK-LABEL: xe.kernel @subgroup
  // CHECK: %[[NONE:.*]] = xe.mov {{.*}}reads = [#xe.imm<f, 2147483648>]
  // CHECK: %[[ALL:.*]] = xe.mov into %{{.*}}{exec_size = 16 : i32, reads = [#xe.read<ud>], write = #xe.write<ud>}
  // CHECK: xe.add{{.*}}exec_size = 8 : i32
  // CHECK: xe.add{{.*}}exec_size = 4 : i32
  // CHECK: xe.add{{.*}}exec_size = 2 : i32
  // CHECK: xe.add{{.*}}exec_size = 1 : i32
  gpu.func @subgroup(%m: memref<16xf32>) kernel {
    %i = gpu.lane_id
    %x = memref.load %m[%i] : memref<16xf32>
    %s = gpu.subgroup_reduce add %x : (f32) -> f32
    memref.store %s, %m[%i] : memref<16xf32>
    gpu.return
  }

  // Room for 64 subgroups of 16 in shared memory.
  // CHECK-LABEL: xe.kernel @group
  // CHECK-SAME: barrier_count = 1 : i32
  // CHECK-SAME: slm_size = 512 : i32
  // CHECK: xe.barrier
  // CHECK: xe.store[{{.*}}exec_size = 1 : i32, message = #xe.message<unit = slm
  // CHECK: xe.barrier
  // CHECK: xe.load into {{.*}}message = #xe.message<unit = slm
  gpu.func @group(%m: memref<16xi32>, %x: i32) kernel {
    %c0 = arith.constant 0 : index
    %s = gpu.all_reduce maxsi %x uniform {
    } : (i32) -> i32
    memref.store %s, %m[%c0] : memref<16xi32>
    gpu.return
  }

  // CHECK-LABEL: xe.kernel @vector
  // CHECK: xe.sel{{.*}}condition = "lt", exec_size = 8 : i32
  // CHECK: xe.sel{{.*}}condition = "lt", exec_size = 4 : i32
  // CHECK: xe.sel{{.*}}condition = "lt", exec_size = 2 : i32
  // CHECK: xe.sel{{.*}}condition = "lt", exec_size = 1 : i32
  gpu.func @vector(%m: memref<16xi32>) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %t = xegpu.create_nd_tdesc %m[0] : memref<16xi32> -> !xegpu.tensor_desc<16xi32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xi32> -> vector<16xi32>
    %s = vector.reduction <minsi>, %v : vector<16xi32> into i32
    memref.store %s, %m[%c0] : memref<16xi32>
    gpu.return
  }
}
