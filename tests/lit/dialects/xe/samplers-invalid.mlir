// RUN: XEGPU_INVALID

// expected-error@+1 {{'xe.kernel' op arguments 'a' and sampler 0 share bytes 4 to 7 of the payload}}
xe.kernel @k attributes {arguments = [#xe.argument<"a" : "image1d_t", at 0, 8 bytes, pointer image readonly>], implicit_arguments = [], local_id_dimensions = 0 : i32, samplers = [#xe.sampler<none, nearest, at 4>], simd_size = 16 : i32, target = "arc"} {
^bb0(%0: !xe.grf<32, 32 at 0>):
  xe.eot
}

// -----

// expected-error@+1 {{Expected one of 'clamp_border', 'clamp_edge', 'mirror', 'none', 'repeat'}}
"test.op"() {sampler = #xe.sampler<wrap, nearest, at 4>} : () -> ()

// -----

// expected-error@+1 {{Expected one of 'linear', 'nearest'}}
"test.op"() {sampler = #xe.sampler<none, cubic, at 4>} : () -> ()
