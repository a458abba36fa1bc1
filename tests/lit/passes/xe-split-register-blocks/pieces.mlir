// RUN: xegpu-opt %s -p xe-split-register-blocks --split-input-file | filecheck %s

// Two values of 8192 bytes are more than 256 registers of 32 bytes hold. Each load writes eight registers, and the
// additions read two of them.
// CHECK-LABEL: xe.kernel @pieces
// CHECK-NOT: !xe.grf<8192, 32>
// CHECK: %[[V:.*]] = xe.load into %{{.*}} no_mask} -> !xe.grf<256, 32>
// CHECK: %[[W:.*]] = xe.load into %{{.*}} no_mask} -> !xe.grf<256, 32>
// CHECK: xe.add into %[[V]] : !xe.grf<256, 32>(%[[V]], %[[W]] : {{.*}} reads = [#xe.read<f, 64>, #xe.read<f, 64>], write = #xe.write<f, 64>
// CHECK: xe.store{{.*}} data %{{.*}} : !xe.grf<256, 32>
xe.kernel @pieces attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 1 : i32, target = "arc"} {
^bb0(%0: !xe.grf<32, 32 at 0>):
  %u = xe.undef : !xe.grf<8192, 32>
  %v = xe.load into %u : !xe.grf<8192, 32>[%0 : !xe.grf<32, 32 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask, result_offset = 256 : i32} -> !xe.grf<8192, 32>
  %x = xe.undef : !xe.grf<8192, 32>
  %w = xe.load into %x : !xe.grf<8192, 32>[%0 : !xe.grf<32, 32 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask, result_offset = 256 : i32} -> !xe.grf<8192, 32>
  %s = xe.add into %v : !xe.grf<8192, 32>(%v, %w : !xe.grf<8192, 32>, !xe.grf<8192, 32>) {exec_size = 16 : i32, no_mask, reads = [#xe.read<f, 320>, #xe.read<f, 320>], write = #xe.write<f, 320>} -> !xe.grf<8192, 32>
  xe.store[%0 : !xe.grf<32, 32 at 0>] data %s : !xe.grf<8192, 32> {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask, data_offset = 256 : i32}
  xe.eot
}

// -----

// What fits the registers stays as it is.
// CHECK-LABEL: xe.kernel @fits
// CHECK: xe.load{{.*}} -> !xe.grf<1024, 32>
xe.kernel @fits attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 1 : i32, target = "arc"} {
^bb0(%0: !xe.grf<32, 32 at 0>):
  %v = xe.load[%0 : !xe.grf<32, 32 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask} -> !xe.grf<1024, 32>
  xe.store[%0 : !xe.grf<32, 32 at 0>] data %v : !xe.grf<1024, 32> {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask}
  xe.eot
}
