// RUN: not xegpu-opt %s --split-input-file 2>&1 | filecheck %s

// CHECK: semi-affine-invalid.mlir:4:{{[0-9]+}}: error: non-affine expression: at least one of the multiply operands has to be either a constant or symbolic
#m = affine_map<(d0, d1) -> (d0 * d1)>

// -----

// CHECK: error: non-affine expression: right operand of mod has to be either a constant or symbolic
#m = affine_map<(d0, d1) -> (d0 mod d1)>
