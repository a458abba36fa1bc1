// RUN: xegpu-opt %s -p convert-xevm-to-xegpu --split-input-file --verify-diagnostics

gpu.module @m {
  gpu.func @types(%a: vector<8xi16>, %b: vector<8xi32>) kernel {
    // expected-error @below {{multiplies u8 by u8, expected two operands of one of f16, bf16, s8}}
    %0 = xevm.mma %a, %b {shape = <m = 8, n = 16, k = 32>, types = <d = s32, a = u8, b = u8>} : (vector<8xi16>, vector<8xi32>) -> vector<8xi32>
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
  gpu.func @parts(%p: !llvm.ptr<1>, %i: i32) kernel {
    // expected-error @below {{expects a lane's part of 128 bits, got vector<4xi16>}}
    %0 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<4xi16>
    gpu.return
  }
}
