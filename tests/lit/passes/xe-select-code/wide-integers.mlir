// Xe-HPG has no integers of 64 bits.
// RUN: xegpu-opt %s -p 'xe-select-code{code=native}' -t xe-asm | filecheck %s
xe.kernel @k attributes {target = "arc", grf_count = 128 : i32, simd_size = 8 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<512, 32 at 0>):
  // A carry between the halves.
  // CHECK: (W) mov (4|M0) r118.0<1>:ud r0.0<2;1,0>:ud
  // CHECK-NEXT: (W) mov (4|M0) r119.0<1>:ud r0.1<2;1,0>:ud
  // CHECK-NEXT: (W) mov (4|M0) r120.0<1>:ud r2.0<1;1,0>:ud
  // CHECK-NEXT: (W) mov (4|M0) r121.0<1>:ud 0x0:ud
  // CHECK-NEXT: (W) addc (4|M0) r122.0<1>:ud r118.0<1;1,0>:ud r120.0<1;1,0>:ud {AccWrEn,I@2}
  // CHECK-NEXT: (W) add (4|M0) r123.0<1>:ud r119.0<1;1,0>:ud acc0.0<1;1,0>:ud {I@1}
  // CHECK-NEXT: (W) add (4|M0) r123.0<1>:ud r123.0<1;1,0>:ud r121.0<1;1,0>:ud {I@1}
  // CHECK-NEXT: (W) mov (4|M0) r16.0<2>:ud r122.0<1;1,0>:ud
  // CHECK-NEXT: (W) mov (4|M0) r16.1<2>:ud r123.0<1;1,0>:ud {I@2}
  %1 = xe.add(%0, %0 : !xe.grf<512, 32 at 0>, !xe.grf<512, 32 at 0>) {exec_size = 4 : i32, no_mask, reads = [#xe.read<uq>, #xe.read<ud, 64>], write = #xe.write<uq>} -> !xe.grf<32, 8 at 512>
  // A borrow.
  // CHECK: (W) mov (1|M0) r120.0<1>:ud r1.0<0;1,0>:ud
  // CHECK-NEXT: (W) mov (1|M0) r121.0<1>:ud r1.1<0;1,0>:ud
  // CHECK-NEXT: (W) subb (1|M0) r122.0<1>:ud r118.0<0;1,0>:ud r120.0<0;1,0>:ud {AccWrEn,I@2}
  // CHECK-NEXT: (W) add (1|M0) r123.0<1>:ud r119.0<0;1,0>:ud -acc0.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) add (1|M0) r123.0<1>:ud r123.0<0;1,0>:ud -r121.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) mov (1|M0) r16.0<2>:ud r122.0<0;1,0>:ud
  // CHECK-NEXT: (W) mov (1|M0) r16.1<2>:ud r123.0<0;1,0>:ud {I@2}
  %2 = xe.add(%0, %0 : !xe.grf<512, 32 at 0>, !xe.grf<512, 32 at 0>) {exec_size = 1 : i32, no_mask, reads = [#xe.read<q, [0, 1, 0]>, #xe.read<q, 32, [0, 1, 0], neg>], write = #xe.write<q>} -> !xe.grf<8, 8 at 512>
  // Bits cross from one half to the other.
  // CHECK: (W) shl (1|M0) r122.0<1>:ud r118.0<0;1,0>:ud 0x8:uw {I@2}
  // CHECK-NEXT: (W) shl (1|M0) r123.0<1>:ud r119.0<0;1,0>:ud 0x8:uw {I@2}
  // CHECK-NEXT: (W) shr (1|M0) r125.0<1>:ud r118.0<0;1,0>:ud 0x18:uw
  // CHECK-NEXT: (W) or (1|M0) r123.0<1>:ud r123.0<0;1,0>:ud r125.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) mov (1|M0) r16.0<2>:ud r122.0<0;1,0>:ud
  // CHECK-NEXT: (W) mov (1|M0) r16.1<2>:ud r123.0<0;1,0>:ud {I@2}
  %3 = xe.shl(%0 : !xe.grf<512, 32 at 0>) {exec_size = 1 : i32, no_mask, reads = [#xe.read<uq, [0, 1, 0]>, #xe.imm<uq, 8>], write = #xe.write<uq>} -> !xe.grf<8, 8 at 512>
  // Or all of one.
  // CHECK: (W) asr (1|M0) r123.0<1>:d r119.0<0;1,0>:d 0x1F:uw {I@1}
  // CHECK-NEXT: (W) asr (1|M0) r122.0<1>:d r119.0<0;1,0>:d 0x1:uw
  // CHECK-NEXT: (W) mov (1|M0) r16.0<2>:ud r122.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) mov (1|M0) r16.1<2>:ud r123.0<0;1,0>:ud
  %4 = xe.asr(%0 : !xe.grf<512, 32 at 0>) {exec_size = 1 : i32, no_mask, reads = [#xe.read<q, [0, 1, 0]>, #xe.imm<q, 33>], write = #xe.write<q>} -> !xe.grf<8, 8 at 512>
  // The nearest number that 32 bits hold.
  // CHECK: (W) asr (1|M0) r124.0<1>:d r122.0<0;1,0>:d 0x1F:uw {I@2}
  // CHECK-NEXT: (W) xor (1|M0) r124.0<1>:ud r124.0<0;1,0>:ud r123.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) lzd (1|M0) r124.0<1>:ud r124.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) shr (1|M0) r124.0<1>:ud r124.0<0;1,0>:ud 0x5:uw {I@1}
  // CHECK-NEXT: (W) add (1|M0) r124.0<1>:ud r124.0<0;1,0>:ud 0xFFFFFFFF:ud {I@1}
  // CHECK-NEXT: (W) asr (1|M0) r123.0<1>:d r123.0<0;1,0>:d 0x1F:uw
  // CHECK-NEXT: (W) xor (1|M0) r123.0<1>:ud r123.0<0;1,0>:ud 0x7FFFFFFF:ud {I@1}
  // CHECK-NEXT: (W) and (1|M0) r123.0<1>:ud r123.0<0;1,0>:ud r124.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) not (1|M0) r124.0<1>:ud r124.0<0;1,0>:ud
  // CHECK-NEXT: (W) and (1|M0) r122.0<1>:ud r122.0<0;1,0>:ud r124.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) or (1|M0) r122.0<1>:ud r122.0<0;1,0>:ud r123.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) mov (1|M0) r16.0<1>:ud r122.0<0;1,0>:ud {I@1}
  %5 = xe.mov(%0 : !xe.grf<512, 32 at 0>) {saturate, exec_size = 1 : i32, no_mask, reads = [#xe.read<q, [0, 1, 0]>], write = #xe.write<d>} -> !xe.grf<4, 4 at 512>
  xe.eot
}
