// RUN: xegpu-opt %s -p xegpu-blocking --split-input-file --verify-diagnostics

// expected-error@+1 {{names no GPU to compile for: expected the option target=pvc of the pass or pipeline, or gpu.module @m [#xevm.target<chip = "pvc">]}}
gpu.module @m {
}

// -----

// expected-error@+1 {{is for chip 'cri', which is not simulated: expected one of pvc, bmg, dg2}}
gpu.module @m [#xevm.target<chip = "cri">] {
}

// -----

// expected-error@+1 {{is for several GPUs: pvc, arc; expected one, by the option target}}
gpu.module @m [#xevm.target<chip = "pvc">, #xevm.target<chip = "dg2">] {
}

// -----

// A module without device code needs no GPU.
func.func @f() {
  return
}
