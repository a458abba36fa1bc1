target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64"
target triple = "spir64-unknown-unknown"

; D = max(A * B + C, 0) in the manner of SYCL's joint_matrix: bf16 as its bits, B packed, and elements through their addresses.
define spir_kernel void @joint_matrix(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d, i64 %n, i64 %k) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
entry:
  %acc.var = alloca target("spirv.CooperativeMatrixKHR", float, 3, 8, 16, 2)
  %gx = call spir_func i64 @_Z12get_group_idj(i32 0)
  %gy = call spir_func i64 @_Z12get_group_idj(i32 1)
  %row = mul i64 %gy, 8
  %col = mul i64 %gx, 16
  %drow = mul i64 %row, %n
  %doff = add i64 %drow, %col
  %cp = getelementptr float, ptr addrspace(1) %c, i64 %doff
  %start = call spir_func target("spirv.CooperativeMatrixKHR", float, 3, 8, 16, 2) @_Z32__spirv_CooperativeMatrixLoadKHRILi2EEvPU3AS1fil(ptr addrspace(1) %cp, i32 0, i64 %n)
  %arow = mul i64 %row, %k
  %a0 = getelementptr i16, ptr addrspace(1) %a, i64 %arow
  %bcol = mul i64 %col, 2
  %b0 = getelementptr i16, ptr addrspace(1) %b, i64 %bcol
  %n2 = mul i64 %n, 2
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %acc = phi target("spirv.CooperativeMatrixKHR", float, 3, 8, 16, 2) [ %start, %entry ], [ %sum, %body ]
  %more = icmp ult i64 %i, %k
  br i1 %more, label %body, label %done
body:
  %ap = getelementptr i16, ptr addrspace(1) %a0, i64 %i
  %half = lshr i64 %i, 1
  %off = mul i64 %half, %n2
  %bp = getelementptr i16, ptr addrspace(1) %b0, i64 %off
  %ma = call spir_func target("spirv.CooperativeMatrixKHR", i16, 3, 8, 16, 0) @_Z32__spirv_CooperativeMatrixLoadKHRILi0EEvPU3AS1sil(ptr addrspace(1) %ap, i32 0, i64 %k)
  %mb = call spir_func target("spirv.CooperativeMatrixKHR", i16, 3, 16, 16, 1) @_Z32__spirv_CooperativeMatrixLoadKHRILi1EEvPU3AS1sil(ptr addrspace(1) %bp, i32 2, i64 %n2)
  %sum = call spir_func target("spirv.CooperativeMatrixKHR", float, 3, 8, 16, 2) @_Z34__spirv_CooperativeMatrixMulAddKHRILi0EEvi(target("spirv.CooperativeMatrixKHR", i16, 3, 8, 16, 0) %ma, target("spirv.CooperativeMatrixKHR", i16, 3, 16, 16, 1) %mb, target("spirv.CooperativeMatrixKHR", float, 3, 8, 16, 2) %acc, i32 64)
  %next = add i64 %i, 16
  br label %head
done:
  store target("spirv.CooperativeMatrixKHR", float, 3, 8, 16, 2) %acc, ptr %acc.var
  %length = call spir_func i32 @_Z34__spirv_CooperativeMatrixLengthKHRILi0EEv(target("spirv.CooperativeMatrixKHR", float, 3, 8, 16, 2) %acc)
  %length64 = zext i32 %length to i64
  br label %apply
apply:
  %e = phi i64 [ 0, %done ], [ %e.next, %applied ]
  %e.more = icmp ult i64 %e, %length64
  br i1 %e.more, label %applied, label %write
applied:
  %element = call spir_func ptr @_Z19__spirv_AccessChainIffLm8ELm16ELN5__spv9MatrixUseE2ELNS0_5Scope4FlagE3EEPT_PPNS0_28__spirv_CooperativeMatrixKHRIT0_XT4_EXT1_EXT2_EXT3_EEEm(ptr %acc.var, i64 %e)
  %value = load float, ptr %element
  %positive = fcmp ogt float %value, 0.0
  %kept = select i1 %positive, float %value, float 0.0
  store float %kept, ptr %element
  %e.next = add i64 %e, 1
  br label %apply
write:
  %result = load target("spirv.CooperativeMatrixKHR", float, 3, 8, 16, 2), ptr %acc.var
  %dp = getelementptr float, ptr addrspace(1) %d, i64 %doff
  call spir_func void @_Z33__spirv_CooperativeMatrixStoreKHRILi0EEvPU3AS1fil(ptr addrspace(1) %dp, target("spirv.CooperativeMatrixKHR", float, 3, 8, 16, 2) %result, i32 0, i64 %n)
  ret void
}
declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func target("spirv.CooperativeMatrixKHR", float, 3, 8, 16, 2) @_Z32__spirv_CooperativeMatrixLoadKHRILi2EEvPU3AS1fil(ptr addrspace(1), i32, i64)
declare spir_func i32 @_Z34__spirv_CooperativeMatrixLengthKHRILi0EEv(target("spirv.CooperativeMatrixKHR", float, 3, 8, 16, 2))
declare spir_func ptr @_Z19__spirv_AccessChainIffLm8ELm16ELN5__spv9MatrixUseE2ELNS0_5Scope4FlagE3EEPT_PPNS0_28__spirv_CooperativeMatrixKHRIT0_XT4_EXT1_EXT2_EXT3_EEEm(ptr, i64)
declare spir_func target("spirv.CooperativeMatrixKHR", i16, 3, 8, 16, 0) @_Z32__spirv_CooperativeMatrixLoadKHRILi0EEvPU3AS1sil(ptr addrspace(1), i32, i64)
declare spir_func target("spirv.CooperativeMatrixKHR", i16, 3, 16, 16, 1) @_Z32__spirv_CooperativeMatrixLoadKHRILi1EEvPU3AS1sil(ptr addrspace(1), i32, i64)
declare spir_func target("spirv.CooperativeMatrixKHR", float, 3, 8, 16, 2) @_Z34__spirv_CooperativeMatrixMulAddKHRILi0EEvi(target("spirv.CooperativeMatrixKHR", i16, 3, 8, 16, 0), target("spirv.CooperativeMatrixKHR", i16, 3, 16, 16, 1), target("spirv.CooperativeMatrixKHR", float, 3, 8, 16, 2), i32)
declare spir_func void @_Z33__spirv_CooperativeMatrixStoreKHRILi0EEvPU3AS1fil(ptr addrspace(1), target("spirv.CooperativeMatrixKHR", float, 3, 8, 16, 2), i32, i64)
!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
