// RUN: xegpu-opt %s -p xe-allocate-registers | filecheck %s

// A loop that is never entered leaves a block that no way leads to. What it uses would be live nowhere before it: the
// value that the first block updates in place, here.
xe.kernel @never attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %undefined = xe.undef : !xe.grf<64, 64>
  %a = xe.mov into %undefined : !xe.grf<64, 64> {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.imm<uq, 1>]} -> !xe.grf<64, 64>
  xe.br ^end
^body:
  %b = xe.mov into %undefined : !xe.grf<64, 64> {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.imm<uq, 2>]} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %b : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.br ^end
^end:
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %a : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}
// CHECK-LABEL: xe.kernel @never
// CHECK: xe.mov into %{{.*}} : !xe.grf<64, 64 at [[PLACE:[0-9]+]]> {{.*}} -> !xe.grf<64, 64 at [[PLACE]]>
// CHECK-NEXT: xe.br ^[[END:.*]]
// CHECK-NEXT: ^[[END]]:
// CHECK-NEXT: xe.store
// CHECK-NEXT: xe.eot
