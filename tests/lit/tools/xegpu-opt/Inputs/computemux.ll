; Sums of the values before each work-item of a work-group, in the IR of ComputeMux.
declare i64 @__mux_get_global_id(i32)
declare i64 @__mux_get_local_id(i32)
declare target("spirv.Event") @__mux_dma_read_1D(ptr addrspace(3), ptr addrspace(1), i64, target("spirv.Event"))
declare void @__mux_dma_wait(i32, ptr)
declare i32 @__mux_work_group_scan_exclusive_add_i32(i32, i32)

@values = internal addrspace(3) global [16 x i32] undef, align 4

define void @sums.mux-kernel-wrapper(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 !reqd_work_group_size !0 {
  %event = call target("spirv.Event") @__mux_dma_read_1D(ptr addrspace(3) @values, ptr addrspace(1) %in, i64 64, target("spirv.Event") zeroinitializer)
  %events = alloca target("spirv.Event")
  store target("spirv.Event") %event, ptr %events
  call void @__mux_dma_wait(i32 1, ptr %events)
  %local = call i64 @__mux_get_local_id(i32 0)
  %source = getelementptr i32, ptr addrspace(3) @values, i64 %local
  %value = load i32, ptr addrspace(3) %source
  %sum = call i32 @__mux_work_group_scan_exclusive_add_i32(i32 0, i32 %value)
  %global = call i64 @__mux_get_global_id(i32 0)
  %target = getelementptr i32, ptr addrspace(1) %out, i64 %global
  store i32 %sum, ptr addrspace(1) %target
  ret void
}

attributes #0 = { "mux-kernel"="entry-point" "mux-orig-fn"="sums" "mux-base-fn-name"="sums" }
!0 = !{i32 16, i32 1, i32 1}
