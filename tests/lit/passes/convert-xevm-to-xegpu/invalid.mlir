// RUN: xegpu-opt %s -p convert-xevm-to-xegpu --split-input-file --verify-diagnostics

gpu.module @m {
  gpu.func @types(%a: vector<8xi16>, %b: vector<8xi32>) kernel {
    // expected-error @below {{multiplies u8 by s8, expected two operands of one of f16, bf16, tf32, s8, u8}}
    %0 = xevm.mma %a, %b {shape = <m = 8, n = 16, k = 32>, types = <d = s32, a = u8, b = s8>} : (vector<8xi16>, vector<8xi32>) -> vector<8xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @shapes(%a: vector<4xi16>, %b: vector<8xi32>) kernel {
    // expected-error @below {{expects 8 elements of 8x16x16 per lane, got vector<4xf16>}}
    %0 = xevm.mma %a, %b {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16>} : (vector<4xi16>, vector<8xi32>) -> vector<8xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @nibbles(%a: vector<8xi16>, %b: vector<8xi32>) kernel {
    // expected-error @below {{multiplies s4 by s4, expected two operands of one of f16, bf16, tf32, s8, u8}}
    %0 = xevm.mma %a, %b {shape = <m = 8, n = 16, k = 64>, types = <d = s32, a = s4, b = s4>} : (vector<8xi16>, vector<8xi32>) -> vector<8xi32>
    gpu.return
  }
}
