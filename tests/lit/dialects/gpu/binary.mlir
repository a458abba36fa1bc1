// RUN: XEGPU_CANONICAL
module attributes {gpu.container_module} {
  gpu.binary @one [#gpu.object<#spirv.target_env<#spirv.vce<v1.0, [Kernel], []>, #spirv.resource_limits<>>, "abc\0A\FF">]
  gpu.binary @two [#gpu.object<#nvvm.target, offload = "abc">, #gpu.object<#nvvm.target, bin = "abc">]
  gpu.binary @noted {test.note} [#gpu.object<#nvvm.target, "abc">]
  func.func @run(%x: index) {
    gpu.launch_func @one::@anything blocks in (%x, %x, %x) threads in (%x, %x, %x)
    return
  }
}

