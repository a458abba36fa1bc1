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
