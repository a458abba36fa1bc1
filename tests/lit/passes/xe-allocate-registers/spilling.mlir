// RUN: xegpu-opt %s -p xe-allocate-registers | filecheck %s
// RUN: xegpu-opt %s -p 'xe-allocate-registers{grf_count=128}' | filecheck %s --check-prefix=SMALL
// RUN: xegpu-opt %s -p 'xe-allocate-registers{grf_count=256}' | filecheck %s --check-prefix=LARGE

// Three blocks of 4096 bytes do not fit 128 registers of 64 bytes: the next mode has them without spilling.
// CHECK: xe.kernel @three attributes {{{.*}}grf_count = 256 : i32{{.*}}spill_size = 0 : i32
// CHECK-NOT: xe.spill
// CHECK: xe.eot

// A mode that is asked for is kept, and what does not fit goes to scratch: at once, and back before its use.
// SMALL: xe.kernel @three attributes {{{.*}}grf_count = 128 : i32{{.*}}spill_size = {{[1-9][0-9]*}} : i32
// SMALL: %[[V:.*]] = xe.load[
// SMALL-NEXT: xe.spill %[[V]] to [[SLOT:[0-9]+]] : !xe.grf<4096, 64 at
// SMALL: %[[BACK:.*]] = xe.fill [[SLOT]] : !xe.grf<4096, 64 at {{[0-9]+}}>
// SMALL-NEXT: xe.store[{{.*}} data %[[BACK]] :
// SMALL: xe.eot

// LARGE: xe.kernel @three attributes {{{.*}}grf_count = 256 : i32{{.*}}spill_size = 0 : i32
xe.kernel @three attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %1 = xe.load[%0 : !xe.grf<64, 64 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask} -> !xe.grf<4096, 64>
  %2 = xe.load[%0 : !xe.grf<64, 64 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask} -> !xe.grf<4096, 64>
  %3 = xe.load[%0 : !xe.grf<64, 64 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask} -> !xe.grf<4096, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %1 : !xe.grf<4096, 64> {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %2 : !xe.grf<4096, 64> {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %3 : !xe.grf<4096, 64> {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask}
  xe.eot
}

// Five do not fit any mode: the largest is taken, and the last register is kept for addresses of scratch.
// CHECK: xe.kernel @five attributes {{{.*}}grf_count = 256 : i32{{.*}}spill_size = {{[1-9][0-9]*}} : i32
// CHECK: xe.spill
// CHECK: xe.fill
// CHECK: xe.eot
xe.kernel @five attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %1 = xe.load[%0 : !xe.grf<64, 64 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask} -> !xe.grf<4096, 64>
  %2 = xe.load[%0 : !xe.grf<64, 64 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask} -> !xe.grf<4096, 64>
  %3 = xe.load[%0 : !xe.grf<64, 64 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask} -> !xe.grf<4096, 64>
  %4 = xe.load[%0 : !xe.grf<64, 64 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask} -> !xe.grf<4096, 64>
  %5 = xe.load[%0 : !xe.grf<64, 64 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask} -> !xe.grf<4096, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %1 : !xe.grf<4096, 64> {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %2 : !xe.grf<4096, 64> {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %3 : !xe.grf<4096, 64> {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %4 : !xe.grf<4096, 64> {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %5 : !xe.grf<4096, 64> {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask}
  xe.eot
}

// One register is enough for a kernel that needs no more; a mode that is asked for is kept as well.
// CHECK: xe.kernel @one attributes {{{.*}}grf_count = 128 : i32{{.*}}spill_size = 0 : i32
// LARGE: xe.kernel @one attributes {{{.*}}grf_count = 256 : i32{{.*}}spill_size = 0 : i32
xe.kernel @one attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %1 = xe.load[%0 : !xe.grf<64, 64 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask} -> !xe.grf<256, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %1 : !xe.grf<256, 64> {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask}
  xe.eot
}
