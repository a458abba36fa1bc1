// Carries and borrows move from the accumulator to their register.
// RUN: xegpu-opt %s -p 'xe-select-code{code=native}' -t xe-asm | filecheck %s
xe.kernel @k attributes {target = "pvc", grf_count = 128 : i32, simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<512, 64 at 0>):
  // The carry is in the accumulator.
  // CHECK: (W) addc (16|M0) r8.0<1>:ud r0.0<1;1,0>:ud r1.0<1;1,0>:ud
  // CHECK-NEXT: (W) mov (16|M0) r9.0<1>:ud acc0.0<1;1,0>:ud {I@1}
  %1, %2 = xe.addc(%0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {exec_size = 16 : i32, no_mask, reads = [#xe.read<ud>, #xe.read<ud, 64>], write = #xe.write<ud>} -> !xe.grf<64, 4 at 512> carry !xe.grf<64, 64 at 576>
  // Two halves for more channels than the accumulator has.
  // CHECK: (W) subb (16|M0) r8.0<1>:ud r0.0<1;1,0>:ud r2.0<1;1,0>:ud
  // CHECK-NEXT: (W) mov (16|M0) r10.0<1>:ud acc0.0<1;1,0>:ud {I@1}
  // CHECK-NEXT: (W) subb (16|M0) r9.0<1>:ud r1.0<1;1,0>:ud r3.0<1;1,0>:ud
  // CHECK-NEXT: (W) mov (16|M0) r11.0<1>:ud acc0.0<1;1,0>:ud {I@1}
  %3, %4 = xe.subb(%0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {exec_size = 32 : i32, no_mask, reads = [#xe.read<ud>, #xe.read<ud, 128>], write = #xe.write<ud>} -> !xe.grf<128, 4 at 512> carry !xe.grf<128, 64 at 640>
  // A sum in the middle of a register comes from one at its begin.
  // CHECK: (W) addc (8|M0) r118.0<1>:ud r0.0<1;1,0>:ud r1.0<1;1,0>:ud
  // CHECK-NEXT: (W) mov (8|M0) r9.0<1>:ud acc0.0<1;1,0>:ud {I@1}
  // CHECK-NEXT: (W) mov (8|M0) r8.4<1>:ud r118.0<1;1,0>:ud
  %5, %6 = xe.addc(%0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {exec_size = 8 : i32, no_mask, reads = [#xe.read<ud>, #xe.read<ud, 64>], write = #xe.write<ud>} -> !xe.grf<32, 4 at 528> carry !xe.grf<32, 64 at 576>
  xe.eot
}
