// RUN: XEGPU_INVALID

func.func @cast(%a: index) {
  // expected-error@+1 {{'index.casts' op operand type 'index' and result type 'index' are cast incompatible: expected index and an integer}}
  %0 = index.casts %a : index to index
  return
}

// -----

func.func @predicate(%a: index) {
  // expected-error@+1 {{Expected `eq`, `ne`, `slt`}}
  %0 = index.cmp lt(%a, %a)
  return
}

// -----

func.func @operand(%a: i32) {
  // expected-error@+1 {{operand is used with type index, but has been previously used or defined with type i32}}
  %0 = index.add %a, %a
  // expected-note@-3 {{prior use or definition}}
  return
}
