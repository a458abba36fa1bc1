// RUN: XEGPU_INVALID

// expected-error@+1 {{unexpected field 'subgroup'}}
func.func private @f() attributes {a = #spirv.entry_point_abi<subgroup = 16>}

// -----

// expected-error@+1 {{expected workgroup_size of 3 entries, got 1}}
func.func private @f() attributes {a = #spirv.entry_point_abi<workgroup_size = [16]>}

// -----

// expected-error@+1 {{expected subgroup_size of at least 1, got 0}}
func.func private @f() attributes {a = #spirv.entry_point_abi<subgroup_size = 0>}

// -----

// expected-error@+1 {{Unbalanced '}' in dialect symbol body}}
func.func private @f() attributes {a = #spirv.target_env<#spirv.vce<v1.0, [Kernel], []>}
