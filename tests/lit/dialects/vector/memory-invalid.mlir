// RUN: XEGPU_INVALID

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{requires 2 indices for memref<8x16xf32>, got 1}}
  %0 = vector.load %m[%i] : memref<8x16xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index) {
  // expected-error@+1 {{base and vector element types should match, got memref<8x16xf32> and vector<8xf16>}}
  %0 = vector.load %m[%i, %j] : memref<8x16xf32>, vector<8xf16>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index) {
  // expected-error@+1 {{alignment attribute value 3 is not a power of 2}}
  %0 = vector.load %m[%i, %j] {alignment = 3 : i64} : memref<8x16xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%mt: memref<16x8xf32, strided<[1, 16]>>, %i: index, %j: index) {
  // expected-error@+1 {{most minor memref dim must have unit stride, got memref<16x8xf32, strided<[1, 16]>>}}
  %0 = vector.load %mt[%i, %j] : memref<16x8xf32, strided<[1, 16]>>, vector<8xf32>
  return
}

// -----

func.func @f(%v: vector<16xf32>, %m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{requires 2 indices for memref<8x16xf32>, got 1}}
  vector.store %v, %m[%i] : memref<8x16xf32>, vector<16xf32>
  return
}

// -----

func.func @f(%mv: memref<4xvector<16xf32>>) {
  // expected-error@+1 {{requires 1 indices for memref<4xvector<16xf32>>, got 0}}
  %0 = vector.load %mv[] : memref<4xvector<16xf32>>, vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index, %vm2: vector<8x16xi1>, %v: vector<16xf32>) {
  // expected-error@+1 {{expected a mask of type vector<16xi1> for vector<16xf32>, got vector<8x16xi1>}}
  %0 = vector.maskedload %m[%i, %j], %vm2, %v : memref<8x16xf32>, vector<8x16xi1>, vector<16xf32> into vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index, %vi: vector<16xi32>, %v: vector<16xf32>) {
  // expected-error@+1 {{Expected attribute i1 but got i32}}
  %0 = vector.maskedload %m[%i, %j], %vi, %v : memref<8x16xf32>, vector<16xi32>, vector<16xf32> into vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %vm: vector<16xi1>, %v: vector<16xf32>) {
  // expected-error@+1 {{requires 2 indices for memref<8x16xf32>, got 1}}
  vector.maskedstore %m[%i], %vm, %v : memref<8x16xf32>, vector<16xi1>, vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index, %vm: vector<16xi1>, %vh: vector<16xf16>) {
  // expected-error@+1 {{base and vector element types should match, got memref<8x16xf32> and vector<16xf16>}}
  vector.compressstore %m[%i, %j], %vm, %vh : memref<8x16xf32>, vector<16xi1>, vector<16xf16>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index, %vm: vector<16xi1>, %v: vector<16xf32>) {
  // expected-error@+1 {{alignment attribute value -8 is not a power of 2}}
  %0 = vector.expandload %m[%i, %j], %vm, %v {alignment = -8 : i64} : memref<8x16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index, %v: vector<16xf32>, %vm: vector<16xi1>) {
  // expected-error@+1 {{expected indices of integers or index in the shape of vector<16xf32>, got vector<16xf32>}}
  %0 = vector.gather %m[%i, %j] [%v], %vm, %v : memref<8x16xf32>, vector<16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index, %vi2: vector<8x16xi32>, %vm: vector<16xi1>, %v: vector<16xf32>) {
  // expected-error@+1 {{expected indices of integers or index in the shape of vector<16xf32>, got vector<8x16xi32>}}
  %0 = vector.gather %m[%i, %j] [%vi2], %vm, %v : memref<8x16xf32>, vector<8x16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %vi: vector<16xi32>, %vm: vector<16xi1>, %v: vector<16xf32>) {
  // expected-error@+1 {{requires 2 indices for memref<8x16xf32>, got 1}}
  vector.scatter %m[%i] [%vi], %vm, %v : memref<8x16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32>
  return
}

// -----

func.func @f(%md: memref<?x?xf32>) {
  // expected-error@+1 {{expects operand to be a memref with static shape and identity layout, got memref<?x?xf32>}}
  %0 = vector.type_cast %md : memref<?x?xf32> to memref<vector<8x16xf32>>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{expects a result of type memref<vector<8x16xf32>>, got memref<vector<16x8xf32>>}}
  %0 = vector.type_cast %m : memref<8x16xf32> to memref<vector<16x8xf32>>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %s: f32) {
  // expected-error@+1 {{Expected an index for each memref/tensor dimension.}}
  %0 = vector.transfer_read %m[%i], %s : memref<8x16xf32>, vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index, %h: f16) {
  // expected-error@+1 {{operand is used with type f32, but has been previously used or defined with type f16}}
  %0 = vector.transfer_read %m[%i, %j], %h : memref<8x16xf32>, vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index, %s: f32) {
  // expected-error@+1 {{"vector.transfer_read" expects the in_bounds attr of same rank as permutation_map results: (d0, d1) -> (d1) vs in_bounds of of size 2}}
  %0 = vector.transfer_read %m[%i, %j], %s {in_bounds = [true, false]} : memref<8x16xf32>, vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index, %s: f32) {
  // expected-error@+1 {{"vector.transfer_read" requires a projected permutation_map (at most one dim or the zero constant can appear in each result)}}
  %0 = vector.transfer_read %m[%i, %j], %s {permutation_map = affine_map<(d0, d1) -> (d0 + d1)>} : memref<8x16xf32>, vector<16xf32>
  return
}

// -----

func.func @f(%v: vector<16xf32>, %m: memref<8x16xf32>, %i: index, %j: index) {
  // expected-error@+1 {{"vector.transfer_write" should not have broadcast dimensions.}}
  vector.transfer_write %v, %m[%i, %j] {permutation_map = affine_map<(d0, d1) -> (0)>} : vector<16xf32>, memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index, %s: f32, %vm2: vector<8x16xi1>) {
  // expected-error@+1 {{operand is used with type vector<16xi1>, but has been previously used or defined with type vector<8x16xi1>}}
  %0 = vector.transfer_read %m[%i, %j], %s, %vm2 : memref<8x16xf32>, vector<16xf32>
  return
}
