// RUN: XEGPU_CANONICAL
module {
  func.func @f() {
    %r0 = arith.constant 1 : i32
    %r1 = arith.constant true
    %r2 = arith.constant -1 : index
    %r3 = arith.constant 0x7f800000 : f32
    %r4 = arith.constant dense<1.000000e+00> : vector<16xf32>
    %r5 = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi8>
    %r6 = arith.constant dense<[1, 2, 3, 4]> : vector<4xi8>
    %r7 = arith.constant dense<0> : vector<[4]xi32>
    %r8 = arith.constant dense<true> : vector<16xi1>
    %r9 = arith.constant dense<> : tensor<0xf32>
    %r10 = arith.constant dense<1> : tensor<4xindex>
    %r11 = arith.constant 1.000000e+00 : bf16
    %r12 = arith.constant 1.000000e+00 : f8E4M3FN
    %r13 = arith.constant dense<1.000000e+00> : vector<4xf8E5M2>
    %r14 = arith.constant dense<0xff800000> : vector<4xf32>
    %r15 = arith.constant dense<[1.000000e+00, 0x7fc00000]> : vector<2xf32>
    %r16 = arith.constant dense<0x7f80> : vector<4xbf16>
    %r17 = arith.constant {foo} 1 : i32
    %r18 = arith.constant dense<1.000000e+00> : vector<f32>
    %r19 = arith.constant 1.401300e-45 : f32
    %r20 = arith.constant 3.40282347e+38 : f32
    %r21 = arith.constant -1 : i64
    %r22 = arith.constant -128 : i8
    %r23 = arith.constant -1 : i8
    %r24 = arith.constant dense<-1> : vector<4xi8>
    %r25 = arith.constant -128 : i8
    return
  }
}

