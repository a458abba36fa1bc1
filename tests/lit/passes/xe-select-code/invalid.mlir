// RUN: xegpu-opt %s -p 'xe-select-code{code=native}' --split-input-file --verify-diagnostics

// RUN: not xegpu-opt %s -p 'xe-select-code{code=magic}' --split-input-file 2>&1 | filecheck %s
// CHECK: error: pass 'xe-select-code' failed: expected code=virtual|native, got code=magic

// Only allocated kernels have code.
// expected-error@+1 {{'k' has no registers yet: run xe-allocate-registers}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  xe.eot
}

// -----

// On ARC no macro makes quotients of floats.
xe.kernel @k attributes {target = "arc", grf_count = 128 : i32, simd_size = 8 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<32, 32 at 0>):
  // expected-error@+1 {{: a correctly rounded 'div' needs macros, which Xe-HPG lacks}}
  %1 = xe.div(%0, %0 : !xe.grf<32, 32 at 0>, !xe.grf<32, 32 at 0>) {exec_size = 8 : i32, no_mask, reads = [#xe.read<f>, #xe.read<f>], write = #xe.write<f>} -> !xe.grf<32, 32 at 32>
  xe.eot
}

// -----

// No instruction raises numbers to powers.
xe.kernel @k attributes {target = "pvc", grf_count = 128 : i32, simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{: 'pow' has no native instruction}}
  %1 = xe.pow(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, no_mask, reads = [#xe.read<f>, #xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
  xe.eot
}

// -----

// Emission needs registers of its own.
xe.kernel @k attributes {target = "pvc", grf_count = 128 : i32, simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{there is no native code for '(W) mov (16|M0) r127.0<1>:ud r0.0<1;1,0>:ud': r127 is reserved}}
  %1 = xe.copy %0 : !xe.grf<64, 64 at 0> -> !xe.grf<64, 64 at 8128>
  xe.eot
}

// -----

// Products in the accumulator do not saturate.
xe.kernel @k attributes {target = "pvc", grf_count = 128 : i32, simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{: a product of integers that saturates or sets a flag}}
  %1 = xe.mul(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, no_mask, saturate, reads = [#xe.read<d>, #xe.read<d>], write = #xe.write<d>} -> !xe.grf<64, 64 at 64>
  xe.eot
}

// -----

// No stride is that of 64 bits in bytes.
xe.kernel @k attributes {target = "pvc", grf_count = 128 : i32, simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{: ub from numbers of 64 bits}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 8 : i32, no_mask, reads = [#xe.read<df>], write = #xe.write<ub>} -> !xe.grf<8, 8 at 64>
  xe.eot
}

// -----

// Nothing on Xe-HPG makes floats of integers of 64 bits.
xe.kernel @k attributes {target = "arc", grf_count = 128 : i32, simd_size = 8 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<32, 32 at 0>):
  // expected-error@+1 {{: conversions between floats and integers of 64 bits}}
  %1 = xe.mov(%0 : !xe.grf<32, 32 at 0>) {exec_size = 4 : i32, no_mask, reads = [#xe.read<q>], write = #xe.write<f>} -> !xe.grf<16, 4 at 32>
  xe.eot
}
