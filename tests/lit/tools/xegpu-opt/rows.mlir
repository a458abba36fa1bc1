// RUN: xegpu-opt %S/Inputs/rows.ll > %t
// RUN: filecheck %s < %t
// RUN: xegpu-opt %t --target pvc -t xe-asm | filecheck %s --check-prefix=ASM

// That lanes stay in one object comes from LLVM IR, and lets indices of 32 bits be those of rows. Volatile accesses are
// each lane's own.
// CHECK: llvm.getelementptr inbounds %p[%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i{{32|8}}
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK: llvm.load volatile %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: llvm.store volatile %{{.*}}, %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<1>

// ASM: load.ugm.d32x16t.a64 (1|M0)
// ASM: store.ugm.d32x16t.a64 (1|M0)
// ASM: load.ugm.d32.a64 (16|M0)
// ASM: store.ugm.d32.a64 (16|M0)
