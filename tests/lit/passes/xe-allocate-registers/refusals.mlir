// RUN: xegpu-opt %s -p xe-allocate-registers --split-input-file --verify-diagnostics

// Only what the thread starts with has a place before allocation.
// expected-error@+1 {{'xe.kernel' op has a value of type !xe.grf<64, 64 at 128>, which has a fixed register already}}
xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %1 = xe.load[%0 : !xe.grf<64, 64 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 16, transposed>, no_mask} -> !xe.grf<64, 64 at 128>
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op has a value of type !xe.flag<1>, which has a fixed register already}}
xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %1 = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {condition = "eq", exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag<1>
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op has a value of type !xe.grf<64, 64 at 64>, which has a fixed register already}}
xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  xe.br ^bb1(%0 : !xe.grf<64, 64 at 0>)
^bb1(%1: !xe.grf<64, 64 at 64>):
  xe.eot
}

// -----

// A value larger than the file cannot be brought back: it is spilled whole unless it was split before.
xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.load' op needs 512 registers in one block for a value, and pvc has 256 for all that is in use there}}
  %1 = xe.load[%0 : !xe.grf<64, 64 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask} -> !xe.grf<32768, 64>
  xe.store[%0 : !xe.grf<64, 64 at 0>] data %1 : !xe.grf<32768, 64> {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask}
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op unknown target 'moon', expected one of: pvc, arc}}
xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "moon"} {
  xe.eot
}

// -----

// What has its registers keeps them.
xe.kernel @k attributes {arguments = [], grf_count = 256 : i32, implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %1 = xe.load[%0 : !xe.grf<64, 64 at 0>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 64, transposed>, no_mask} -> !xe.grf<256, 64 at 8192>
  xe.eot
}
