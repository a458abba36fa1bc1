// Linear interpolation is its formula.
// RUN: xegpu-opt %s -p 'xe-select-code{code=native}' -t xe-asm | filecheck %s
xe.kernel @k attributes {target = "pvc", grf_count = 128 : i32, simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<512, 64 at 0>):
  // The weight of the second number, its product, and the sum.
  // CHECK: (W) add (16|M0) r124.0<1>:f -r0.0<1;1,0>:f 1.0:f
  // CHECK-NEXT: (W) mul (16|M0) r124.0<1>:f r124.0<1;1,0>:f r2.0<1;1,0>:f {F@1}
  // CHECK-NEXT: (W) mad (16|M0) r8.0<1>:f r124.0<1;0>:f r0.0<1;0>:f r1.0<1>:f {F@1}
  %1 = xe.lrp(%0, %0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {exec_size = 16 : i32, no_mask, reads = [#xe.read<f>, #xe.read<f, 64>, #xe.read<f, 128>], write = #xe.write<f>} -> !xe.grf<64, 4 at 512>
  // A negated weight.
  // CHECK: (W) add (8|M0) r124.0<1>:f r0.0<1;1,0>:f 1.0:f
  // CHECK-NEXT: (W) mul (8|M0) r124.0<1>:f r124.0<1;1,0>:f r2.0<0;1,0>:f {F@1}
  // CHECK-NEXT: (W) mad (8|M0) r8.0<1>:f r124.0<1;0>:f -r0.0<1;0>:f r1.0<1>:f {F@1}
  %2 = xe.lrp(%0, %0, %0 : !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>, !xe.grf<512, 64 at 0>) {exec_size = 8 : i32, no_mask, reads = [#xe.read<f, neg>, #xe.read<f, 64>, #xe.read<f, 128, [0, 1, 0]>], write = #xe.write<f>} -> !xe.grf<32, 4 at 512>
  xe.eot
}
