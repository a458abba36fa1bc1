define spir_kernel void @scale(ptr addrspace(1) %x, i32 %n) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %i
  %a = load i32, ptr addrspace(1) %p
  %b = call spir_func i32 @times(i32 %a, i32 %n)
  store i32 %b, ptr addrspace(1) %p
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i32 @times(i32, i32)
