// RUN: xegpu-opt %s -p xe-hoist-loads --verify-diagnostics

// Room in registers is a matter of the target.
// expected-error@+1 {{unknown target 'gen9', expected one of: pvc, arc}}
xe.kernel @k attributes {target = "gen9", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  xe.eot
}
