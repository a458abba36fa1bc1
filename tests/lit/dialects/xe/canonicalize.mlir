// RUN: xegpu-opt %s -p canonicalize --split-input-file | filecheck %s

// Constants become immediates of last sources; commutative instructions bring them there.
xe.kernel @immediates attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %c = xe.mov {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.imm<ud, 7>]} -> !xe.grf<4, 4>
  %a = xe.add(%c, %0 : !xe.grf<4, 4>, !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.read<ud, [0, 1, 0]>]} -> !xe.grf<64, 64>
  %b = xe.shl(%c, %0 : !xe.grf<4, 4>, !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.read<ud, [0, 1, 0]>]} -> !xe.grf<64, 64>
  %d = xe.shl(%0, %c : !xe.grf<64, 64 at 0>, !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.read<ud, [0, 1, 0]>]} -> !xe.grf<64, 64>
  %e = xe.add(%0, %c : !xe.grf<64, 64 at 0>, !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<f>, reads = [#xe.read<f, [0, 1, 0]>, #xe.read<f, [0, 1, 0]>]} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %a : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %b : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %d : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %e : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}
// CHECK-LABEL: xe.kernel @immediates
// CHECK: %[[C:.*]] = xe.mov
// CHECK-NEXT: xe.add(%0 : {{.*}}#xe.imm<ud, 7>]
// CHECK-NEXT: xe.shl(%[[C]], %0 :
// CHECK-NEXT: xe.shl(%0 : {{.*}}#xe.imm<ud, 7>]
// CHECK-NEXT: xe.add(%0, %[[C]] :

// -----

// Integer instructions on constants are constants; chains of them are one.
xe.kernel @constants attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %a = xe.mov {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.imm<uw, 65535>]} -> !xe.grf<8, 8>
  %b = xe.mul(%a : !xe.grf<8, 8>) {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.read<uq, [0, 1, 0]>, #xe.imm<uq, 4>]} -> !xe.grf<8, 8>
  %c = xe.add(%b : !xe.grf<8, 8>) {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.read<uq, [0, 1, 0]>, #xe.imm<uq, 5>]} -> !xe.grf<64, 64>
  %d = xe.add(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 4294967295>]} -> !xe.grf<4, 4>
  %e = xe.add(%d : !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 3>]} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %c : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %e : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}
// CHECK-LABEL: xe.kernel @constants
// CHECK-NEXT: ^bb0
// CHECK-NEXT: xe.mov {{.*}}#xe.imm<uq, 262145>]
// CHECK-NEXT: xe.add(%0 : {{.*}}#xe.imm<ud, 2>]
// CHECK-NEXT: xe.store

// -----

// Powers of two divide by shifts and masks, constants by constants; numbers with a sign, other divisors and zero do not.
xe.kernel @quotients attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %s = xe.mov {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.imm<ud, 75>]} -> !xe.grf<64, 64>
  %a = xe.div(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.read<uq, [0, 1, 0]>, #xe.imm<uq, 16>]} -> !xe.grf<64, 64>
  %b = xe.mod(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 8>]} -> !xe.grf<64, 64>
  %c = xe.div(%s : !xe.grf<64, 64>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 10>]} -> !xe.grf<64, 64>
  %d = xe.div(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<d>, reads = [#xe.read<d, [0, 1, 0]>, #xe.imm<d, 16>]} -> !xe.grf<64, 64>
  %e = xe.mod(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 12>]} -> !xe.grf<64, 64>
  %f = xe.div(%s : !xe.grf<64, 64>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 0>]} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %a : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %b : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %c : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %d : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %e : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %f : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}
// CHECK-LABEL: xe.kernel @quotients
// CHECK: xe.shr(%0 {{.*}}#xe.imm<uq, 4>]
// CHECK-NEXT: xe.and(%0 {{.*}}#xe.imm<ud, 7>]
// CHECK-NEXT: xe.mov {{.*}}#xe.imm<ud, 7>]
// CHECK-NEXT: xe.div(%0 {{.*}}#xe.imm<d, 16>]
// CHECK-NEXT: xe.mod(%0 {{.*}}#xe.imm<ud, 12>]
// CHECK-NEXT: xe.div(%{{.*}}#xe.imm<ud, 0>]

// -----

// Other types, source modifiers, saturation and predicates keep instructions as they are.
xe.kernel @kept attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %a = xe.add(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<f>, reads = [#xe.read<f, [0, 1, 0]>, #xe.imm<f, 0>]} -> !xe.grf<64, 64>
  %b = xe.add(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<d>, reads = [#xe.read<d, [0, 1, 0], neg>, #xe.imm<d, 0>]} -> !xe.grf<64, 64>
  %c = xe.add(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, saturate, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 0>]} -> !xe.grf<64, 64>
  %d = xe.add(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 0>]} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %a : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %b : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %c : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %d : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}
// CHECK-LABEL: xe.kernel @kept
// CHECK-COUNT-4: xe.add(
// CHECK: xe.store

// -----

// What moves a whole block is a copy, also after arithmetic that changes nothing. Only messages see its alignment.
xe.kernel @copies attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %a = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.read<uq, [0, 1, 0]>]} -> !xe.grf<8, 8>
  %b = xe.add(%a : !xe.grf<8, 8>) {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.read<uq, [0, 1, 0]>, #xe.imm<uq, 0>]} -> !xe.grf<8, 64>
  %c = xe.mov(%b : !xe.grf<8, 64>) {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.read<uq, [0, 1, 0]>]} -> !xe.grf<8, 64>
  %d = xe.add(%c : !xe.grf<8, 64>) {exec_size = 1 : i32, no_mask, write = #xe.write<uq>, reads = [#xe.read<uq, [0, 1, 0]>, #xe.imm<uq, 1>]} -> !xe.grf<64, 64>
  xe.store[%c : !xe.grf<8, 64>] data %d : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}
// CHECK-LABEL: xe.kernel @copies
// CHECK: %[[A:.*]] = xe.mov(%0
// CHECK-NEXT: %[[C:.*]] = xe.copy %[[A]] : !xe.grf<8, 8> -> !xe.grf<8, 64>
// CHECK-NEXT: xe.add(%[[A]] :
// CHECK-NEXT: xe.store[%[[C]]

// -----

// Nothing is left of a block that is overwritten; a part of it is not the whole.
xe.kernel @overwritten attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %u = xe.undef : !xe.grf<64, 64>
  %a = xe.mov into %u : !xe.grf<64, 64> {exec_size = 16 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.imm<ud, 1>]} -> !xe.grf<64, 64>
  %b = xe.mov into %a : !xe.grf<64, 64>(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud>]} -> !xe.grf<64, 64>
  %c = xe.mov into %a : !xe.grf<64, 64>(%0 : !xe.grf<64, 64 at 0>) {exec_size = 8 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud>]} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %b : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %c : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}
// CHECK-LABEL: xe.kernel @overwritten
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[A:.*]] = xe.mov {
// CHECK-NEXT: %[[B:.*]] = xe.copy %0
// CHECK-NEXT: %[[C:.*]] = xe.mov into %[[A]]
// CHECK-NEXT: xe.store{{.*}} data %[[B]]
// CHECK-NEXT: xe.store{{.*}} data %[[C]]

// -----

// Instructions with three sources have room for 16 bits.
xe.kernel @ternary attributes {target = "pvc", simd_size = 1 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %small = xe.mov {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.imm<ud, 65535>]} -> !xe.grf<4, 4>
  %large = xe.mov {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.imm<ud, 65536>]} -> !xe.grf<4, 4>
  %a = xe.mad(%0, %0, %small : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>, !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.read<ud, [0, 1, 0]>, #xe.read<ud, [0, 1, 0]>]} -> !xe.grf<64, 64>
  %b = xe.mad(%0, %0, %large : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>, !xe.grf<4, 4>) {exec_size = 1 : i32, no_mask, write = #xe.write<ud>, reads = [#xe.read<ud, [0, 1, 0]>, #xe.read<ud, [0, 1, 0]>, #xe.read<ud, [0, 1, 0]>]} -> !xe.grf<64, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %a : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %b : !xe.grf<64, 64> {message = #xe.message<unit = ugm, size = d64, vector = 8, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}
// CHECK-LABEL: xe.kernel @ternary
// CHECK: %[[LARGE:.*]] = xe.mov {{.*}}#xe.imm<ud, 65536>]
// CHECK-NEXT: xe.mad(%0, %0 : {{.*}}#xe.imm<ud, 65535>]
// CHECK-NEXT: xe.mad(%0, %0, %[[LARGE]] :
