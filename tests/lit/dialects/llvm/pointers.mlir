// RUN: XEGPU_ROUNDTRIP

// Operations behind pointers that xDSL lacks, spelled as upstream spells them.
func.func @updates(%p: !llvm.ptr<1>, %x: i32, %f: f32) {
  // CHECK: llvm.atomicrmw _and %{{.*}}, %{{.*}} syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i32
  %0 = llvm.atomicrmw _and %p, %x syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i32
  // CHECK: llvm.atomicrmw volatile fadd %{{.*}}, %{{.*}} acq_rel : !llvm.ptr<1>, f32
  %1 = llvm.atomicrmw volatile fadd %p, %f acq_rel : !llvm.ptr<1>, f32
  // CHECK: llvm.cmpxchg weak volatile %{{.*}}, %{{.*}}, %{{.*}} syncscope("workgroup") acq_rel monotonic : !llvm.ptr<1>, i32
  %2 = llvm.cmpxchg weak volatile %p, %x, %0 syncscope("workgroup") acq_rel monotonic : !llvm.ptr<1>, i32
  // CHECK: llvm.extractvalue %{{.*}}[1] : !llvm.struct<(i32, i1)>
  %3 = llvm.extractvalue %2[1] : !llvm.struct<(i32, i1)>
  // CHECK: llvm.fence syncscope("workgroup") seq_cst
  llvm.fence syncscope("workgroup") seq_cst
  // CHECK: llvm.addrspacecast %{{.*}} : !llvm.ptr<1> to !llvm.ptr<4>
  %4 = llvm.addrspacecast %p : !llvm.ptr<1> to !llvm.ptr<4>
  // CHECK: llvm.atomicrmw fmaximum %{{.*}}, %{{.*}} monotonic : !llvm.ptr<1>, f32
  %5 = llvm.atomicrmw fmaximum %p, %f monotonic : !llvm.ptr<1>, f32
  // CHECK: llvm.getelementptr inbounds|nuw %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %6 = llvm.getelementptr inbounds|nuw %p[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  // CHECK: llvm.getelementptr nusw|nuw %{{.*}}[%{{.*}}, 2] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x f32>
  %7 = llvm.getelementptr nusw|nuw %p[%x, 2] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x f32>
  return
}
