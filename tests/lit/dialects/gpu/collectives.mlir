// RUN: XEGPU_CANONICAL
module {
  gpu.module @k {
    gpu.func @f(%f: f32, %i: i32, %v: vector<16xf16>, %v1: vector<4xf32>, %n: index) {
      gpu.printf "a %d\0A", %i : i32
      gpu.printf "b"
      %r, %p = gpu.rotate %f, 3, 16 : f32
      %s0, %p0 = gpu.shuffle xor %v1, %i, %i : vector<4xf32>
      %s1, %p1 = gpu.shuffle down %i, %i, %i {a} : i32
      %a = gpu.all_reduce add %f uniform {
      } : (f32) -> f32
      %b = gpu.all_reduce %i {
      ^bb(%x: i32, %y: i32):
        %z = arith.addi %x, %y : i32
        gpu.yield %z : i32
      } : (i32) -> i32
      %c = gpu.subgroup_reduce maxsi %i : (i32) -> i32
      %d = gpu.subgroup_reduce add %v cluster(size = 4, stride = 2) : (vector<16xf16>) -> vector<16xf16>
      %e = gpu.subgroup_reduce add %v uniform : (vector<16xf16>) -> vector<16xf16>
      gpu.barrier
      %dyn = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
  func.func @h(%m: memref<8xf32>, %f: f32, %i: i32, %w: memref<*xf32>) {
    %t = gpu.wait async
    %u = gpu.memset async [%t] %m, %f : memref<8xf32>, f32
    gpu.memset %m, %f : memref<8xf32>, f32
    gpu.wait [%u]
    return
  }
}

