// RUN: XEGPU_INVALID

// expected-error @+1 {{symbol declaration cannot have public visibility}}
func.func @f()

// -----

// expected-error @+1 {{symbol declaration cannot have public visibility}}
func.func public @f()

// -----

// expected-error @+1 {{visibility expected to be one of public, private, nested, but got 'hidden'}}
"func.func"() <{sym_name = "f", function_type = () -> (), sym_visibility = "hidden"}> ({}) : () -> ()

// -----

// expected-error @+1 {{expects argument attribute array to have the same number of elements as the number of function arguments, got 0, but expected 1}}
"func.func"() <{sym_name = "f", function_type = (i32) -> (), sym_visibility = "private", arg_attrs = []}> ({}) : () -> ()

// -----

// expected-error @+1 {{expects result attribute array to have the same number of elements as the number of function results, got 1, but expected 0}}
"func.func"() <{sym_name = "f", function_type = (i32) -> (), sym_visibility = "private", res_attrs = [{}]}> ({}) : () -> ()

// -----

// expected-error @+1 {{arguments may only have dialect attributes, found: 'noalias'}}
func.func private @f(memref<4xf32> {noalias})

// -----

// expected-error @+1 {{results may only have dialect attributes, found: 'noalias'}}
func.func private @f() -> (i32, memref<4xf32> {noalias})

// -----

// expected-error @+1 {{expected all arguments to be named, or none}}
func.func @f(%a: i32, i32) {
  return
}

// -----

// expected-error @+1 {{expected all arguments to be named, or none}}
func.func @f(i32, %a: i32) {
  return
}

// -----

// expected-error @+1 {{expected non-empty function body}}
func.func @f() {}

// -----

// expected-error @+1 {{entry block must have 1 arguments to match function signature, got 0}}
func.func @f(i32) {
  return
}

// -----

// expected-error @+1 {{type of entry block argument #0 (f32) must match the type of the corresponding argument in function signature (i32)}}
"func.func"() <{sym_name = "f", function_type = (i32) -> ()}> ({
^bb0(%a: f32):
  "func.return"() : () -> ()
}) : () -> ()

// -----

func.func @f() {
  // expected-error @+1 {{symbol's parent must have the SymbolTable trait, but is 'func.func'}}
  func.func @g() {
    return
  }
  return
}

// -----

func.func @f(%a: i32) -> i32 {
  // expected-error @+1 {{expected [i32], got []}}
  return
}

// -----

func.func @f(%a: f32) -> i32 {
  // expected-error @+1 {{expected [i32], got [f32]}}
  return %a : f32
}

// -----

func.func @f() {
  // expected-error @+1 {{'@g' could not be found in symbol table}}
  call @g() : () -> ()
  return
}

// -----

memref.global "private" @g : memref<4xf32>
func.func @f() {
  // expected-error @+1 {{'@g' does not reference a valid function}}
  call @g() : () -> ()
  return
}

// -----

func.func private @g(i32) -> i32
func.func @f() {
  // expected-error @+1 {{incorrect number of operands for callee}}
  call @g() : () -> ()
  return
}

// -----

func.func private @g(i32) -> i32
func.func @f(%a: i32) {
  // expected-error @+1 {{incorrect number of results for callee}}
  call @g(%a) : (i32) -> ()
  return
}

// -----

func.func private @g(i32) -> i32
func.func @f(%a: f32) {
  // expected-error @+1 {{operand type mismatch: expected operand type i32, but provided f32 for operand number 0}}
  %r = call @g(%a) : (f32) -> i32
  return
}

// -----

func.func private @g(i32) -> i32
func.func @f(%a: i32) {
  // expected-error @+1 {{result type mismatch: expected result type i32, but provided f32 for result number 0}}
  %r = call @g(%a) : (i32) -> f32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{expected the name of a function, got @m::@g}}
  call @m::@g(%a) : (i32) -> ()
  return
}

// -----

func.func private @g(i32)
func.func @f(%a: i32) {
  // expected-error @+1 {{expected as many arguments as types, got 2 and 1}}
  call @g(%a, %a) : (i32) -> ()
  return
}

// -----

func.func private @g(i32)
func.func @f(%a: i32) {
  // expected-error @+1 {{expected a function type, got i32}}
  call @g(%a) : i32
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{reference to undefined function '@g'}}
  %g = constant @g : () -> ()
  return
}

// -----

memref.global "private" @g : memref<4xf32>
func.func @f() {
  // expected-error @+1 {{reference to undefined function '@g'}}
  %g = constant @g : () -> ()
  return
}

// -----

func.func private @g(i32)
func.func @f() {
  // expected-error @+1 {{reference to function with mismatched type: '@g' is a (i32) -> (), expected () -> ()}}
  %g = constant @g : () -> ()
  return
}

// -----

func.func @f(%g: (i32) -> f32, %a: i32) {
  // expected-error @+1 {{expected operands and results as in (i32) -> f32, got (i32) -> i32}}
  %r = "func.call_indirect"(%g, %a) : ((i32) -> f32, i32) -> i32
  return
}
