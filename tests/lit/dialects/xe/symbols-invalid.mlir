// RUN: XEGPU_INVALID

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%header: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.symbol_address' op an address in 4 bytes, expected 8}}
  %0 = xe.symbol_address @table : !xe.grf<4, 4>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%header: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.symbol_address' op @m::@table is nested, expected a variable of the module}}
  %0 = xe.symbol_address @m::@table : !xe.grf<8, 8>
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op required_subgroup_size 7, expected one of 1, 8, 16, 32}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, required_subgroup_size = 7 : i32} {
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op indirect_accesses -1, expected at least 0}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, indirect_accesses = -1 : i32} {
  xe.eot
}
