// RUN: XEGPU_INVALID

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.fence' op unknown scope 'device', expected one of group, local, tile, gpu, gpus, system_rel, system_acq}}
  xe.fence {unit = "ugm", flush = "none", scope = "device"}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.barrier' op barrier takes no `read`}}
  xe.barrier {read = #xe.imm<ud, 1>}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.nbarrier.wait' op nbarrier.wait needs `read`}}
  xe.nbarrier.wait
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.nbarrier.wait' op a register and its `read` go together}}
  xe.nbarrier.wait[%0 : !xe.grf<64, 64 at 0>] {read = #xe.imm<ud, 1>}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.nbarrier.signal' op the source covers bytes 64 to 68 of a register block of 64 bytes}}
  xe.nbarrier.signal[%0 : !xe.grf<64, 64 at 0>] {read = #xe.read<ud, 64, [0, 1, 0]>}
  xe.eot
}
