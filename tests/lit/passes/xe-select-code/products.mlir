// Products of 32 and 64 bits are made in the accumulator.
// RUN: xegpu-opt %s -p 'xe-select-code{code=native}' -t xe-asm | filecheck %s
xe.kernel @k attributes {target = "pvc", grf_count = 128 : i32, simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<512, 64 at 0>):
  // Shifts are products by powers of two.
  // CHECK: (W) shl (8|M0) r8.0<1>:uq r0.0<1;1,0>:uq 0x3:uw
  %1 = xe.mul(%0 : !xe.grf<512, 64 at 0>) {exec_size = 8 : i32, no_mask, reads = [#xe.read<uq>, #xe.imm<uq, 8>], write = #xe.write<uq>} -> !xe.grf<64, 8 at 512>
  // The low 32 bits of a product.
  // CHECK: (W) mul (16|M0) acc0.0<1>:ud r0.0<1;1,0>:ud r1.0<2;1,0>:uw
  // CHECK-NEXT: (W) macl (16|M0) r8.0<1>:ud r0.0<1;1,0>:ud r1.0<1;1,0>:ud {I@1}
  %2 = xe.mul(%0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {exec_size = 16 : i32, no_mask, reads = [#xe.read<ud>, #xe.read<ud, 64>], write = #xe.write<ud>} -> !xe.grf<64, 4 at 512>
  // A factor of 16 bits needs no accumulator.
  // CHECK: (W) mul (16|M0) r8.0<1>:ud r0.0<1;1,0>:ud 0x3E8:uw
  %3 = xe.mul(%0 : !xe.grf<512, 64 at 0>) {exec_size = 16 : i32, no_mask, reads = [#xe.read<ud>, #xe.imm<ud, 1000>], write = #xe.write<ud>} -> !xe.grf<64, 4 at 512>
  // The accumulator has its numbers where registers begin.
  // CHECK: (W) mul (1|M0) acc0.0<1>:ud r0.1<0;1,0>:ud r1.0<0;1,0>:uw
  // CHECK-NEXT: (W) macl (1|M0) r118.0<1>:ud r0.1<0;1,0>:ud r1.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) mov (1|M0) r8.2<1>:ud r118.0<0;1,0>:ud {I@1}
  %4 = xe.mul(%0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {exec_size = 1 : i32, no_mask, reads = [#xe.read<ud, 4, [0, 1, 0]>, #xe.read<ud, 64, [0, 1, 0]>], write = #xe.write<ud>} -> !xe.grf<4, 4 at 520>
  // The high 32 bits.
  // CHECK: (W) mul (16|M0) acc0.0<1>:d r0.0<1;1,0>:d r1.0<2;1,0>:uw
  // CHECK-NEXT: (W) mach (16|M0) r8.0<1>:d r0.0<1;1,0>:d r1.0<1;1,0>:d {I@1}
  %5 = xe.mulh(%0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {exec_size = 16 : i32, no_mask, reads = [#xe.read<d>, #xe.read<d, 64>], write = #xe.write<d>} -> !xe.grf<64, 4 at 512>
  xe.eot
}
