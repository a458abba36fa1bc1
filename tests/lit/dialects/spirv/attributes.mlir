// RUN: XEGPU_CANONICAL
module {
  func.func private @f(memref<4xf32, #spirv.storage_class<CrossWorkgroup>>) attributes {a = #spirv.entry_point_abi<workgroup_size = [32, 1, 1], subgroup_size = 16, target_width = 32>, b = #spirv.resource_limits<>, c = #spirv.vce<v1.0, [Shader], []>, d = #spirv.entry_point_abi<>}
}

