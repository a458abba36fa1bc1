// Comparisons, choices and logic of 64 bits.
// RUN: xegpu-opt %s -p 'xe-select-code{code=native}' -t xe-asm | filecheck %s
xe.kernel @k attributes {target = "pvc", grf_count = 128 : i32, simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<512, 64 at 0>):
  // The high halves decide, and where they are equal, the low ones.
  // CHECK: (W) cmp (8|M0) (eq)f0.0 null<1>:ud r0.1<2;1,0>:ud r1.1<2;1,0>:ud
  // CHECK-NEXT: (W&f0.0) cmp (8|M0) (eq)f0.0 null<1>:ud r0.0<2;1,0>:ud r1.0<2;1,0>:ud {I@1}
  // CHECK-NEXT: (W) mov (8|M0) r8.0<1>:w 0:w
  // CHECK-NEXT: (W&f0.0) mov (8|M0) r8.0<1>:w -1:w {I@2}
  %1, %2 = xe.cmp(%0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {condition = "eq", exec_size = 8 : i32, no_mask, reads = [#xe.read<uq>, #xe.read<uq, 64>], write = #xe.write<w>} -> !xe.grf<16, 2 at 512> flag !xe.flag<0>
  // The outcome of an order is kept.
  // CHECK: (W) cmp (8|M0) (lt)f1.0 null<1>:d r0.1<2;1,0>:d 0:d
  // CHECK-NEXT: (W) mov (8|M0) r118.0<1>:d 0:d
  // CHECK-NEXT: (W&f1.0) mov (8|M0) r118.0<1>:d 1:d {I@2}
  // CHECK-NEXT: (W) cmp (8|M0) (eq)f1.0 null<1>:d r0.1<2;1,0>:d 0:d
  // CHECK-NEXT: (W&f1.0) cmp (8|M0) (lt)f1.0 null<1>:ud r0.0<2;1,0>:ud 0x5:ud {I@1}
  // CHECK-NEXT: (W&~f1.0) cmp (8|M0) (ne)f1.0 null<1>:d r118.0<1;1,0>:d 0:d {I@1}
  // CHECK-NEXT: (W) mov (8|M0) r8.0<1>:w 0:w
  // CHECK-NEXT: (W&f1.0) mov (8|M0) r8.0<1>:w -1:w {I@2}
  %3, %4 = xe.cmp(%0 : !xe.grf<512, 64 at 0>) {condition = "lt", exec_size = 8 : i32, no_mask, reads = [#xe.read<q>, #xe.imm<q, 5>], write = #xe.write<w>} -> !xe.grf<16, 2 at 512> flag !xe.flag<2>
  // The smaller number, by a flag that is put back.
  // CHECK: (W) mov (1|M0) r126.6<1>:ud f3.0<0;1,0>:ud
  // CHECK-NEXT: (W) cmp (8|M0) (lt)f3.0 null<1>:d r0.1<2;1,0>:d r1.1<2;1,0>:d
  // CHECK-NEXT: (W) mov (8|M0) r118.0<1>:d 0:d
  // CHECK-NEXT: (W&f3.0) mov (8|M0) r118.0<1>:d 1:d {I@2}
  // CHECK-NEXT: (W) cmp (8|M0) (eq)f3.0 null<1>:d r0.1<2;1,0>:d r1.1<2;1,0>:d
  // CHECK-NEXT: (W&f3.0) cmp (8|M0) (lt)f3.0 null<1>:ud r0.0<2;1,0>:ud r1.0<2;1,0>:ud {I@1}
  // CHECK-NEXT: (W&~f3.0) cmp (8|M0) (ne)f3.0 null<1>:d r118.0<1;1,0>:d 0:d {I@1}
  // CHECK-NEXT: (W&f3.0) sel (8|M0) r8.0<2>:ud r0.0<2;1,0>:ud r1.0<2;1,0>:ud {I@1}
  // CHECK-NEXT: (W&f3.0) sel (8|M0) r8.1<2>:ud r0.1<2;1,0>:ud r1.1<2;1,0>:ud
  // CHECK-NEXT: (W) mov (1|M0) f3.0<1>:ud r126.6<0;1,0>:ud
  %5 = xe.sel(%0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {condition = "lt", exec_size = 8 : i32, no_mask, reads = [#xe.read<q>, #xe.read<q, 64>], write = #xe.write<q>} -> !xe.grf<64, 8 at 512>
  // Logic is the same on halves.
  // CHECK: (W) and (8|M0) r8.0<2>:ud r0.0<2;1,0>:ud 0xFFFFFFFC:ud
  // CHECK-NEXT: (W) and (8|M0) r8.1<2>:ud r0.1<2;1,0>:ud 0xFFFFFFFF:ud
  %6 = xe.and(%0 : !xe.grf<512, 64 at 0>) {exec_size = 8 : i32, no_mask, reads = [#xe.read<uq>, #xe.imm<uq, 18446744073709551612>], write = #xe.write<uq>} -> !xe.grf<64, 8 at 512>
  xe.eot
}
