// RUN: xegpu-opt %s -p xe-allocate-registers --split-input-file | filecheck %s
// RUN: xegpu-opt %s -p xe-allocate-registers --split-input-file -t xe-asm | filecheck %s --check-prefix=ASM

// Both sides of a copy share their bytes, aligned as the stricter side wants, although the first is used again.
xe.kernel @shared attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %small = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<uw>, reads = [#xe.read<uw, [0, 1, 0]>]} -> !xe.grf<2, 2>
  %a = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.read<uq, [0, 1, 0]>]} -> !xe.grf<8, 8>
  %b = xe.copy %a : !xe.grf<8, 8> -> !xe.grf<8, 64>
  %v = xe.load[%b : !xe.grf<8, 64>] {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask} -> !xe.grf<64, 64>
  %w = xe.mov into %v : !xe.grf<64, 64>(%a : !xe.grf<8, 8>) {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.read<uq, [0, 1, 0]>]} -> !xe.grf<64, 64>
  %x = xe.mov into %w : !xe.grf<64, 64>(%small : !xe.grf<2, 2>) {exec_size = 1 : i32, no_mask, write = #xe.write<uw, 8>, reads = [#xe.read<uw, [0, 1, 0]>]} -> !xe.grf<64, 64>
  xe.store[%b : !xe.grf<8, 64>] data %x : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}
// CHECK-LABEL: xe.kernel @shared
// CHECK: xe.copy %{{.*}} : !xe.grf<8, 8 at [[PLACE:[0-9]+]]> -> !xe.grf<8, 64 at [[PLACE]]>
// ASM-COUNT-4: mov
// ASM-NOT: mov
// ASM: eot

// -----

// A value that is updated while its copy is in use keeps a place of its own. Unspecified contents are not copied.
xe.kernel @apart attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %undefined = xe.undef : !xe.grf<64, 64>
  %a = xe.mov into %undefined : !xe.grf<64, 64> {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.imm<uq, 1>]} -> !xe.grf<64, 64>
  %b = xe.copy %a : !xe.grf<64, 64> -> !xe.grf<64, 64>
  %c = xe.mov into %a : !xe.grf<64, 64> {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.imm<uq, 2>]} -> !xe.grf<64, 64>
  %d = xe.mov into %undefined : !xe.grf<64, 64> {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.imm<uq, 3>]} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %b : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %c : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %d : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}
// CHECK-LABEL: xe.kernel @apart
// CHECK: %[[COPY:.*]] = xe.copy %{{.*}} : !xe.grf<64, 64 at [[FIRST:[0-9]+]]> -> !xe.grf<64, 64 at [[SECOND:[0-9]+]]>
// CHECK-NEXT: %[[NEXT:.*]] = xe.mov into %{{.*}} : !xe.grf<64, 64 at [[FIRST]]> {{.*}} -> !xe.grf<64, 64 at [[FIRST]]>
// CHECK: xe.store[{{.*}} data %[[COPY]] : !xe.grf<64, 64 at [[SECOND]]>
// CHECK-NEXT: xe.store[{{.*}} data %[[NEXT]] : !xe.grf<64, 64 at [[FIRST]]>
// ASM: mov (1|M0) r{{.*}} 0x1:uq
// ASM-NEXT: mov (16|M0)
// ASM-NEXT: mov (1|M0) r{{.*}} 0x2:uq
// ASM-NEXT: mov (1|M0) r{{.*}} 0x3:uq
