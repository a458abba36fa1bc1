// RUN: XEGPU_CANONICAL
module {
  func.func @fence() {
    xegpu.fence memory_kind = global, fence_scope = gpu
    xegpu.fence memory_kind = slm, fence_scope = workgroup {note}
    xegpu.compile_hint
    xegpu.compile_hint {note}
    return
  }
}

