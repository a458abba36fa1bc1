// Bytes and words.
// RUN: xegpu-opt %s -p 'xe-select-code{code=native}' -t xe-asm | filecheck %s
xe.kernel @k attributes {target = "pvc", grf_count = 128 : i32, simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<512, 64 at 0>):
  // Results lie as far apart as the words that bytes are computed in.
  // CHECK: (W) add (16|M0) r124.0<2>:ub r0.0<1;1,0>:ub r1.0<1;1,0>:ub
  // CHECK-NEXT: (W) mov (16|M0) r8.0<1>:ub r124.0<2;1,0>:ub {I@1}
  %1 = xe.add(%0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {exec_size = 16 : i32, no_mask, reads = [#xe.read<ub>, #xe.read<ub, 64>], write = #xe.write<ub>} -> !xe.grf<16, 1 at 512>
  // Constants are words.
  // CHECK: (W) add (16|M0) r124.0<2>:ub r0.0<1;1,0>:ub 0x81:uw
  // CHECK-NEXT: (W) mov (16|M0) r8.0<1>:ub r124.0<2;1,0>:ub {I@1}
  %2 = xe.add(%0 : !xe.grf<512, 64 at 0>) {exec_size = 16 : i32, no_mask, reads = [#xe.read<ub>, #xe.imm<ub, 129>], write = #xe.write<ub>} -> !xe.grf<16, 1 at 512>
  // A move that drops bits reads the low ones.
  // CHECK: (W) mov (16|M0) r8.0<1>:uw r0.8<2;1,0>:uw
  %3 = xe.mov(%0 : !xe.grf<512, 64 at 0>) {exec_size = 16 : i32, no_mask, reads = [#xe.read<ud, 16>], write = #xe.write<uw>} -> !xe.grf<32, 2 at 512>
  // One that saturates does not.
  // CHECK: (W) mov (16|M0) (sat)r124.0<4>:ub r0.0<1;1,0>:d
  // CHECK-NEXT: (W) mov (16|M0) r8.0<1>:ub r124.0<4;1,0>:ub {I@1}
  %4 = xe.mov(%0 : !xe.grf<512, 64 at 0>) {saturate, exec_size = 16 : i32, no_mask, reads = [#xe.read<d>], write = #xe.write<ub>} -> !xe.grf<16, 1 at 512>
  // Second sources begin at even bytes.
  // CHECK: (W) mov (1|M0) r120.0<1>:ub r1.1<0;1,0>:ub
  // CHECK-NEXT: (W) xor (1|M0) r8.0<1>:ub r0.3<0;1,0>:ub r120.0<0;1,0>:ub {I@1}
  %5 = xe.xor(%0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {exec_size = 1 : i32, no_mask, reads = [#xe.read<ub, 3, [0, 1, 0]>, #xe.read<ub, 65, [0, 1, 0]>], write = #xe.write<ub>} -> !xe.grf<1, 1 at 512>
  xe.eot
}
