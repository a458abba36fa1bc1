// RUN: xegpu-opt %s -p xe-cse | filecheck %s

// Instructions that read the same registers are one only if they read the same parts of them; the third is the first.
xe.kernel @k attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %a = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, 4, [0, 1, 0]>]} -> !xe.grf<4, 4>
  %b = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, 8, [0, 1, 0]>]} -> !xe.grf<4, 4>
  %c = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, 4, [0, 1, 0]>]} -> !xe.grf<4, 4>
  %d = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, 4, [0, 1, 0]>]} -> !xe.grf<4, 64>
  %e = xe.add(%a, %b : !xe.grf<4, 4>, !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.read<ud, [0, 1, 0]>]} -> !xe.grf<4, 4>
  %f = xe.add(%c, %d : !xe.grf<4, 4>, !xe.grf<4, 64>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.read<ud, [0, 1, 0]>]} -> !xe.grf<4, 4>
  %g = xe.add(%e, %f : !xe.grf<4, 4>, !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.read<ud, [0, 1, 0]>]} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %g : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}

// CHECK: %[[A:.*]] = xe.mov(%0{{.*}}#xe.read<ud, 4
// CHECK-NEXT: %[[B:.*]] = xe.mov(%0{{.*}}#xe.read<ud, 8
// CHECK-NEXT: %[[D:.*]] = xe.mov(%0{{.*}}#xe.read<ud, 4{{.*}} -> !xe.grf<4, 64>
// CHECK-NEXT: xe.add(%[[A]], %[[B]]
// CHECK-NEXT: xe.add(%[[A]], %[[D]]
// CHECK-NEXT: xe.add
// CHECK-NEXT: xe.store
