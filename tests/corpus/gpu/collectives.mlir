// What the lanes of a subgroup and of a group do together.
gpu.module @kernels {
  gpu.func @collectives(%x: memref<64xf32>, %y: memref<64xf32>, %n: memref<64xi32>) kernel {
    %lane = gpu.lane_id
    %subgroup = gpu.subgroup_id : index
    %count = gpu.num_subgroups : index
    %width = gpu.subgroup_size : index
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<64xf32>
    %one = arith.constant 1 : i32
    %sixteen = arith.constant 16 : i32
    %other, %valid = gpu.shuffle xor %v, %one, %sixteen : f32
    %up, %up_valid = gpu.shuffle up %v, %one, %sixteen : f32
    %first, %first_valid = gpu.shuffle idx %v, %one, %sixteen : f32
    %sum = gpu.subgroup_reduce add %v : (f32) -> f32
    %uniform = gpu.subgroup_reduce maxnumf %v uniform : (f32) -> f32
    %all = gpu.all_reduce add %v {
    } : (f32) -> f32
    %product = gpu.all_reduce %v {
    ^bb0(%a: f32, %b: f32):
      %ab = arith.mulf %a, %b : f32
      gpu.yield %ab : f32
    } : (f32) -> f32
    %lane_int = arith.index_cast %lane : index to i32
    memref.store %lane_int, %n[%i] : memref<64xi32>
    %s0 = arith.select %valid, %other, %up : f32
    %s1 = arith.addf %s0, %sum : f32
    %s2 = arith.maxnumf %s1, %uniform : f32
    %s3 = arith.minimumf %all, %product : f32
    %s4 = arith.addf %s2, %s3 : f32
    memref.store %s4, %y[%i] : memref<64xf32>
    gpu.return
  }
}
