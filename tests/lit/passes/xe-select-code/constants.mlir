// Constants that an instruction can hold, or that are in registers.
// RUN: xegpu-opt %s -p 'xe-select-code{code=native}' -t xe-asm | filecheck %s
xe.kernel @k attributes {target = "pvc", grf_count = 128 : i32, simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<512, 64 at 0>):
  // Words are enough for the second source.
  // CHECK: (W) add (8|M0) r8.0<1>:uq r0.0<1;1,0>:uq 0xFF:uw
  %1 = xe.add(%0 : !xe.grf<512, 64 at 0>) {exec_size = 8 : i32, no_mask, reads = [#xe.read<uq>, #xe.imm<uq, 255>], write = #xe.write<uq>} -> !xe.grf<64, 8 at 512>
  // Their sign is extended.
  // CHECK: (W) add (8|M0) r8.0<1>:q r0.0<1;1,0>:q -1:w
  %2 = xe.add(%0 : !xe.grf<512, 64 at 0>) {exec_size = 8 : i32, no_mask, reads = [#xe.read<q>, #xe.imm<q, 18446744073709551615>], write = #xe.write<q>} -> !xe.grf<64, 8 at 512>
  // Others are in a register.
  // CHECK: (W) mov (1|M0) r126.1<1>:uq 0x123456789ABC:uq
  // CHECK-NEXT: (W) add (8|M0) r8.0<1>:uq r0.0<1;1,0>:uq r126.1<0;1,0>:uq {I@1}
  %3 = xe.add(%0 : !xe.grf<512, 64 at 0>) {exec_size = 8 : i32, no_mask, reads = [#xe.read<uq>, #xe.imm<uq, 20015998343868>], write = #xe.write<uq>} -> !xe.grf<64, 8 at 512>
  xe.eot
}
