// Integers are divided by the reciprocal that floats estimate.
// RUN: xegpu-opt %s -p 'xe-select-code{code=native}' -t xe-asm | filecheck %s
xe.kernel @k attributes {target = "pvc", grf_count = 128 : i32, simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<512, 64 at 0>):
  // The reciprocal, a step of Newton's method, and two corrections.
  // CHECK: (W) mov (1|M0) r118.0<1>:ud r0.0<0;1,0>:ud
  // CHECK-NEXT: (W) mov (1|M0) r119.0<1>:ud r1.0<0;1,0>:ud
  // CHECK-NEXT: (W) mov (1|M0) r120.0<1>:f r119.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) math.inv (1|M0) r120.0<1>:f r120.0<0;1,0>:f {F@1}
  // CHECK-NEXT: (W) mul (1|M0) r120.0<1>:f r120.0<0;1,0>:f 0x4F7FFFFE:f {M@1}
  // CHECK-NEXT: (W) mov (1|M0) r120.0<1>:ud r120.0<0;1,0>:f {F@1}
  // CHECK-NEXT: (W) mul (1|M0) acc0.0<1>:ud r119.0<0;1,0>:ud r120.0<0;1,0>:uw {I@1}
  // CHECK-NEXT: (W) macl (1|M0) r122.0<1>:ud r119.0<0;1,0>:ud r120.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) mov (1|M0) r122.0<1>:ud -r122.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) mul (1|M0) acc0.0<1>:ud r120.0<0;1,0>:ud r122.0<0;1,0>:uw {I@1}
  // CHECK-NEXT: (W) mach (1|M0) r122.0<1>:ud r120.0<0;1,0>:ud r122.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) add (1|M0) r120.0<1>:ud r120.0<0;1,0>:ud r122.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) mul (1|M0) acc0.0<1>:ud r118.0<0;1,0>:ud r120.0<0;1,0>:uw {I@1}
  // CHECK-NEXT: (W) mach (1|M0) r120.0<1>:ud r118.0<0;1,0>:ud r120.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) mul (1|M0) acc0.0<1>:ud r120.0<0;1,0>:ud r119.0<0;1,0>:uw {I@1}
  // CHECK-NEXT: (W) macl (1|M0) r122.0<1>:ud r120.0<0;1,0>:ud r119.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) add (1|M0) r118.0<1>:ud r118.0<0;1,0>:ud -r122.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) subb (1|M0) r122.0<1>:ud r118.0<0;1,0>:ud r119.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) mov (1|M0) r123.0<1>:ud acc0.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) add (1|M0) r123.0<1>:ud r123.0<0;1,0>:ud 0xFFFFFFFF:ud {I@1}
  // CHECK-NEXT: (W) and (1|M0) r122.0<1>:ud r119.0<0;1,0>:ud r123.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) add (1|M0) r118.0<1>:ud r118.0<0;1,0>:ud -r122.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) add (1|M0) r120.0<1>:ud r120.0<0;1,0>:ud -r123.0<0;1,0>:ud
  // CHECK-NEXT: (W) subb (1|M0) r122.0<1>:ud r118.0<0;1,0>:ud r119.0<0;1,0>:ud {I@2}
  // CHECK-NEXT: (W) mov (1|M0) r123.0<1>:ud acc0.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) add (1|M0) r123.0<1>:ud r123.0<0;1,0>:ud 0xFFFFFFFF:ud {I@1}
  // CHECK-NEXT: (W) and (1|M0) r122.0<1>:ud r119.0<0;1,0>:ud r123.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) add (1|M0) r118.0<1>:ud r118.0<0;1,0>:ud -r122.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) add (1|M0) r120.0<1>:ud r120.0<0;1,0>:ud -r123.0<0;1,0>:ud
  // CHECK-NEXT: (W) lzd (1|M0) r122.0<1>:ud r119.0<0;1,0>:ud
  // CHECK-NEXT: (W) shr (1|M0) r122.0<1>:ud r122.0<0;1,0>:ud 0x5:uw {I@1}
  // CHECK-NEXT: (W) mov (1|M0) r122.0<1>:ud -r122.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) or (1|M0) r120.0<1>:ud r120.0<0;1,0>:ud r122.0<0;1,0>:ud {I@1}
  // CHECK-NEXT: (W) mov (1|M0) r8.0<1>:ud r120.0<0;1,0>:ud {I@1}
  %1 = xe.div(%0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {exec_size = 1 : i32, no_mask, reads = [#xe.read<ud, [0, 1, 0]>, #xe.read<ud, 64, [0, 1, 0]>], write = #xe.write<ud>} -> !xe.grf<4, 4 at 512>
  // Powers of two are shifts.
  // CHECK: (W) shr (16|M0) r8.0<1>:ud r0.0<1;1,0>:ud 0x3:uw
  %2 = xe.div(%0 : !xe.grf<512, 64 at 0>) {exec_size = 16 : i32, no_mask, reads = [#xe.read<ud>, #xe.imm<ud, 8>], write = #xe.write<ud>} -> !xe.grf<64, 4 at 512>
  xe.eot
}
