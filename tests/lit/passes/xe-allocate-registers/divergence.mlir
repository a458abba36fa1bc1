// RUN: xegpu-opt %s -p xe-allocate-registers --split-input-file | filecheck %s
// RUN: xegpu-opt %s -p xe-allocate-registers --split-input-file -t xe-asm | filecheck %s --check-prefix=ASM

// Both sides of a choice write one block, without copies, although the unspecified contents before it are made once.
xe.kernel @choice attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, no_mask, condition = "lt", reads = [#xe.read<ud>, #xe.imm<ud, 9>]} flag !xe.flag
  %r = xe.undef : !xe.grf<64, 64>
  xe.br ^bb1
^bb1:
  xe.cond_goto %f, ^bb3(%r : !xe.grf<64, 64>), ^bb2 {inverted} : !xe.flag
^bb2:
  %a = xe.mov into %r : !xe.grf<64, 64> {exec_size = 16 : i32, write = #xe.write<ud>, reads = [#xe.imm<ud, 1>]} -> !xe.grf<64, 64>
  xe.goto ^bb5, ^bb3(%a : !xe.grf<64, 64>)
^bb3(%s: !xe.grf<64, 64>):
  xe.join ^bb4, ^bb5(%s : !xe.grf<64, 64>)
^bb4:
  %b = xe.mov into %s : !xe.grf<64, 64> {exec_size = 16 : i32, write = #xe.write<ud>, reads = [#xe.imm<ud, 2>]} -> !xe.grf<64, 64>
  xe.br ^bb5(%b : !xe.grf<64, 64>)
^bb5(%t: !xe.grf<64, 64>):
  xe.join ^bb6
^bb6:
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %t : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.br ^bb1
}
// CHECK-LABEL: xe.kernel @choice
// CHECK: xe.mov into %{{.*}} -> !xe.grf<64, 64 at [[PLACE:[0-9]+]]>
// CHECK: ^bb3(%{{.*}}: !xe.grf<64, 64 at [[PLACE]]>):
// CHECK: xe.mov into %{{.*}} -> !xe.grf<64, 64 at [[PLACE]]>
// CHECK: ^bb5(%{{.*}}: !xe.grf<64, 64 at [[PLACE]]>):
// ASM-LABEL: kernel choice
// ASM: cmp
// ASM-NEXT: L1:
// ASM-NEXT: (~f0.0) goto (16|M0) L2 L2
// ASM-NEXT: {{^}}    mov (16|M0) r1.0<1>:ud 0x1:ud
// ASM-NEXT: {{^}}    goto (16|M0) L2 L3
// ASM-NEXT: L2:
// ASM-NEXT: join (16|M0) L3
// ASM-NEXT: {{^}}    mov (16|M0) r1.0<1>:ud 0x2:ud
// ASM-NEXT: L3:
// ASM-NEXT: join (16|M0) L4
// ASM-NEXT: L4:
// ASM-NEXT: store

// -----

// A value that is needed on both ways is copied for all channels in front of the goto.
xe.kernel @kept attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, no_mask, condition = "lt", reads = [#xe.read<ud>, #xe.imm<ud, 9>]} flag !xe.flag
  %r = xe.mov {exec_size = 16 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.imm<ud, 3>]} -> !xe.grf<64, 64>
  xe.cond_goto %f, ^bb2(%r : !xe.grf<64, 64>), ^bb1 : !xe.flag
^bb1:
  %a = xe.mov into %r : !xe.grf<64, 64> {exec_size = 16 : i32, write = #xe.write<ud>, reads = [#xe.imm<ud, 1>]} -> !xe.grf<64, 64>
  xe.br ^bb2(%a : !xe.grf<64, 64>)
^bb2(%t: !xe.grf<64, 64>):
  xe.join ^bb3
^bb3:
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %t : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %r : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}
// ASM-LABEL: kernel kept
// ASM: (W) mov (16|M0) r[[R:[0-9]+]].0<1>:ud 0x3:ud
// ASM: (W) mov (16|M0) r[[T:[0-9]+]].0<1>:ud r[[R]].0<1;1,0>:ud
// ASM: (f0.0) goto
// ASM: {{^}}    mov (16|M0) r{{.*}} 0x1:ud
// ASM: join
// ASM: store
// ASM-NEXT: store
