// RUN: xegpu-opt %s | filecheck %s

// CHECK: func.func private @named(i32 {test.a})
func.func private @named(%a: i32 {test.a})

// Attributes of arguments are sorted by name, as in all of MLIR.
// CHECK: func.func private @sorted(i32 {test.a, test.b = 1 : i32}) -> (i32 {test.c, test.d})
func.func private @sorted(i32 {test.b = 1 : i32, test.a}) -> (i32 {test.d, test.c})

// CHECK: func.func private @none()
func.func private @none() -> ()

// CHECK: func.func @one(%a: i32) -> i32 {
func.func @one(%a: i32) -> (i32) {
  // CHECK-NEXT: call @none() : () -> ()
  func.call @none() : () -> ()
  // CHECK-NEXT: return %a : i32
  func.return %a : i32
}
