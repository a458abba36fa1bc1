// Row maxima and sums of exponentials across lanes by shuffles; bf16 in, with and without fast-math flags; async tokens throughout.

// CHECK: [ALLCLOSE: TRUE]
// CHECK-NEXT: [ALLCLOSE: TRUE]

module @softmax attributes {gpu.container_module} {
  gpu.module @kernels [#xevm.target<chip = "bmg", O = 3>] attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.4, [Kernel, Addresses], []>, #spirv.resource_limits<>>} {
    gpu.func @softmax(%x: memref<8x16xbf16>, %y: memref<8x16xf32>) kernel attributes {intel_reqd_sub_group_size = 16 : i32, known_block_size = array<i32: 16, 1, 1>} {
      %tx = xegpu.create_nd_tdesc %x : memref<8x16xbf16> -> !xegpu.tensor_desc<8x16xbf16>
      %narrow = xegpu.load_nd %tx[0, 0] : !xegpu.tensor_desc<8x16xbf16> -> vector<8xbf16>
      %v = arith.extf %narrow : vector<8xbf16> to vector<8xf32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c1_i32 = arith.constant 1 : i32
      %c2_i32 = arith.constant 2 : i32
      %c4_i32 = arith.constant 4 : i32
      %c8_i32 = arith.constant 8 : i32
      %width = arith.constant 16 : i32
      %log2e = arith.constant 1.44269504 : f32
      %zero = arith.constant dense<0.0> : vector<8xf32>
      %result = scf.for %r = %c0 to %c8 step %c1 iter_args(%so_far = %zero) -> (vector<8xf32>) {
        %e = vector.extract %v[%r] : f32 from vector<8xf32>
        %s1, %v1 = gpu.shuffle xor %e, %c1_i32, %width : f32
        %m1 = arith.maximumf %e, %s1 : f32
        %s2, %v2 = gpu.shuffle xor %m1, %c2_i32, %width : f32
        %m2 = arith.maximumf %m1, %s2 fastmath<nnan> : f32
        %s3, %v3 = gpu.shuffle xor %m2, %c4_i32, %width : f32
        %m3 = arith.maximumf %m2, %s3 : f32
        %s4, %v4 = gpu.shuffle xor %m3, %c8_i32, %width : f32
        %m4 = arith.maximumf %m3, %s4 : f32
        %d = arith.subf %e, %m4 fastmath<fast> : f32
        %scaled = arith.mulf %d, %log2e fastmath<fast> : f32
        %p = math.exp2 %scaled fastmath<fast> : f32
        %sum = gpu.subgroup_reduce add %p : (f32) -> f32
        %q = arith.divf %p, %sum fastmath<arcp> : f32
        %next = vector.insert %q, %so_far[%r] : f32 into vector<8xf32>
        scf.yield %next : vector<8xf32>
      }
      %ty = xegpu.create_nd_tdesc %y : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
      xegpu.store_nd %result, %ty[0, 0] : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>
      gpu.return
    }
    gpu.func @waves(%x: memref<8x16xbf16>, %y: memref<8x16xf32>) kernel {
      %tx = xegpu.create_nd_tdesc %x : memref<8x16xbf16> -> !xegpu.tensor_desc<8x16xbf16>
      %narrow = xegpu.load_nd %tx[0, 0] : !xegpu.tensor_desc<8x16xbf16> -> vector<8xbf16>
      %v = arith.extf %narrow : vector<8xbf16> to vector<8xf32>
      %cos = math.cos %v fastmath<afn> : vector<8xf32>
      %sin = math.sin %v : vector<8xf32>
      %exp = math.exp %v fastmath<fast> : vector<8xf32>
      %sum = arith.addf %cos, %sin : vector<8xf32>
      %all = arith.mulf %sum, %exp : vector<8xf32>
      %ty = xegpu.create_nd_tdesc %y : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
      xegpu.store_nd %all, %ty[0, 0] : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>
      gpu.return
    }
  }

  func.func @test(%x: memref<8x16xbf16>, %y: memref<8x16xf32>, %z: memref<8x16xf32>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %t0 = gpu.wait async
    %dx, %t1 = gpu.alloc async [%t0] () : memref<8x16xbf16>
    %dy, %t2 = gpu.alloc async [%t1] () : memref<8x16xf32>
    %t3 = gpu.memcpy async [%t2] %dx, %x : memref<8x16xbf16>, memref<8x16xbf16>
    %t4 = gpu.launch_func async [%t3] @kernels::@softmax blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%dx : memref<8x16xbf16>, %dy : memref<8x16xf32>)
    %t5 = gpu.memcpy async [%t4] %y, %dy : memref<8x16xf32>, memref<8x16xf32>
    %t6 = gpu.launch_func async [%t5] @kernels::@waves blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%dx : memref<8x16xbf16>, %dy : memref<8x16xf32>)
    %t7 = gpu.memcpy async [%t6] %z, %dy : memref<8x16xf32>, memref<8x16xf32>
    %t8 = gpu.dealloc async [%t7] %dx : memref<8x16xbf16>
    %t9 = gpu.dealloc async [%t8] %dy : memref<8x16xf32>
    gpu.wait [%t9]
    return
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %low = arith.constant -2.0 : f32
    %high = arith.constant 2.0 : f32
    %fractions = arith.constant false
    %zero = arith.constant 0.0 : f32
    %least = arith.constant 0xFF800000 : f32
    %x = memref.alloc() : memref<8x16xbf16>
    %y = memref.alloc() : memref<8x16xf32>
    %z = memref.alloc() : memref<8x16xf32>
    %x_any = memref.cast %x : memref<8x16xbf16> to memref<*xbf16>
    call @fillResource1DRandomBF16(%x_any, %low, %high, %fractions) : (memref<*xbf16>, f32, f32, i1) -> ()
    call @test(%x, %y, %z) : (memref<8x16xbf16>, memref<8x16xf32>, memref<8x16xf32>) -> ()
    %p = memref.alloc() : memref<8x16xf32>
    %q = memref.alloc() : memref<8x16xf32>
    scf.for %i = %c0 to %c8 step %c1 {
      %max = scf.for %j = %c0 to %c16 step %c1 iter_args(%m = %least) -> f32 {
        %e = memref.load %x[%i, %j] : memref<8x16xbf16>
        %w = arith.extf %e : bf16 to f32
        %n = arith.maximumf %m, %w : f32
        scf.yield %n : f32
      }
      %sum = scf.for %j = %c0 to %c16 step %c1 iter_args(%s = %zero) -> f32 {
        %e = memref.load %x[%i, %j] : memref<8x16xbf16>
        %w = arith.extf %e : bf16 to f32
        %d = arith.subf %w, %max : f32
        %k = math.exp %d : f32
        memref.store %k, %p[%i, %j] : memref<8x16xf32>
        %n = arith.addf %s, %k : f32
        scf.yield %n : f32
      }
      scf.for %j = %c0 to %c16 step %c1 {
        %k = memref.load %p[%i, %j] : memref<8x16xf32>
        %r = arith.divf %k, %sum : f32
        memref.store %r, %p[%i, %j] : memref<8x16xf32>
        %e = memref.load %x[%i, %j] : memref<8x16xbf16>
        %w = arith.extf %e : bf16 to f32
        %cos = math.cos %w : f32
        %sin = math.sin %w : f32
        %both = arith.addf %cos, %sin : f32
        %exp = math.exp %w : f32
        %all = arith.mulf %both, %exp : f32
        memref.store %all, %q[%i, %j] : memref<8x16xf32>
      }
    }
    %y_any = memref.cast %y : memref<8x16xf32> to memref<*xf32>
    %p_any = memref.cast %p : memref<8x16xf32> to memref<*xf32>
    call @printAllcloseF32(%y_any, %p_any) : (memref<*xf32>, memref<*xf32>) -> ()
    %z_any = memref.cast %z : memref<8x16xf32> to memref<*xf32>
    %q_any = memref.cast %q : memref<8x16xf32> to memref<*xf32>
    call @printAllcloseF32(%z_any, %q_any) : (memref<*xf32>, memref<*xf32>) -> ()
    return
  }
  func.func private @fillResource1DRandomBF16(memref<*xbf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
