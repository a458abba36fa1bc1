// RUN: xegpu-opt %s -p xe-allocate-registers --split-input-file | filecheck %s
// RUN: xegpu-opt %s -p xe-allocate-registers --split-input-file -t xe-asm | filecheck %s --check-prefix=ASM

// ARC has two flags. One that is used last waits in a dword, since nothing else needs what it was made from.
xe.kernel @waits attributes {target = "arc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<32, 32 at 0>):
  %x = xe.load[%0 : !xe.grf<32, 32 at 0>] {message = #xe.message<unit = ugm, size = d64, vector = 4, transposed>, exec_size = 1 : i32, no_mask} -> !xe.grf<32, 32>
  %f = xe.cmp(%x : !xe.grf<32, 32>) {exec_size = 1 : i32, no_mask, condition = "lt", reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 1>]} flag !xe.flag
  %g = xe.cmp(%x : !xe.grf<32, 32>) {exec_size = 1 : i32, no_mask, condition = "lt", reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 2>]} flag !xe.flag
  %h = xe.cmp(%x : !xe.grf<32, 32>) {exec_size = 1 : i32, no_mask, condition = "lt", reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 3>]} flag !xe.flag
  %1 = xe.undef : !xe.grf<32, 32>
  %2 = xe.mov into %1 : !xe.grf<32, 32> if %h : !xe.flag {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.imm<ud, 1>]} -> !xe.grf<32, 32>
  %3 = xe.mov into %2 : !xe.grf<32, 32> if %g : !xe.flag {exec_size = 1 : i32, no_mask, write = #xe.write<ud, 4>, reads = [#xe.imm<ud, 1>]} -> !xe.grf<32, 32>
  %4 = xe.mov into %3 : !xe.grf<32, 32> if %f : !xe.flag {exec_size = 1 : i32, no_mask, write = #xe.write<ud, 8>, reads = [#xe.imm<ud, 1>]} -> !xe.grf<32, 32>
  xe.store[%0 : !xe.grf<32, 32 at 0>] data %4 : !xe.grf<32, 32> {message = #xe.message<unit = ugm, size = d64, vector = 4, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}
// CHECK-LABEL: xe.kernel @waits
// CHECK: %[[F:.*]] = xe.cmp({{.*}}#xe.imm<ud, 1>]} flag !xe.flag<{{[02]}}>
// CHECK-NEXT: %[[SAVED:.*]] = xe.copy %[[F]] : !xe.flag<{{[02]}}> -> !xe.grf<4, 4 at {{[0-9]+}}>
// CHECK: %[[BACK:.*]] = xe.copy %[[SAVED]] : {{.*}} -> !xe.flag<{{[02]}}>
// CHECK-NEXT: xe.mov into {{.*}} if %[[BACK]]
// ASM: mov (1|M0) r{{.*}}:ud f{{[01]}}.0<0;1,0>:ud
// ASM: mov (1|M0) f{{[01]}}.0<1>:ud r{{.*}}:ud

// -----

// Where the compared value is still there, the comparison is made again.
xe.kernel @again attributes {target = "arc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<32, 32 at 0>):
  %f = xe.cmp(%0 : !xe.grf<32, 32 at 0>) {exec_size = 1 : i32, no_mask, condition = "lt", reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 1>]} flag !xe.flag
  %g = xe.cmp(%0 : !xe.grf<32, 32 at 0>) {exec_size = 1 : i32, no_mask, condition = "lt", reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 2>]} flag !xe.flag
  %h = xe.cmp(%0 : !xe.grf<32, 32 at 0>) {exec_size = 1 : i32, no_mask, condition = "lt", reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 3>]} flag !xe.flag
  %1 = xe.undef : !xe.grf<32, 32>
  %2 = xe.mov into %1 : !xe.grf<32, 32> if %h : !xe.flag {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.imm<ud, 1>]} -> !xe.grf<32, 32>
  %3 = xe.mov into %2 : !xe.grf<32, 32> if %g : !xe.flag {exec_size = 1 : i32, no_mask, write = #xe.write<ud, 4>, reads = [#xe.imm<ud, 1>]} -> !xe.grf<32, 32>
  %4 = xe.mov into %3 : !xe.grf<32, 32> if %f : !xe.flag {exec_size = 1 : i32, no_mask, write = #xe.write<ud, 8>, reads = [#xe.imm<ud, 1>]} -> !xe.grf<32, 32>
  xe.store[%0 : !xe.grf<32, 32 at 0>] data %4 : !xe.grf<32, 32> {message = #xe.message<unit = ugm, size = d64, vector = 4, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}
// CHECK-LABEL: xe.kernel @again
// CHECK-NOT: xe.copy
// CHECK: xe.mov into {{.*}}#xe.write<ud, 4>
// CHECK-NEXT: %[[F:.*]] = xe.cmp({{.*}}#xe.imm<ud, 1>]} flag
// CHECK-NEXT: xe.mov into {{.*}} if %[[F]]
