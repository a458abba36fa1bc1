// RUN: xegpu-opt %s -p gpu-kernel-outlining --split-input-file | filecheck %s

// Ids become ops, values from outside arguments, constants are made again; sizes that are constants are known.

// CHECK-LABEL: func.func @main(
// CHECK:         gpu.launch_func @main_kernel::@main_kernel blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in (%{{.*}}, %{{.*}}, %{{.*}}) args(%m : memref<64xf32>, %f : f32)
// CHECK-NEXT:    return
// CHECK:       gpu.module @main_kernel {
// CHECK-NEXT:    gpu.func @main_kernel(%{{.*}}: memref<64xf32>, %{{.*}}: f32) kernel attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
// CHECK-NEXT:      %[[BX:.*]] = gpu.block_id x
// CHECK:           %[[TX:.*]] = gpu.thread_id x
// CHECK:           %[[SX:.*]] = gpu.block_dim x
// CHECK:           %[[K:.*]] = arith.constant 2.000000e+00 : f32
// CHECK:           arith.muli %[[BX]], %[[SX]] : index
// CHECK:           arith.mulf %{{.*}}, %[[K]] : f32
// CHECK:           gpu.return
func.func @main(%m: memref<64xf32>, %f: f32) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %k = arith.constant 2.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %p = arith.muli %bx, %sx : index
    %i = arith.addi %p, %tx : index
    %x = memref.load %m[%i] : memref<64xf32>
    %y = arith.mulf %x, %k : f32
    %z = arith.addf %y, %f : f32
    memref.store %z, %m[%i] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// Several launches, one in a loop, several blocks, sizes that are values, tokens, and memory of a work-group; a name
// that is taken.

// CHECK-LABEL: func.func @twice(
// CHECK:         %{{.*}} = gpu.launch_func async [%{{.*}}] @twice_kernel_0::@twice_kernel_0 {{.*}} dynamic_shared_memory_size %{{.*}} args(%{{.*}} : i1)
// CHECK:         scf.for
// CHECK-NEXT:      gpu.launch_func @twice_kernel_1::@twice_kernel_1 {{.*}} args(%i : index, %m : memref<?xi32>)
// CHECK:       gpu.module @twice_kernel_0 {
// CHECK-NEXT:    gpu.func @twice_kernel_0(%{{.*}}: i1) workgroup(%{{.*}} : memref<8xf32, #gpu.address_space<workgroup>>) private(%{{.*}} : memref<2xf32, #gpu.address_space<private>>) kernel {
// CHECK:           cf.cond_br
// CHECK:         ^yes:
// CHECK-NEXT:      gpu.return
// CHECK:         ^no:
// CHECK-NEXT:      gpu.return
// CHECK:       gpu.module @twice_kernel_1 {
func.func @twice_kernel() {
  return
}
func.func @twice(%n: index, %p: i1, %size: i32, %m: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.wait async
  %u = gpu.launch async [%t] blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) dynamic_shared_memory_size %size
             workgroup(%w : memref<8xf32, #gpu.address_space<workgroup>>) private(%q : memref<2xf32, #gpu.address_space<private>>) {
    cf.cond_br %p, ^yes, ^no
  ^yes:
    gpu.terminator
  ^no:
    gpu.terminator
  }
  gpu.wait [%u]
  scf.for %i = %c0 to %n step %c1 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %m[%tx] : memref<?xi32>
      gpu.terminator
    }
  }
  return
}
