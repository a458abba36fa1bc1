// RUN: XEGPU_CANONICAL
module {
  func.func private @declared(memref<4xf32> {llvm.noalias}, i32) -> (memref<4xf32> {llvm.noalias}) attributes {llvm.emit_c_interface}
  func.func private @two() -> (memref<4xf32>, i1)
  func.func private @nothing()
  func.func private @kept(i32) attributes {no_inline, test.note}
  func.func nested @pair(%a: i32 {llvm.noundef}, %b: f32) -> (i32 {test.x}, f32) attributes {test.y = "y"} {
    return %a, %b : i32, f32
  }
  func.func public @same(%a: i32) -> i32 {
    return %a : i32
  }
  func.func @function(%a: i32) -> ((i32) -> i32) {
    %f = constant @same : (i32) -> i32
    %g = constant {test.note} @same : (i32) -> i32
    %x = call_indirect %f(%a) : (i32) -> i32
    %y = call_indirect %g(%x) {test.note} : (i32) -> i32
    %z = call @same(%y) : (i32) -> i32
    %u = call @same(%z) {no_inline, test.note} : (i32) -> i32
    call @nothing() : () -> ()
    return %f : (i32) -> i32
  }
}

