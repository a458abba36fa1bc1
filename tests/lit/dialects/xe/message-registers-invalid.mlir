// Registers of messages hold what the message reads and writes; its numbers are those of an instruction.

// RUN: XEGPU_INVALID

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.load' op the address covers bytes 0 to 128 of a register block of 64 bytes}}
  %1 = xe.load[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32>, exec_size = 16 : i32} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.load' op the address covers bytes 60 to 68 of a register block of 64 bytes}}
  %1 = xe.load[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, vector = 8, transposed>, exec_size = 1 : i32, address_offset = 60 : i32} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.load' op the result covers bytes 0 to 128 of a register block of 64 bytes}}
  %1 = xe.load[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, vector = 32, transposed>, exec_size = 1 : i32} -> !xe.grf<64, 64>
  xe.eot
}

// -----

// Elements of a vector are a register apart, however few lanes there are.
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.store' op the data covers bytes 0 to 80 of a register block of 64 bytes}}
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %0 : !xe.grf<64, 64 at 0> {message = #xe.message<unit = ugm, size = d32, vector = 2>, exec_size = 4 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.load_block2d' op the result covers bytes 0 to 512 of a register block of 64 bytes}}
  %1 = xe.load_block2d[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, block = [16, 8, 1]>, exec_size = 1 : i32} -> !xe.grf<64, 64>
  xe.eot
}

// -----

// Both operands of a compare-and-exchange.
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<128, 64 at 0>):
  // expected-error@+1 {{'xe.atomic_icas' op the data covers bytes 64 to 192 of a register block of 128 bytes}}
  xe.atomic_icas[%0 : !xe.grf<128, 64 at 0>] data %0 : !xe.grf<128, 64 at 0> {message = #xe.message<unit = ugm, size = d32>, exec_size = 16 : i32, data_offset = 64 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<128, 64 at 0>):
  // expected-error@+1 {{'xe.load' op load: no gather of d32x16}}
  %1 = xe.load[%0 : !xe.grf<128, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, vector = 16>, exec_size = 4 : i32} -> !xe.grf<1024, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "arc", simd_size = 8 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 32 at 0>):
  // expected-error@+1 {{'xe.prefetch_block2d' op prefetch_block2d: arc has no block-2D messages}}
  xe.prefetch_block2d[%0 : !xe.grf<64, 32 at 0>] {message = #xe.message<unit = ugm, size = d32, block = [16, 8, 1]>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<128, 64 at 0>):
  // expected-error@+1 {{'xe.load' op channel offset 8 does not go with execution size 16}}
  %1 = xe.load[%0 : !xe.grf<128, 64 at 0>] {message = #xe.message<unit = ugm, size = d32>, exec_size = 16 : i32, channel_offset = 8 : i32} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<128, 64 at 0>):
  // expected-error@+1 {{'xe.load' op inverted without a predicate}}
  %1 = xe.load[%0 : !xe.grf<128, 64 at 0>] {message = #xe.message<unit = ugm, size = d32>, exec_size = 16 : i32, inverted} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{vector 5, expected one of 1, 2, 3, 4, 8, 16, 32, 64}}
  xe.prefetch[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, vector = 5>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{offset 524288, expected -524288 to 524287}}
  xe.prefetch[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, offset = 524288>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{block height 33, expected 1 to 32}}
  xe.prefetch_block2d[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, block = [16, 33, 1]>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{block count 3, expected one of 1, 2, 4}}
  xe.prefetch_block2d[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, block = [16, 8, 3]>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{block has three numbers: width, height, count}}
  xe.prefetch_block2d[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, block = [16, 8, 1, 1]>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{vector is given twice}}
  xe.prefetch[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, vector = 2, vector = 3>, exec_size = 1 : i32}
  xe.eot
}
