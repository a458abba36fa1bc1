// The places of operands.
// RUN: xegpu-opt %s -p 'xe-select-code{code=native}' -t xe-asm | filecheck %s
xe.kernel @k attributes {target = "pvc", grf_count = 128 : i32, simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<512, 64 at 0>):
  // Sources lie as the result does.
  // CHECK: (W) mov (8|M0) r118.0<1>:ud r0.8<1;1,0>:ud
  // CHECK-NEXT: (W) add (8|M0) r8.0<1>:f r118.0<1;1,0>:f r1.0<1;1,0>:f {I@1}
  %1 = xe.add(%0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {exec_size = 8 : i32, no_mask, reads = [#xe.read<f, 32>, #xe.read<f, 64>], write = #xe.write<f>} -> !xe.grf<32, 4 at 512>
  // Scalars may lie anywhere.
  // CHECK: (W) mul (8|M0) r8.0<1>:f r0.9<0;1,0>:f r1.0<1;1,0>:f
  %2 = xe.mul(%0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {exec_size = 8 : i32, no_mask, reads = [#xe.read<f, 36, [0, 1, 0]>, #xe.read<f, 64>], write = #xe.write<f>} -> !xe.grf<32, 4 at 512>
  // More than two registers are two instructions.
  // CHECK: (W) add (16|M0) r8.0<1>:uq r0.0<1;1,0>:uq r2.0<1;1,0>:uq {F@1}
  %3 = xe.add(%0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {exec_size = 16 : i32, no_mask, reads = [#xe.read<uq>, #xe.read<uq, 128>], write = #xe.write<uq>} -> !xe.grf<128, 8 at 512>
  // 64 bits from fewer.
  // CHECK: (W) mov (8|M0) r8.0<2>:ud r0.0<1;1,0>:ud
  // CHECK-NEXT: (W) asr (8|M0) r8.1<2>:d r0.0<1;1,0>:d 0x1F:uw
  %4 = xe.mov(%0 : !xe.grf<512, 64 at 0>) {exec_size = 8 : i32, no_mask, reads = [#xe.read<d>], write = #xe.write<q>} -> !xe.grf<64, 8 at 512>
  // 64 bits onto themselves.
  // CHECK: (W) mov (4|M0) r118.0<2>:ud r0.0<4;1,0>:ud
  // CHECK-NEXT: (W) mov (4|M0) r118.1<2>:ud r0.1<4;1,0>:ud
  // CHECK-NEXT: (W) mov (4|M0) r0.0<1>:uq r118.0<1;1,0>:uq {I@1}
  %5 = xe.mov(%0 : !xe.grf<512, 64 at 0>) {exec_size = 4 : i32, no_mask, reads = [#xe.read<uq, [2, 1, 0]>], write = #xe.write<uq>} -> !xe.grf<32, 8 at 0>
  xe.eot
}
