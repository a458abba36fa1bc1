// RUN: XEGPU_INVALID

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.load' op load takes no data}}
  %1 = xe.load[%0 : !xe.grf<64, 64 at 0>] data %0 : !xe.grf<64, 64 at 0> {message = #xe.message<unit = ugm, size = d32>, exec_size = 1 : i32} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.store' op store has no result}}
  %1 = xe.store[%0 : !xe.grf<64, 64 at 0>] data %0 : !xe.grf<64, 64 at 0> {message = #xe.message<unit = ugm, size = d32>, exec_size = 1 : i32} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.prefetch' op prefetch takes no data}}
  xe.prefetch[%0 : !xe.grf<64, 64 at 0>] data %0 : !xe.grf<64, 64 at 0> {message = #xe.message<unit = ugm, size = d32>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.prefetch' op prefetch has no result}}
  %1 = xe.prefetch[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32>, exec_size = 1 : i32} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.load_block2d' op load_block2d needs a result}}
  xe.load_block2d[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d16, block = [16, 8, 1]>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.store_block2d' op store_block2d needs data}}
  xe.store_block2d[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d16, block = [16, 8, 1]>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.prefetch_block2d' op prefetch_block2d has no result}}
  %1 = xe.prefetch_block2d[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d16, block = [16, 8, 1]>, exec_size = 1 : i32} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.load' op execution size 5, expected one of 1, 2, 4, 8, 16, 32}}
  %1 = xe.load[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32>, exec_size = 5 : i32} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %u = xe.undef : !xe.grf<128, 64>
  // expected-error@+1 {{'xe.load' op the result of an instruction with `into` has the type of that operand}}
  %1 = xe.load into %u : !xe.grf<128, 64>[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32>, exec_size = 1 : i32} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %u = xe.undef : !xe.grf<64, 64>
  // expected-error@+1 {{'xe.store' op the result of an instruction with `into` has the type of that operand}}
  xe.store into %u : !xe.grf<64, 64>[%0 : !xe.grf<64, 64 at 0>] data %0 : !xe.grf<64, 64 at 0> {message = #xe.message<unit = ugm, size = d32>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{unknown size 'd128', expected one of d8, d16, d32, d64, d8u32, d16u32}}
  xe.prefetch[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d128>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{a message names its unit and its data size}}
  xe.prefetch[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<size = d32>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{unknown cache 'wb_wb', expected one of default, uc_uc, uc_ca, ca_uc, ca_ca, st_uc, st_ca, ri_ca}}
  xe.prefetch[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, cache = wb_wb>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{unknown address 'a16', expected one of a32, a64}}
  xe.prefetch[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, address = a16>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{unknown model 'bti', expected one of flat, ss}}
  xe.prefetch[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, model = bti>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{block has three numbers: width, height, count}}
  xe.prefetch[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, block = [16, 8]>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{block has three numbers: width, height, count}}
  xe.prefetch[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, block = [16, 8, 1, 1]>, exec_size = 1 : i32}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.atomic_iadd' op atomic_iadd needs data}}
  %1 = xe.atomic_iadd[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32>, exec_size = 8 : i32} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.atomic_iinc' op atomic_iinc takes no data}}
  xe.atomic_iinc[%0 : !xe.grf<64, 64 at 0>] data %0 : !xe.grf<64, 64 at 0> {message = #xe.message<unit = ugm, size = d32>, exec_size = 8 : i32}
  xe.eot
}
