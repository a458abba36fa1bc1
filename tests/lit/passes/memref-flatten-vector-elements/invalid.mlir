// RUN: not xegpu-opt %s -p memref-flatten-vector-elements --split-input-file 2>&1 | filecheck %s

// CHECK: invalid.mlir:[[# @LINE + 1]]:1: error: 'func.func' op memref<4x8xvector<4xf32>, affine_map<(d0, d1) -> (d1, d0)>> has a layout that is neither the identity nor strided
func.func @layout(%m: memref<4x8xvector<4xf32>, affine_map<(i, j) -> (j, i)>>) {
  return
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: 'memref.alloc' op memory of vector<8xi1> is not supported: use bytes (i8) in place of i1
func.func @truth() {
  %m = memref.alloc() : memref<4xvector<8xi1>>
  return
}

// -----

// CHECK: error: 'func.func' op memory of vector<[4]xf32> has no size that is known
func.func @scalable(%m: memref<4xvector<[4]xf32>>) {
  return
}

// -----

// CHECK: error: 'memref.cast' op memref<*xvector<4xf32>> has no rank, to which that of the vectors could be added
func.func @unranked(%m: memref<4xvector<4xf32>>) {
  %u = memref.cast %m : memref<4xvector<4xf32>> to memref<*xvector<4xf32>>
  return
}

// -----

// CHECK: error: 'vector.type_cast' op the vectors of memref<vector<4x3xf32>> take more memory than memref<4x3xf32> has for them
func.func @gaps(%m: memref<4x3xf32>) {
  %a = vector.type_cast %m : memref<4x3xf32> to memref<vector<4x3xf32>>
  return
}

// -----

// CHECK: error: 'memref.collapse_shape' op takes no memory whose elements are vectors: use memory of numbers
func.func @collapsed(%m: memref<4x2xvector<4xf32>>) {
  %a = memref.collapse_shape %m [[0, 1]] : memref<4x2xvector<4xf32>> into memref<8xvector<4xf32>>
  return
}
