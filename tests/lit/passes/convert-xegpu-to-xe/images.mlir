// RUN: xegpu-opt %s --split-input-file --convert-xegpu-to-xe=target=arc | filecheck %s
//
// Images: arguments and samplers in the payload, messages for lanes and for values that all lanes share.

// The image that is written comes from the typed cache, the others through the sampler.
// CHECK-LABEL: xe.kernel @messages
// CHECK-SAME: #xe.argument<"in" : "image2d_t", at 0, 8 bytes, pointer image readonly>
// CHECK-SAME: #xe.argument<"s" : "sampler_t", at 8, 8 bytes, pointer sampler>
// CHECK-SAME: #xe.argument<"lines" : "image1d_array_t", at 16, 8 bytes, pointer image readwrite>
// CHECK-SAME: samplers = [#xe.sampler<repeat, linear, normalized, at 24>]
// CHECK: xe.ld[{{.*}}] surface %[[p:.*]] : {{.*}} {exec_size = 16 : i32, image = #xe.image<smpl, xyzw, uv>} -> !xe.grf<256, 32>
// CHECK: xe.sample_lz[{{.*}}] surface %[[p]] : {{.*}} sampler %[[p]] : {{.*}} {exec_size = 16 : i32, image = #xe.image<smpl, xyzw, uv>, sampler_offset = 8 : i32}
// CHECK: xe.sample_l[{{.*}}] surface %[[p]] : {{.*}} sampler %[[p]] : {{.*}} {exec_size = 16 : i32, image = #xe.image<smpl, xyzw, uvrl>, sampler_offset = 24 : i32}
// CHECK: xe.load_quad[{{.*}}] surface %[[p]] : {{.*}} {exec_size = 16 : i32, image = #xe.image<tgm, xyzw, uv>, surface_offset = 16 : i32}
// CHECK: xe.store_quad[{{.*}}] surface %[[p]] : {{.*}} data {{.*}} {exec_size = 16 : i32, image = #xe.image<tgm, xyzw, uv>, surface_offset = 16 : i32}
gpu.module @kernels {
  gpu.func @messages(%in: !image.surface<image2d, readonly>, %s: !image.sampler, %lines: !image.surface<image1d_array, readwrite>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %id = gpu.thread_id x
    %x = arith.index_cast %id : index to i32
    %u = arith.sitofp %x : i32 to f32
    %own = image.constant_sampler "repeat", "linear" {normalized}
    %a = image.read %in[%x, %x] : !image.surface<image2d, readonly> -> vector<4xf32>
    %b = image.sample %in[%u, %u] with %s : !image.surface<image2d, readonly> -> vector<4xf32>
    %c = image.sample %in[%u, %u] with %own level %u : !image.surface<image2d, readonly> -> vector<4xf32>
    %d = image.read %lines[%x, %x] : !image.surface<image1d_array, readwrite> -> vector<4xf32>
    %ab = arith.addf %a, %b : vector<4xf32>
    %cd = arith.addf %c, %d : vector<4xf32>
    %sum = arith.addf %ab, %cd : vector<4xf32>
    image.write %sum, %lines[%x, %x] : vector<4xf32>, !image.surface<image1d_array, readwrite>
    gpu.return
  }
}

// -----

// What all lanes share takes one message, which no mask hides.
// CHECK-LABEL: xe.kernel @uniform
// CHECK: xe.ld[{{.*}}] surface {{.*}} {exec_size = 1 : i32, image = #xe.image<smpl, x, uvr>, no_mask} -> !xe.grf<32, 32>
// CHECK: xe.store_quad[{{.*}}] surface {{.*}} data {{.*}} {exec_size = 1 : i32, image = #xe.image<tgm, xyzw, u>, no_mask, surface_offset = 8 : i32}
gpu.module @kernels {
  gpu.func @uniform(%in: !image.surface<image2d_array_depth, readonly>, %out: !image.surface<image1d_buffer, writeonly>, %x: i32) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %a = image.read %in[%x, %x, %x] : !image.surface<image2d_array_depth, readonly> -> f32
    %t = vector.broadcast %a : f32 to vector<4xf32>
    image.write %t, %out[%x] : vector<4xf32>, !image.surface<image1d_buffer, writeonly>
    gpu.return
  }
}

// -----

// Numbers that describe images are in the payload, each once; equal samplers are one.
// CHECK-LABEL: xe.kernel @described
// CHECK-SAME: implicit_arguments = [#xe.implicit_argument<image_width, at 24, 4 bytes, of 0>, #xe.implicit_argument<image_depth, at 28, 4 bytes, of 1>]
// CHECK-SAME: samplers = [#xe.sampler<none, nearest, at 32>, #xe.sampler<none, nearest, normalized, at 40>]
gpu.module @kernels {
  gpu.func @described(%in: !image.surface<image1d, readonly>, %volume: !image.surface<image3d, readwrite>, %out: memref<4xi32>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %0 = image.query "width" of %in : !image.surface<image1d, readonly>
    %1 = image.query "depth" of %volume : !image.surface<image3d, readwrite>
    %2 = image.query "width" of %in : !image.surface<image1d, readonly>
    %f = arith.constant 0.5 : f32
    %s = image.constant_sampler "none", "nearest"
    %t = image.constant_sampler "none", "nearest" {normalized}
    %r = image.constant_sampler "none", "nearest"
    %a = image.sample %in[%f] with %s : !image.surface<image1d, readonly> -> vector<4xi32>
    %b = image.sample %in[%f] with %t : !image.surface<image1d, readonly> -> vector<4xi32>
    %c = image.sample %in[%f] with %r : !image.surface<image1d, readonly> -> vector<4xi32>
    %ab = arith.addi %a, %b : vector<4xi32>
    %sum = arith.addi %ab, %c : vector<4xi32>
    %3 = vector.extract %sum[0] : i32 from vector<4xi32>
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %4 = arith.addi %0, %1 : i32
    %5 = arith.addi %2, %3 : i32
    memref.store %4, %out[%i0] : memref<4xi32>
    memref.store %5, %out[%i1] : memref<4xi32>
    gpu.return
  }
}
