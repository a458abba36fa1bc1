// RUN: xegpu-opt %s --split-input-file --verify-diagnostics
// RUN: not xegpu-opt %S/Inputs/wrong-expectations.mlir --split-input-file --verify-diagnostics 2>&1 | filecheck %s

// All ways to say where a message is expected.

func.func @f(%x: f32) {
  %0 = arith.addf %x, %1 : f32  // expected-error {{operand #1 does not dominate this use}}
  // expected-note@+1 {{operand defined here}}
  %1 = arith.mulf %x, %x : f32
  return
}

// -----

// expected-error@below {{unknown operation 'foo.bar'}}
foo.bar

// -----

foo.bar
// expected-error@above {{unknown operation 'foo.bar'}}

// -----

foo.bar

// expected-error@-2 {{unknown operation 'foo.bar'}}

// -----

// Several comments in a row mean the same line.
func.func @f(%x: !xegpu.tensor_desc<32xf16>) {
  // expected-warning@below {{Invalid Packed Attr.}}
  // expected-error-re@below {{Result shape [{{[0-9]+}}] is not a valid distribution}}
  %0 = xegpu.load_nd %x <{packed}> : !xegpu.tensor_desc<32xf16> -> vector<15xf16>
  return
}

// -----

// Nothing is expected of a good piece, nor of one without operations.

// -----

func.func private @good()

// CHECK-DAG: wrong-expectations.mlir:1:4: error: expected error "something else" was not produced
// CHECK-DAG: wrong-expectations.mlir:2:1: error: unexpected error: unknown operation 'foo.bar'
// CHECK-DAG: wrong-expectations.mlir:6:4: error: expected warning "unknown operation" was not produced
// CHECK-DAG: wrong-expectations.mlir:7:1: error: unexpected error: unknown operation 'foo.bar'
// CHECK-DAG: wrong-expectations.mlir:11:4: error: illegal regular expression 'a{{.*}}
