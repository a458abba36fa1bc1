// RUN: XEGPU_CANONICAL
module {
  func.func @f(%v: vector<16xf32>, %vi: vector<16xi32>, %s: f32, %w: i32, %sv: vector<[4]xf32>, %tf: tensor<?xf32>, %bf: bf16) {
    %r0 = math.absf %v : vector<16xf32>
    %r1 = math.absi %vi : vector<16xi32>
    %r2 = math.acos %s : f32
    %r3 = math.acosh %s : f32
    %r4 = math.asin %s : f32
    %r5 = math.asinh %s : f32
    %r6 = math.atan %s : f32
    %r7 = math.atanh %s : f32
    %r8 = math.atan2 %s, %s : f32
    %r9 = math.cbrt %s : f32
    %r10 = math.ceil %s : f32
    %r11 = math.copysign %s, %s : f32
    %r12 = math.cos %s : f32
    %r13 = math.cosh %s : f32
    %r14 = math.sin %s : f32
    %r15 = math.sinh %s : f32
    %r16, %r17 = math.sincos %s : f32
    %r18, %r19 = math.sincos %v fastmath<fast> : vector<16xf32>
    %r20 = math.ctlz %w : i32
    %r21 = math.cttz %vi : vector<16xi32>
    %r22 = math.ctpop %w : i32
    %r23 = math.erf %s : f32
    %r24 = math.erfc %s : f32
    %r25 = math.exp %sv fastmath<fast> : vector<[4]xf32>
    %r26 = math.exp2 %s : f32
    %r27 = math.expm1 %s : f32
    %r28 = math.floor %s : f32
    %r29 = math.fma %v, %v, %v : vector<16xf32>
    %r30 = math.fma %s, %s, %s fastmath<fast> : f32
    %r31 = math.ipowi %w, %w : i32
    %r32 = math.log10 %s : f32
    %r33 = math.log1p %s : f32
    %r34 = math.log2 %s : f32
    %r35 = math.log %tf : tensor<?xf32>
    %r36 = math.powf %s, %s fastmath<afn> : f32
    %r37 = math.rsqrt %v : vector<16xf32>
    %r38 = math.sqrt %bf : bf16
    %r39 = math.tan %s : f32
    %r40 = math.tanh %s : f32
    %r41 = math.roundeven %s : f32
    %r42 = math.round %s : f32
    %r43 = math.trunc %s : f32
    %r44 = math.fpowi %s, %w : f32, i32
    %r45 = math.fpowi %v, %vi fastmath<fast> : vector<16xf32>, vector<16xi32>
    %r46 = math.isfinite %s : f32
    %r47 = math.isnan %v : vector<16xf32>
    %r48 = math.isinf %v : vector<16xf32>
    %r49 = math.isnormal %s : f32
    %r50 = math.clampf %s to[%s, %s] : f32
    %r51 = math.clampf %v to[%v, %v] fastmath<fast> : vector<16xf32>
    return
  }
}

