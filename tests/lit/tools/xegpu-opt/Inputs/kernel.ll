target triple = "spir64"

%Params = type { float, i32 }
@table = internal addrspace(2) constant [2 x float] [float 1.5, float 2.0], align 4
@shared = internal addrspace(3) global [16 x i32] undef, align 4

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32)
declare spir_func float @_Z3expf(float)
declare float @llvm.fmuladd.f32(float, float, float)

define spir_kernel void @k(ptr addrspace(1) %out, ptr byval(%Params) align 4 %p, <4 x float> %v) !reqd_work_group_size !0 {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %cell = getelementptr float, ptr addrspace(1) %out, i64 %i
  %odd = and i64 %i, 1
  %entry = getelementptr [2 x float], ptr addrspace(2) @table, i64 0, i64 %odd
  %t = load float, ptr addrspace(2) %entry, align 4
  %place = getelementptr [16 x i32], ptr addrspace(3) @shared, i64 0, i64 %i
  %old = atomicrmw add ptr addrspace(3) %place, i32 1 monotonic, align 4
  call spir_func void @_Z7barrierj(i32 1)
  %a = load float, ptr %p, align 4
  %e = call spir_func float @_Z3expf(float %a)
  %x = extractelement <4 x float> %v, i64 2
  %r = call float @llvm.fmuladd.f32(float %e, float %x, float %t)
  switch i32 %old, label %end [
    i32 7, label %write
    i32 9, label %write
  ]

write:
  store float %r, ptr addrspace(1) %cell, align 4
  br label %end

end:
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
