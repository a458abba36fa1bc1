target triple = "spir64"

declare spir_func i64 @_Z13get_global_idj(i32)

define spir_kernel void @rows(ptr addrspace(1) %p, ptr addrspace(1) %q) !reqd_work_group_size !0 {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %n = trunc i64 %i to i32
  %x = sext i32 %n to i64
  %a = getelementptr inbounds float, ptr addrspace(1) %p, i64 %x
  %v = load float, ptr addrspace(1) %a, align 4
  %b = getelementptr inbounds float, ptr addrspace(1) %q, i64 %x
  store float %v, ptr addrspace(1) %b, align 4
  %w = load volatile float, ptr addrspace(1) %a, align 4
  store volatile float %w, ptr addrspace(1) %b, align 4
  ret void
}

!0 = !{i32 64, i32 1, i32 1}
