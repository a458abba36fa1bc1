// Functions, intrinsics, accesses and branches of the dialect are written as they are read; mlir-opt 23 takes this file.
// RUN: xegpu-opt %s > %t
// RUN: grep -v "^//" %s | diff - %t
module {
  llvm.func @f1(%arg0: i32, %arg1: i32, %arg2: i1, %arg3: !llvm.ptr<1>) {
    %0 = llvm.add %arg0, %arg1 overflow<nsw,nuw> : i32
    %1 = llvm.udiv exact %arg0, %arg1 : i32
    %2 = llvm.or disjoint %arg0, %arg1 : i32
    llvm.return
  }
  llvm.func @f2(%arg0_1: i32, %arg1_1: f32, %arg2_1: vector<4xf32>, %arg3_1: i64) {
    %3 = llvm.sitofp %arg0_1 : i32 to f32
    %4 = llvm.uitofp %arg0_1 : i32 to f32
    %5 = llvm.fptosi %arg1_1 : f32 to i32
    %6 = llvm.fptoui %arg1_1 : f32 to i32
    %7 = llvm.fpext %arg1_1 : f32 to f64
    %8 = llvm.fptrunc %7 : f64 to f32
    %9 = llvm.extractelement %arg2_1[%arg0_1 : i32] : vector<4xf32>
    %10 = llvm.insertelement %arg1_1, %arg2_1[%arg3_1 : i64] : vector<4xf32>
    %11 = llvm.freeze %arg0_1 : i32
    llvm.return
  }
  llvm.func @f3(%arg0_2: i32) -> i32 {
    llvm.switch %arg0_2 : i32, ^bb1(%arg0_2 : i32) [42: ^bb2(%arg0_2 : i32), 43: ^bb1(%arg0_2 : i32)]
  ^bb1(%12: i32):
    llvm.return %12 : i32
  ^bb2(%13: i32):
    llvm.return %13 : i32
  }
  llvm.func @f4(%arg0_3: i32) {
    %14 = llvm.mlir.poison : !llvm.struct<(!llvm.ptr<1>, i32)>
    %15 = llvm.mlir.zero : vector<4xi32>
    %16 = llvm.mlir.undef : i32
    llvm.return
  }
  llvm.func @f5(%arg0_4: i32, %arg1_2: f32, %arg2_2: vector<4xi32>) {
    %17 = "llvm.intr.abs"(%arg0_4) <{is_int_min_poison = false}> : (i32) -> i32
    %18 = "llvm.intr.ctlz"(%arg0_4) <{is_zero_poison = false}> : (i32) -> i32
    %19 = llvm.intr.smax(%arg0_4, %arg0_4) : (i32, i32) -> i32
    %20 = llvm.intr.fmuladd(%arg1_2, %arg1_2, %arg1_2) : (f32, f32, f32) -> f32
    %21 = llvm.intr.ctpop(%arg0_4) : (i32) -> i32
    %22 = llvm.intr.sadd.sat(%arg0_4, %arg0_4) : (i32, i32) -> i32
    %23 = llvm.intr.fma(%arg1_2, %arg1_2, %arg1_2) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
    %24 = "llvm.intr.vector.reduce.add"(%arg2_2) : (vector<4xi32>) -> i32
    %25 = "llvm.intr.sadd.with.overflow"(%arg0_4, %arg0_4) : (i32, i32) -> !llvm.struct<(i32, i1)>
    %26 = llvm.intr.fshl(%arg0_4, %arg0_4, %arg0_4) : (i32, i32, i32) -> i32
    %27 = llvm.intr.powi(%arg1_2, %arg0_4) : (f32, i32) -> f32
    %28 = "llvm.intr.is.fpclass"(%arg1_2) <{bit = 3 : i32}> : (f32) -> i1
    llvm.return
  }
  llvm.func @f6(%arg0_5: !llvm.ptr<1>, %arg1_3: !llvm.ptr, %arg2_3: i64, %arg3_2: i8) {
    "llvm.intr.memcpy"(%arg1_3, %arg0_5, %arg2_3) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr<1>, i64) -> ()
    "llvm.intr.memset"(%arg1_3, %arg3_2, %arg2_3) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
    llvm.intr.lifetime.start %arg1_3 : !llvm.ptr
    llvm.intr.lifetime.end %arg1_3 : !llvm.ptr
    llvm.return
  }
  llvm.func @f8(%arg0_6: !llvm.ptr<1>, %arg1_4: vector<4xf32>, %arg2_4: vector<4xi1>, %arg3_3: vector<4x!llvm.ptr<1>>) {
    %29 = llvm.intr.masked.load %arg0_6, %arg2_4, %arg1_4 {alignment = 4 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    llvm.intr.masked.store %arg1_4, %arg0_6, %arg2_4 {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr<1>
    %30 = llvm.intr.masked.gather %arg3_3, %arg2_4, %arg1_4 {alignment = 4 : i32} : (vector<4x!llvm.ptr<1>>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    llvm.intr.masked.scatter %arg1_4, %arg3_3, %arg2_4 {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into vector<4x!llvm.ptr<1>>
    llvm.return
  }
  llvm.func @f9(%arg0_7: !llvm.ptr<1>, %arg1_5: i64, %arg2_5: i32) {
    %31 = llvm.load volatile %arg0_7 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    %32 = llvm.load %arg0_7 atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    llvm.store %31, %arg0_7 atomic release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    llvm.store volatile %31, %arg0_7 : i32, !llvm.ptr<1>
    %33 = llvm.load %arg0_7 invariant : !llvm.ptr<1> -> i32
    %34 = llvm.getelementptr inbounds %arg0_7[%arg1_5, 2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<4 x i32>
    %35 = llvm.atomicrmw add %arg0_7, %arg2_5 syncscope("workgroup") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i32
    %36 = llvm.cmpxchg %arg0_7, %arg2_5, %arg2_5 acq_rel monotonic : !llvm.ptr<1>, i32
    llvm.fence syncscope("workgroup") seq_cst
    llvm.return
  }
  llvm.func spir_funccc @g11(i32) -> i64 attributes {convergent, memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, will_return}
  llvm.func @g12(!llvm.ptr {llvm.noalias, llvm.readonly}, i32, ...) -> (i8 {llvm.zeroext})
  llvm.func internal hidden unnamed_addr spir_funccc @g13(%arg0_8: f32, %arg1_6: f32) -> i1 {
    %37 = llvm.fcmp "olt" %arg0_8, %arg1_6 {fastmathFlags = #llvm.fastmath<nnan>} : f32
    llvm.return %37 : i1
  }
  llvm.func spir_kernelcc @k11(%arg0_9: !llvm.ptr<1> {llvm.noalias, llvm.nonnull}, %arg1_7: !llvm.ptr {llvm.byval = !llvm.struct<(i32, f32)>}) attributes {gpu.kernel, intel_reqd_sub_group_size = 16 : i32, reqd_work_group_size = array<i32: 16, 1, 1>, vec_type_hint = #llvm.vec_type_hint<hint = i32>, work_group_size_hint = array<i32: 16, 1, 1>} {
    %38 = llvm.mlir.constant(0 : i32) : i32
    %39 = llvm.call spir_funccc @g11(%38) {convergent, no_unwind, will_return} : (i32) -> i64
    llvm.return
  }
  llvm.func internal @f12(%arg0_10: vector<4xi32>, %arg1_8: vector<4xi1>, %arg2_6: i32, %arg3_4: i1) -> vector<2xi32> {
    %40 = llvm.shufflevector %arg0_10, %arg0_10 [0, -1] : vector<4xi32>
    %41 = llvm.icmp "slt" %arg0_10, %arg0_10 : vector<4xi32>
    %42 = llvm.select %arg1_8, %arg0_10, %arg0_10 : vector<4xi1>, vector<4xi32>
    %43 = llvm.select %arg3_4, %arg2_6, %arg2_6 {fastmathFlags = #llvm.fastmath<nnan>} : i1, i32
    %44 = llvm.trunc %arg2_6 overflow<nsw> : i32 to i8
    %45 = llvm.zext nneg %arg2_6 : i32 to i64
    llvm.return %40 : vector<2xi32>
  }
  llvm.func @f15(%arg0_11: !llvm.ptr<1>, %arg1_9: i1, %arg2_7: i32) {
    llvm.intr.assume %arg1_9 : i1
    %46 = llvm.intr.expect %arg1_9, %arg1_9 : i1
    "llvm.intr.prefetch"(%arg0_11) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr<1>) -> ()
    %47 = llvm.intr.stepvector  : vector<8xi32>
    %48 = llvm.intr.bitreverse(%arg2_7) : (i32) -> i32
    llvm.intr.trap
    llvm.return
  }
  llvm.func @f17(%arg0_12: i32) {
    llvm.inline_asm has_side_effects "nop", "" : () -> ()
    %49 = llvm.inline_asm "mov $0, $1", "=r,r" %arg0_12 : (i32) -> i32
    llvm.return
  }
  llvm.func @f19(%arg0_13: i32, %arg1_10: f32, %arg2_8: vector<8xf32>) {
    %50 = llvm.call_intrinsic "llvm.readcyclecounter"() : () -> i64
    %51 = "llvm.intr.vector.reduce.fadd"(%arg1_10, %arg2_8) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<8xf32>) -> f32
    %52 = llvm.intr.vector.insert %arg2_8, %arg2_8[0] : vector<8xf32> into vector<8xf32>
    %53 = llvm.intr.vector.extract %arg2_8[0] : vector<4xf32> from vector<8xf32>
    %54 = llvm.intr.lrint(%arg1_10) : (f32) -> i64
    %55 = llvm.intr.ldexp(%arg1_10, %arg0_13) : (f32, i32) -> f32
    %56 = llvm.intr.frexp(%arg1_10) : (f32) -> !llvm.struct<(f32, i32)>
    %57 = llvm.intr.sincos(%arg1_10) : (f32) -> !llvm.struct<(f32, f32)>
    llvm.return
  }
}

