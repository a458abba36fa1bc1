// Quotients and square roots of floats are macros. The flag that they use is put back.
// RUN: xegpu-opt %s -p 'xe-select-code{code=native}' -t xe-asm | filecheck %s
xe.kernel @k attributes {target = "pvc", grf_count = 128 : i32, simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<512, 64 at 0>):
  // The estimate, and the steps for the channels that it does not settle.
  // CHECK: (W) mov (16|M0) r120.0<1>:ud r0.0<1;1,0>:ud
  // CHECK-NEXT: (W) mov (16|M0) r121.0<1>:ud r1.0<1;1,0>:ud
  // CHECK-NEXT: (W) mov (16|M0) r122.0<1>:f 0.0:f
  // CHECK-NEXT: (W) mov (16|M0) r125.0<1>:f 1.0:f
  // CHECK-NEXT: (W) mov (1|M0) r126.6<1>:ud f3.0<0;1,0>:ud
  // CHECK-NEXT: (W) math.invm (16|M0) (eo)f3.0 r123.mme0:f r120.nomme:f r121.nomme:f {I@1}
  // CHECK-NEXT: (W&~f3.0) madm (16|M0) r124.mme1:f r122.nomme:f r120.nomme:f r123.mme0:f {A@1}
  // CHECK-NEXT: (W&~f3.0) madm (16|M0) acc0.mme2:f r125.nomme:f -r121.nomme:f r123.mme0:f {F@2}
  // CHECK-NEXT: (W&~f3.0) madm (16|M0) r118.mme3:f r123.mme0:f acc0.mme2:f r123.mme0:f {F@1}
  // CHECK-NEXT: (W&~f3.0) madm (16|M0) acc0.mme4:f r120.nomme:f -r121.nomme:f r124.mme1:f
  // CHECK-NEXT: (W&~f3.0) madm (16|M0) r124.mme5:f r124.mme1:f acc0.mme4:f r118.mme3:f {F@1}
  // CHECK-NEXT: (W&~f3.0) madm (16|M0) acc0.mme6:f r120.nomme:f -r121.nomme:f r124.mme5:f {F@1}
  // CHECK-NEXT: (W&~f3.0) madm (16|M0) r123.nomme:f r124.mme5:f acc0.mme6:f r118.mme3:f {F@1}
  // CHECK-NEXT: (W) mov (1|M0) f3.0<1>:ud r126.6<0;1,0>:ud {F@1}
  // CHECK-NEXT: (W) mov (16|M0) r8.0<1>:ud r123.0<1;1,0>:ud
  %1 = xe.div(%0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {exec_size = 16 : i32, no_mask, reads = [#xe.read<f>, #xe.read<f, 64>], write = #xe.write<f>} -> !xe.grf<64, 4 at 512>
  // Doubles have other steps, and fewer than eight channels become eight.
  // CHECK: (W) mov (8|M0) r120.0<1>:uq r0.0<0;1,0>:uq
  // CHECK-NEXT: (W) mov (8|M0) r122.0<1>:df 0.0:df
  // CHECK-NEXT: (W) mov (8|M0) r121.0<1>:df 0.5:df
  // CHECK-NEXT: (W) mov (8|M0) r125.0<1>:df 1.0:df
  // CHECK-NEXT: (W) mov (8|M0) r119.0<1>:df 1.5:df
  // CHECK-NEXT: (W) mov (1|M0) r126.6<1>:ud f3.0<0;1,0>:ud {I@3}
  // CHECK-NEXT: (W) math.rsqtm (8|M0) (eo)f3.0 r123.mme0:df r120.nomme:df {I@1}
  // CHECK-NEXT: (W&~f3.0) madm (8|M0) r118.mme1:df r122.nomme:df r121.nomme:df r123.mme0:df {A@1}
  // CHECK-NEXT: (W&~f3.0) madm (8|M0) r124.mme2:df r122.nomme:df r120.nomme:df r123.mme0:df
  // CHECK-NEXT: (W&~f3.0) madm (8|M0) acc2.mme3:df r121.nomme:df -r124.mme2:df r118.mme1:df {L@1}
  // CHECK-NEXT: (W&~f3.0) madm (8|M0) acc0.mme5:df r125.nomme:df acc2.mme3:df r119.nomme:df {L@1}
  // CHECK-NEXT: (W&~f3.0) madm (8|M0) r123.mme6:df r122.nomme:df acc2.mme3:df r124.mme2:df
  // CHECK-NEXT: (W&~f3.0) madm (8|M0) r123.mme6:df r124.mme2:df acc0.mme5:df r123.mme6:df {L@1}
  // CHECK-NEXT: (W&~f3.0) madm (8|M0) r124.mme7:df r122.nomme:df acc2.mme3:df r118.mme1:df
  // CHECK-NEXT: (W&~f3.0) madm (8|M0) r118.mme5:df r118.mme1:df acc0.mme5:df r124.mme7:df {L@1}
  // CHECK-NEXT: (W&~f3.0) madm (8|M0) acc0.mme1:df r120.nomme:df -r123.mme6:df r123.mme6:df
  // CHECK-NEXT: (W&~f3.0) madm (8|M0) r123.nomme:df r123.mme6:df acc0.mme1:df r118.mme5:df {L@1}
  // CHECK-NEXT: (W) mov (1|M0) f3.0<1>:ud r126.6<0;1,0>:ud {L@1}
  // CHECK-NEXT: (W) mov (1|M0) r8.0<1>:uq r123.0<0;1,0>:uq
  %2 = xe.sqrtm(%0 : !xe.grf<512, 64 at 0>) {exec_size = 1 : i32, no_mask, reads = [#xe.read<df, [0, 1, 0]>], write = #xe.write<df>} -> !xe.grf<8, 8 at 512>
  xe.eot
}
