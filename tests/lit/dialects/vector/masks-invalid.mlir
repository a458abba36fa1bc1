// RUN: XEGPU_INVALID

func.func @f(%i: index) {
  // expected-error@+1 {{expected 2 operands for vector<8x16xi1>, got 1}}
  %0 = vector.create_mask %i : vector<8x16xi1>
  return
}

// -----

func.func @f(%i: index) {
  // expected-error@+1 {{Expected attribute i1 but got i32}}
  %0 = vector.create_mask %i : vector<16xi32>
  return
}

// -----

func.func @f(%vm: vector<16xi1>) {
  // expected-error@+1 {{expects a maskable operation within the mask region, got 'vector.step'}}
  %0 = vector.mask %vm { %1 = vector.step : vector<16xindex> vector.yield %1 : vector<16xindex> } : vector<16xi1> -> vector<16xindex>
  return
}

// -----

func.func @f(%vm: vector<16xi1>, %v: vector<16xf32>) {
  // expected-error@+1 {{expects to yield the types of its results, vector<16xf32>}}
  %0 = vector.mask %vm { vector.reduction <add>, %v : vector<16xf32> into f32 } : vector<16xi1> -> vector<16xf32>
  return
}

// -----

func.func @f(%vm: vector<16xi1>, %v: vector<16xf32>) {
  // expected-error@+1 {{expects only one operation to mask, got 2}}
  %0 = vector.mask %vm { %1 = vector.reduction <add>, %v : vector<16xf32> into f32 %2 = vector.reduction <add>, %v : vector<16xf32> into f32 vector.yield %2 : f32 } : vector<16xi1> -> f32
  return
}

// -----

func.func @f(%vm: vector<16xi1>, %v: vector<16xf32>, %s: f32) {
  // expected-error@+1 {{expects all the results from the masked operation to be yielded}}
  %0 = vector.mask %vm { %1 = vector.reduction <add>, %v : vector<16xf32> into f32 vector.yield %s : f32 } : vector<16xi1> -> f32
  return
}
