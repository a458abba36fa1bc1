// RUN: XEGPU_INVALID

func.func @f(%n: index, %i: i32, %x: f32, %c: i1) {
  // expected-error@+1 {{mismatch in number of loop-carried values and defined values: 1 and 2}}
  %r:2 = scf.for %k = %n to %n step %n iter_args(%a = %x) -> (f32, f32) { scf.yield %a : f32 }
  return
}

// -----

func.func @f(%n: index, %i: i32, %x: f32, %c: i1) {
  // expected-error@+1 {{'scf.for' op }}
  "scf.for"(%n, %n, %n) <{unsignedCmp = 1 : i32}> ({
  ^bb0(%k: index):
    scf.yield
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%i: i32, %c: i1) {
  // expected-error@+1 {{'scf.while' op the condition passes i32, but the results are nothing}}
  scf.while (%a = %i) : (i32) -> () {
    scf.condition(%c) %a : i32
  } do {
  ^bb0(%b: i32):
    scf.yield %b : i32
  }
  return
}

// -----

func.func @f(%i: i32, %c: i1) {
  // expected-error@+1 {{'scf.while' op the second region yields nothing, but the operands are i32}}
  scf.while (%a = %i) : (i32) -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}

// -----

func.func @f(%i: i32, %c: i1) {
  // expected-error@+1 {{expected 1 operand types, got 0}}
  scf.while (%a = %i) : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}

// -----

func.func @f(%i: i32, %c: i1) {
  // expected-error@+1 {{'scf.while' op the second region takes nothing, but the results are i32}}
  %r = scf.while : () -> i32 {
    scf.condition(%c) %i : i32
  } do {
    scf.yield
  }
  return
}

// -----

func.func @f(%n: index, %i: i32, %x: f32, %c: i1) {
  // expected-error@+1 {{'scf.for' op }}
  %r = scf.for %k = %n to %n step %n iter_args(%a = %x) -> f32 { scf.yield %i : i32 }
  return
}

// -----

func.func @f(%n: index, %i: i32, %x: f32, %c: i1) {
  // expected-error@+1 {{operand is used with type i1, but has been previously used or defined with type i32}}
  scf.if %i { }
  return
}

// -----

func.func @f(%n: index, %i: i32, %x: f32, %c: i1) {
  // expected-error@+1 {{'scf.if' op must have an else block if defining values}}
  %r = scf.if %c -> f32 { scf.yield %x : f32 }
  return
}

// -----

func.func @f(%n: index, %i: i32, %x: f32, %c: i1) {
  // expected-error@+1 {{'scf.if' op else region yields i32, expected f32}}
  %r = scf.if %c -> f32 { scf.yield %x : f32 } else { scf.yield %i : i32 }
  return
}

// -----

func.func @f(%n: index, %i: i32, %x: f32, %c: i1) {
  // expected-error@+1 {{'scf.if' op then region yields f32, expected nothing}}
  scf.if %c { scf.yield %x : f32 }
  return
}

// -----

func.func @f(%n: index, %i: i32, %x: f32, %c: i1) {
  // expected-error@+1 {{expected 1 operands after 'to', got 2}}
  scf.parallel (%p) = (%n) to (%n, %n) step (%n) { }
  return
}

// -----

func.func @f(%n: index, %i: i32, %x: f32, %c: i1) {
  // expected-error@+1 {{expected 1 result types for 1 init values, got 0}}
  scf.parallel (%p) = (%n) to (%n) step (%n) init (%x) { }
  return
}

// -----

func.func @f(%n: index, %i: i32, %x: f32, %c: i1) {
  // expected-error@+1 {{'scf.parallel' op }}
  %r = scf.parallel (%p) = (%n) to (%n) step (%n) init (%x) -> f32 { }
  return
}

// -----

func.func @f(%n: index, %i: i32, %x: f32, %c: i1) {
  // expected-error@+1 {{'scf.reduce' op }}
  %r = scf.parallel (%p) = (%n) to (%n) step (%n) init (%x) -> f32 { scf.reduce(%x : f32) { ^bb0(%a: f32): scf.reduce.return %a : f32 } }
  return
}

// -----

func.func @f(%n: index, %i: i32, %x: f32, %c: i1) {
  // expected-error@+1 {{operand is used with type index, but has been previously used or defined with type i32}}
  scf.index_switch %i default { }
  return
}

// -----

func.func @f(%n: index, %i: i32, %x: f32, %c: i1) {
  // expected-error@+1 {{'scf.index_switch' op has duplicate case value}}
  scf.index_switch %n case 1 { } case 1 { } default { }
  return
}

// -----

func.func @f(%n: index, %i: i32, %x: f32, %c: i1) {
  // expected-error@+1 {{'scf.execute_region' op does not support no_inline}}
  scf.execute_region no_inline { scf.yield }
  return
}
