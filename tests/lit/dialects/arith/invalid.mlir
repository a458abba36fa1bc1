// RUN: XEGPU_INVALID

func.func @predicate(%a: i32) {
  // expected-error@+1 {{unknown predicate 'lt', expected one of eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge}}
  %0 = arith.cmpi lt, %a, %a : i32
  return
}

// -----

func.func @predicate_number(%a: i32) {
  // expected-error@+1 {{'arith.cmpi' op expected a predicate from 0 to 9, got 10}}
  %0 = "arith.cmpi"(%a, %a) <{predicate = 10 : i64}> : (i32, i32) -> i1
  return
}

// -----

func.func @compared_type(%a: f32) {
  // expected-error@+1 {{cannot compare f32 with f32}}
  %0 = arith.cmpi eq, %a, %a : f32
  return
}

// -----

func.func @compared_types(%a: i32, %b: i64) {
  // expected-error@+1 {{cannot compare i32 with i64}}
  %0 = "arith.cmpi"(%a, %b) <{predicate = 0 : i64}> : (i32, i64) -> i1
  return
}

// -----

func.func @compared_result(%a: vector<4xi32>) {
  // expected-error@+1 {{expected a result of type vector<4xi1>, got i1}}
  %0 = "arith.cmpi"(%a, %a) <{predicate = 0 : i64}> : (vector<4xi32>, vector<4xi32>) -> i1
  return
}

// -----

func.func @compared_floats(%a: i32) {
  // expected-error@+1 {{cannot compare i32 with i32}}
  %0 = arith.cmpf olt, %a, %a : i32
  return
}

// -----

func.func @condition(%c: vector<8xi1>, %a: vector<4xf32>) {
  // expected-error@+1 {{expected a condition of type i1 or vector<4xi1>, got vector<8xi1>}}
  %0 = arith.select %c, %a, %a : vector<8xi1>, vector<4xf32>
  return
}

// -----

func.func @scalar_condition(%c: vector<4xi1>, %a: f32) {
  // expected-error@+1 {{expected a condition of type i1, got vector<4xi1>}}
  %0 = arith.select %c, %a, %a : vector<4xi1>, f32
  return
}

// -----

func.func @extension(%a: vector<4xi32>) {
  // expected-error@+1 {{'arith.extsi' op operand type 'vector<4xi32>' and result type 'vector<4xi8>' are cast incompatible: expected wider elements of one kind}}
  %0 = arith.extsi %a : vector<4xi32> to vector<4xi8>
  return
}

// -----

func.func @truncation(%a: f16) {
  // expected-error@+1 {{operand type 'f16' and result type 'bf16' are cast incompatible: expected narrower elements of one kind}}
  %0 = arith.truncf %a : f16 to bf16
  return
}

// -----

func.func @cast_shape(%a: vector<4xi32>) {
  // expected-error@+1 {{operand type 'vector<4xi32>' and result type 'vector<8xf32>' are cast incompatible}}
  %0 = arith.sitofp %a : vector<4xi32> to vector<8xf32>
  return
}

// -----

func.func @cast_kind(%a: i32) {
  // expected-error@+1 {{operand type 'i32' and result type 'i32' are cast incompatible}}
  %0 = arith.fptosi %a : i32 to i32
  return
}

// -----

func.func @signed(%a: si8) {
  // expected-error@+1 {{operand type 'si8' and result type 'si32' are cast incompatible}}
  %0 = arith.extsi %a : si8 to si32
  return
}

// -----

func.func @no_index(%a: i8) {
  // expected-error@+1 {{operand type 'i8' and result type 'i32' are cast incompatible: expected index and an integer in one shape}}
  %0 = arith.index_cast %a : i8 to i32
  return
}

// -----

func.func @index_alone(%a: vector<4xindex>) {
  // expected-error@+1 {{operand type 'vector<4xindex>' and result type 'vector<4xindex>' are cast incompatible: expected index and an integer in one shape}}
  %0 = arith.index_castui %a : vector<4xindex> to vector<4xindex>
  return
}

// -----

func.func @rounding(%a: f32) {
  // expected-error@+1 {{expected roundingmode from 0 to 4, got 7}}
  %0 = "arith.truncf"(%a) <{roundingmode = 7 : i32}> : (f32) -> f16
  return
}
