// RUN: XEGPU_INVALID

func.func @kind(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi1>, %v: vector<16xf32>) {
  // expected-error@+1 {{unknown atomic kind 'subf', expected one of addf, addi, assign}}
  %0 = xegpu.atomic_rmw subf %a, %m, %v : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xf32> -> vector<16xf32>
  return
}

// -----

func.func @number(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi1>, %v: vector<16xf32>) {
  // expected-error@+1 {{'xegpu.atomic_rmw' op expected kind from 0 to 14, got 15}}
  %0 = "xegpu.atomic_rmw"(%a, %m, %v) <{kind = 15 : i64}> : (!xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
  return
}

// -----

func.func @float_kind(%a: !xegpu.tensor_desc<16xi32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi1>, %v: vector<16xi32>) {
  // expected-error@+1 {{atomic kind mulf cannot combine elements of type i32}}
  %0 = xegpu.atomic_rmw mulf %a, %m, %v : !xegpu.tensor_desc<16xi32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xi32> -> vector<16xi32>
  return
}

// -----

func.func @integer_kind(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi1>, %v: vector<16xf32>) {
  // expected-error@+1 {{atomic kind maxs cannot combine elements of type f32}}
  %0 = xegpu.atomic_rmw maxs %a, %m, %v : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xf32> -> vector<16xf32>
  return
}

// -----

func.func @block(%a: !xegpu.tensor_desc<16xf32>, %m: vector<16xi1>, %v: vector<16xf32>) {
  // expected-error@+1 {{Expects a scattered TensorDesc.}}
  %0 = xegpu.atomic_rmw addf %a, %m, %v : !xegpu.tensor_desc<16xf32>, vector<16xi1>, vector<16xf32> -> vector<16xf32>
  return
}

// -----

func.func @element_type(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi1>, %v: vector<16xf16>) {
  // expected-error@+1 {{failed to verify that all of {tensorDesc, value, result} have same element type: tensorDesc has f32, value has f16, result has f32}}
  %0 = xegpu.atomic_rmw addf %a, %m, %v : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xf16> -> vector<16xf32>
  return
}

// -----

func.func @transposed(%a: !xegpu.tensor_desc<16x2xi32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>, %m: vector<16xi1>, %v: vector<2x16xi32>) {
  // expected-error@+1 {{failed to verify that all of {tensorDesc, value, result} have same shape: tensorDesc has [16, 2], value has [2, 16], result has [2, 16]}}
  %0 = xegpu.atomic_rmw addi %a, %m, %v : !xegpu.tensor_desc<16x2xi32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>, vector<16xi1>, vector<2x16xi32> -> vector<2x16xi32>
  return
}

// -----

func.func @result(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi1>, %v: vector<16xf32>) {
  // expected-error@+1 {{have same shape: tensorDesc has [16], value has [16], result has [8]}}
  %0 = xegpu.atomic_rmw addf %a, %m, %v : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xf32> -> vector<8xf32>
  return
}

// -----

func.func @mask(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi32>, %v: vector<16xf32>) {
  // expected-error@+1 {{operand #1 must be i1 or a vector of i1, but got vector<16xi32>}}
  %0 = xegpu.atomic_rmw addf %a, %m, %v : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi32>, vector<16xf32> -> vector<16xf32>
  return
}

// -----

func.func @mask_shape(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<2x8xi1>, %v: vector<16xf32>) {
  // expected-error@+1 {{expected a mask of the shape of the TensorDesc [16], or one entry for each lane, got vector<2x8xi1>}}
  %0 = xegpu.atomic_rmw addf %a, %m, %v : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<2x8xi1>, vector<16xf32> -> vector<16xf32>
  return
}
