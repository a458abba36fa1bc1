// RUN: XEGPU_INVALID

func.func @f(%v: vector<16xf32>, %s: f32) {
  // expected-error@+1 {{expected an indexing map for each vector operand, got 2}}
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["reduction"], kind = #vector.kind<add>} %v, %v, %s : vector<16xf32>, vector<16xf32> into f32
  return
}

// -----

func.func @f(%v: vector<16xf32>, %s: f32) {
  // expected-error@+1 {{expected indexing map 0 to have 1 inputs, got 2}}
  %0 = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %v, %v, %s : vector<16xf32>, vector<16xf32> into f32
  return
}

// -----

func.func @f(%v2: vector<8x16xf32>, %v: vector<16xf32>, %s: f32) {
  // expected-error@+1 {{expected indexing map 0 to be a projected permutation, got (d0) -> (d0, d0)}}
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %v2, %v, %s : vector<8x16xf32>, vector<16xf32> into f32
  return
}

// -----

func.func @f(%v2: vector<8x16xf32>, %v: vector<16xf32>, %s: f32) {
  // expected-error@+1 {{expected indexing map 0 to have 2 number of outputs, got 1}}
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %v2, %v, %s : vector<8x16xf32>, vector<16xf32> into f32
  return
}

// -----

func.func @f(%v: vector<16xf32>, %v8: vector<8xf32>, %s: f32) {
  // expected-error@+1 {{dimension 0 has size 16 in one operand and 8 in vector<8xf32>}}
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %v, %v8, %s : vector<16xf32>, vector<8xf32> into f32
  return
}

// -----

func.func @f(%v: vector<16xf32>, %s: f32) {
  // expected-error@+1 {{unexpected iterator_type (window)}}
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["window"], kind = #vector.kind<add>} %v, %v, %s : vector<16xf32>, vector<16xf32> into f32
  return
}

// -----

func.func @f(%v: vector<16xf32>) {
  // expected-error@+1 {{expected reduction dimension 0 in both factors and not in the accumulator}}
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["reduction"], kind = #vector.kind<add>} %v, %v, %v : vector<16xf32>, vector<16xf32> into vector<16xf32>
  return
}

// -----

func.func @f(%v: vector<16xf32>, %s: f32) {
  // expected-error@+1 {{unsupported reduction type 'f32' for kind 'xor'}}
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<xor>} %v, %v, %s : vector<16xf32>, vector<16xf32> into f32
  return
}

// -----

func.func @f(%v: vector<16xf32>, %s: f32) {
  // expected-error@+1 {{expected parallel dimension 0 in the accumulator and in a factor}}
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["parallel"], kind = #vector.kind<add>} %v, %v, %s : vector<16xf32>, vector<16xf32> into f32
  return
}

// -----

func.func @f(%v: vector<16xf32>, %s: f32) {
  // expected-error@+1 {{property 'indexing_maps' expected in operation 'vector.contract'}}
  %0 = vector.contract {iterator_types = ["reduction"]} %v, %v, %s : vector<16xf32>, vector<16xf32> into f32
  return
}

// -----

func.func @f(%s: f32, %v: vector<16xf32>) {
  // expected-error@+1 {{expected vector type for operand #1, got f32}}
  %0 = vector.outerproduct %s, %v : f32, vector<16xf32>
  return
}

// -----

func.func @f(%v2: vector<8x16xf32>, %v: vector<16xf32>) {
  // expected-error@+1 {{expected 1-d vectors, or one and a scalar, got vector<8x16xf32> and vector<16xf32>}}
  %0 = vector.outerproduct %v2, %v : vector<8x16xf32>, vector<16xf32>
  return
}

// -----

func.func @f(%v8: vector<8xf32>, %h: f16) {
  // expected-error@+1 {{expected factors of one element type, got vector<8xf32> and f16}}
  %0 = vector.outerproduct %v8, %h : vector<8xf32>, f16
  return
}

// -----

func.func @f(%v8: vector<8xf32>, %v: vector<16xf32>, %v2: vector<8x16xf32>) {
  // expected-error@+1 {{unsupported reduction type 'f32' for kind 'or'}}
  %0 = vector.outerproduct %v8, %v, %v2 {kind = #vector.kind<or>} : vector<8xf32>, vector<16xf32>
  return
}

// -----

func.func @f(%vi: vector<16xi32>) {
  // expected-error@+1 {{Unexpected attribute i32}}
  %0 = vector.fma %vi, %vi, %vi : vector<16xi32>
  return
}
