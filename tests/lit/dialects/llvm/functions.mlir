// What mlir-opt 23 writes of the dialect is written as it was read.
// RUN: xegpu-opt %s | sed -e "/^module {$/d" -e "/^}$/d" -e "s/^  //" > %t
// RUN: grep -v "^//" %s | diff - %t
llvm.func @f1(%arg0: i32, %arg1: i32, %arg2: i1, %arg3: !llvm.ptr<1>) {
  %0 = llvm.add %arg0, %arg1 overflow<nsw, nuw> : i32
  %1 = llvm.udiv exact %arg0, %arg1 : i32
  %2 = llvm.or disjoint %arg0, %arg1 : i32
  llvm.return
}
llvm.func @f2(%arg0: i32, %arg1: f32, %arg2: vector<4xf32>, %arg3: i64) {
  %0 = llvm.sitofp %arg0 : i32 to f32
  %1 = llvm.uitofp %arg0 : i32 to f32
  %2 = llvm.fptosi %arg1 : f32 to i32
  %3 = llvm.fptoui %arg1 : f32 to i32
  %4 = llvm.fpext %arg1 : f32 to f64
  %5 = llvm.fptrunc %4 : f64 to f32
  %6 = llvm.extractelement %arg2[%arg0 : i32] : vector<4xf32>
  %7 = llvm.insertelement %arg1, %arg2[%arg3 : i64] : vector<4xf32>
  %8 = llvm.freeze %arg0 : i32
  llvm.return
}
llvm.func @f3(%arg0: i32) -> i32 {
  llvm.switch %arg0 : i32, ^bb1(%arg0 : i32) [
    42: ^bb2(%arg0 : i32),
    43: ^bb1(%arg0 : i32)
  ]
^bb1(%0: i32):  // 2 preds: ^bb0, ^bb0
  llvm.return %0 : i32
^bb2(%1: i32):  // pred: ^bb0
  llvm.return %1 : i32
}
llvm.func @f4(%arg0: i32) {
  %0 = llvm.mlir.poison : !llvm.struct<(ptr<1>, i32)>
  %1 = llvm.mlir.zero : vector<4xi32>
  %2 = llvm.mlir.undef : i32
  llvm.return
}
llvm.func @f5(%arg0: i32, %arg1: f32, %arg2: vector<4xi32>) {
  %0 = "llvm.intr.abs"(%arg0) <{is_int_min_poison = false}> : (i32) -> i32
  %1 = "llvm.intr.ctlz"(%arg0) <{is_zero_poison = false}> : (i32) -> i32
  %2 = llvm.intr.smax(%arg0, %arg0) : (i32, i32) -> i32
  %3 = llvm.intr.fmuladd(%arg1, %arg1, %arg1) : (f32, f32, f32) -> f32
  %4 = llvm.intr.ctpop(%arg0) : (i32) -> i32
  %5 = llvm.intr.sadd.sat(%arg0, %arg0) : (i32, i32) -> i32
  %6 = llvm.intr.fma(%arg1, %arg1, %arg1) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
  %7 = "llvm.intr.vector.reduce.add"(%arg2) : (vector<4xi32>) -> i32
  %8 = "llvm.intr.sadd.with.overflow"(%arg0, %arg0) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %9 = llvm.intr.fshl(%arg0, %arg0, %arg0) : (i32, i32, i32) -> i32
  %10 = llvm.intr.powi(%arg1, %arg0) : (f32, i32) -> f32
  %11 = "llvm.intr.is.fpclass"(%arg1) <{bit = 3 : i32}> : (f32) -> i1
  llvm.return
}
llvm.func @f6(%arg0: !llvm.ptr<1>, %arg1: !llvm.ptr, %arg2: i64, %arg3: i8) {
  "llvm.intr.memcpy"(%arg1, %arg0, %arg2) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr<1>, i64) -> ()
  "llvm.intr.memset"(%arg1, %arg3, %arg2) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.intr.lifetime.start %arg1 : !llvm.ptr
  llvm.intr.lifetime.end %arg1 : !llvm.ptr
  llvm.return
}
llvm.func @f8(%arg0: !llvm.ptr<1>, %arg1: vector<4xf32>, %arg2: vector<4xi1>, %arg3: vector<4x!llvm.ptr<1>>) {
  %0 = llvm.intr.masked.load %arg0, %arg2, %arg1 {alignment = 4 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  llvm.intr.masked.store %arg1, %arg0, %arg2 {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr<1>
  %1 = llvm.intr.masked.gather %arg3, %arg2, %arg1 {alignment = 4 : i32} : (vector<4x!llvm.ptr<1>>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  llvm.intr.masked.scatter %arg1, %arg3, %arg2 {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into vector<4x!llvm.ptr<1>>
  llvm.return
}
llvm.func @f9(%arg0: !llvm.ptr<1>, %arg1: i64, %arg2: i32) {
  %0 = llvm.load volatile %arg0 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  %1 = llvm.load %arg0 atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  llvm.store %0, %arg0 atomic release {alignment = 4 : i64} : i32, !llvm.ptr<1>
  llvm.store volatile %0, %arg0 : i32, !llvm.ptr<1>
  %2 = llvm.load %arg0 invariant : !llvm.ptr<1> -> i32
  %3 = llvm.getelementptr inbounds %arg0[%arg1, 2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<4 x i32>
  %4 = llvm.atomicrmw add %arg0, %arg2 syncscope("workgroup") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i32
  %5 = llvm.cmpxchg %arg0, %arg2, %arg2 acq_rel monotonic : !llvm.ptr<1>, i32
  llvm.fence syncscope("workgroup") seq_cst
  llvm.return
}
llvm.func spir_funccc @g11(i32) -> i64 attributes {convergent, memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, will_return}
llvm.func spir_kernelcc @k11(%arg0: !llvm.ptr<1> {llvm.noalias, llvm.nonnull}, %arg1: !llvm.ptr {llvm.byval = !llvm.struct<(i32, f32)>}) attributes {gpu.kernel, intel_reqd_sub_group_size = 16 : i32, reqd_work_group_size = array<i32: 16, 1, 1>, vec_type_hint = #llvm.vec_type_hint<hint = i32>, work_group_size_hint = array<i32: 16, 1, 1>} {
  %0 = llvm.mlir.constant(0 : i32) : i32
  %1 = llvm.call spir_funccc @g11(%0) {convergent, no_unwind, will_return} : (i32) -> i64
  llvm.return
}
llvm.func internal @f12(%arg0: vector<4xi32>, %arg1: vector<4xi1>, %arg2: i32, %arg3: i1) -> vector<2xi32> {
  %0 = llvm.shufflevector %arg0, %arg0 [0, -1] : vector<4xi32> 
  %1 = llvm.icmp "slt" %arg0, %arg0 : vector<4xi32>
  %2 = llvm.select %arg1, %arg0, %arg0 : vector<4xi1>, vector<4xi32>
  %3 = llvm.select %arg3, %arg2, %arg2 {fastmathFlags = #llvm.fastmath<nnan>} : i1, i32
  %4 = llvm.trunc %arg2 overflow<nsw> : i32 to i8
  %5 = llvm.zext nneg %arg2 : i32 to i64
  llvm.return %0 : vector<2xi32>
}
llvm.func @f15(%arg0: !llvm.ptr<1>, %arg1: i1, %arg2: i32) {
  llvm.intr.assume %arg1 : i1
  %0 = llvm.intr.expect %arg1, %arg1 : i1
  "llvm.intr.prefetch"(%arg0) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr<1>) -> ()
  %1 = llvm.intr.stepvector : vector<8xi32>
  %2 = llvm.intr.bitreverse(%arg2) : (i32) -> i32
  llvm.intr.trap
  llvm.return
}
llvm.func @f17(%arg0: i32) {
  llvm.inline_asm has_side_effects "nop", ""  : () -> ()
  %0 = llvm.inline_asm "mov $0, $1", "=r,r" %arg0 : (i32) -> i32
  llvm.return
}
llvm.func @f19(%arg0: i32, %arg1: f32, %arg2: vector<8xf32>) {
  %0 = llvm.call_intrinsic "llvm.readcyclecounter"() : () -> i64
  %1 = "llvm.intr.vector.reduce.fadd"(%arg1, %arg2) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<8xf32>) -> f32
  %2 = llvm.intr.vector.insert %arg2, %arg2[0] : vector<8xf32> into vector<8xf32>
  %3 = llvm.intr.vector.extract %arg2[0] : vector<4xf32> from vector<8xf32>
  %4 = llvm.intr.lrint(%arg1) : (f32) -> i64
  %5 = llvm.intr.ldexp(%arg1, %arg0) : (f32, i32) -> f32
  %6 = llvm.intr.frexp(%arg1) : (f32) -> !llvm.struct<(f32, i32)>
  %7 = llvm.intr.sincos(%arg1) : (f32) -> !llvm.struct<(f32, f32)>
  llvm.return
}
