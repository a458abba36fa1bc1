// RUN: XEGPU_INVALID

xe.kernel @k attributes {target = "arc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<256, 32 at 0>):
  // expected-error@+1 {{'xe.ld' op ld: takes no sampler}}
  %1 = xe.ld[%0 : !xe.grf<256, 32 at 0>] surface %0 : !xe.grf<256, 32 at 0> sampler %0 : !xe.grf<256, 32 at 0> {exec_size = 16 : i32, image = #xe.image<smpl, x, u>} -> !xe.grf<64, 32>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "arc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<256, 32 at 0>):
  // expected-error@+1 {{'xe.sample_lz' op sample_lz: needs a sampler}}
  %1 = xe.sample_lz[%0 : !xe.grf<256, 32 at 0>] surface %0 : !xe.grf<256, 32 at 0> {exec_size = 16 : i32, image = #xe.image<smpl, x, u>} -> !xe.grf<64, 32>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "arc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<256, 32 at 0>):
  // expected-error@+1 {{'xe.store_quad' op store_quad: needs a data}}
  xe.store_quad[%0 : !xe.grf<256, 32 at 0>] surface %0 : !xe.grf<256, 32 at 0> {exec_size = 16 : i32, image = #xe.image<tgm, x, u>}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "arc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<256, 32 at 0>):
  // expected-error@+1 {{'xe.load_quad' op load_quad: needs a register to return to}}
  xe.load_quad[%0 : !xe.grf<256, 32 at 0>] surface %0 : !xe.grf<256, 32 at 0> {exec_size = 16 : i32, image = #xe.image<tgm, x, u>}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "arc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<256, 32 at 0>):
  // expected-error@+1 {{'xe.load_quad' op load_quad: is a message to tgm, not smpl}}
  %1 = xe.load_quad[%0 : !xe.grf<256, 32 at 0>] surface %0 : !xe.grf<256, 32 at 0> {exec_size = 16 : i32, image = #xe.image<smpl, x, u>} -> !xe.grf<64, 32>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "arc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<256, 32 at 0>):
  // expected-error@+1 {{'xe.sample_l' op sample_l: 2 coordinates, expected uvrl}}
  %1 = xe.sample_l[%0 : !xe.grf<256, 32 at 0>] surface %0 : !xe.grf<256, 32 at 0> sampler %0 : !xe.grf<256, 32 at 0> {exec_size = 16 : i32, image = #xe.image<smpl, x, uv>} -> !xe.grf<64, 32>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "arc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<256, 32 at 0>):
  // expected-error@+1 {{'xe.ld' op the result covers bytes 0 to 256 of a register block of 128 bytes}}
  %1 = xe.ld[%0 : !xe.grf<256, 32 at 0>] surface %0 : !xe.grf<256, 32 at 0> {exec_size = 16 : i32, image = #xe.image<smpl, xyzw, u>} -> !xe.grf<128, 32>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "arc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 32 at 0>):
  // expected-error@+1 {{'xe.ld' op the coordinates covers bytes 0 to 128 of a register block of 64 bytes}}
  %1 = xe.ld[%0 : !xe.grf<64, 32 at 0>] surface %0 : !xe.grf<64, 32 at 0> {exec_size = 16 : i32, image = #xe.image<smpl, x, uv>} -> !xe.grf<64, 32>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "arc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 32 at 0>):
  // expected-error@+1 {{'xe.ld' op the surface covers bytes 60 to 68 of a register block of 64 bytes}}
  %1 = xe.ld[%0 : !xe.grf<64, 32 at 0>] surface %0 : !xe.grf<64, 32 at 0> {exec_size = 16 : i32, image = #xe.image<smpl, x, u>, surface_offset = 60 : i32} -> !xe.grf<64, 32>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<256, 64 at 0>):
  // expected-error@+1 {{'xe.ld' op ld: pvc has no images}}
  %1 = xe.ld[%0 : !xe.grf<256, 64 at 0>] surface %0 : !xe.grf<256, 64 at 0> {exec_size = 16 : i32, image = #xe.image<smpl, x, u>} -> !xe.grf<64, 64>
  xe.eot
}

// -----

// expected-error@+1 {{unknown components 'zx', expected one of x, y, xy, z}}
"test.op"() {image = #xe.image<tgm, zx, u>} : () -> ()

// -----

// expected-error@+1 {{unknown unit 'ugm', expected one of tgm, smpl}}
"test.op"() {image = #xe.image<ugm, x, u>} : () -> ()

// -----

// expected-error@+1 {{unknown coordinates 'ur', expected one of u, uv, uvr, uvrl}}
"test.op"() {image = #xe.image<tgm, x, ur>} : () -> ()

// -----

// expected-error@+1 {{unknown cache 'hot', expected one of default}}
"test.op"() {image = #xe.image<tgm, x, u, hot>} : () -> ()
