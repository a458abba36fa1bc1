// RUN: xegpu-opt %s | filecheck %s

// CHECK: func.func private @named(i32 {test.a})
func.func private @named(%a: i32 {test.a})

// CHECK: func.func private @none()
func.func private @none() -> ()

// CHECK: func.func @one(%a: i32) -> i32 {
func.func @one(%a: i32) -> (i32) {
  // CHECK-NEXT: call @none() : () -> ()
  func.call @none() : () -> ()
  // CHECK-NEXT: return %a : i32
  func.return %a : i32
}
