// RUN: XEGPU_INVALID

func.func @kind() {
  // expected-error@+1 {{global}}
  xegpu.fence memory_kind = shared, fence_scope = gpu
  return
}

// -----

func.func @scope() {
  // expected-error@+1 {{workgroup}}
  xegpu.fence memory_kind = slm, fence_scope = device
  return
}

// -----

func.func @missing_scope() {
  // expected-error@+1 {{Expected ','}}
  xegpu.fence memory_kind = slm {note}
  return
}

// -----

func.func @order() {
  // expected-error@+1 {{memory_kind}}
  xegpu.fence fence_scope = gpu, memory_kind = slm
  return
}

// -----

func.func @generic() {
  // expected-error@+1 {{'xegpu.fence' op property 'fence_scope' expected}}
  "xegpu.fence"() <{memory_kind = #xegpu<memory_space slm>}> : () -> ()
  return
}

// -----

func.func @operand(%a: index) {
  // expected-error@+1 {{'xegpu.compile_hint' op}}
  "xegpu.compile_hint"(%a) : (index) -> ()
  return
}
