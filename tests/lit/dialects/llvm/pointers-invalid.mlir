// RUN: XEGPU_INVALID

func.func @f(%p: !llvm.ptr<1>, %x: i32) {
  // expected-error@+1 {{expected a result of type i32, got i64}}
  %0 = "llvm.atomicrmw"(%p, %x) <{bin_op = 1 : i64, ordering = 2 : i64}> : (!llvm.ptr<1>, i32) -> i64
  return
}

// -----

func.func @f(%p: !llvm.ptr<1>, %x: i32) {
  // expected-error@+1 {{expected the number of an update from 0 to 20, got 99 : i64}}
  %0 = "llvm.atomicrmw"(%p, %x) <{bin_op = 99 : i64, ordering = 2 : i64}> : (!llvm.ptr<1>, i32) -> i32
  return
}

// -----

func.func @f(%p: !llvm.ptr<1>, %x: i32) {
  // expected-error@+1 {{expected a result of type !llvm.struct<(i32, i1)>, got}}
  %0 = "llvm.cmpxchg"(%p, %x, %x) <{success_ordering = 2 : i64, failure_ordering = 2 : i64}> : (!llvm.ptr<1>, i32, i32) -> !llvm.struct<(i32)>
  return
}

// -----

func.func @f(%x: vector<4xf32>) {
  // expected-error@+1 {{has a result of type i1: expected vector<4xi1>}}
  %0 = "llvm.fcmp"(%x, %x) <{predicate = 1 : i64}> : (vector<4xf32>, vector<4xf32>) -> i1
  return
}

// -----

func.func @f(%x: i32) {
  // expected-error@+1 {{compares values of type i32: expected floats, or vectors of them}}
  %0 = "llvm.fcmp"(%x, %x) <{predicate = 1 : i64}> : (i32, i32) -> i1
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{expected one of _false, oeq, ogt}}
  %0 = llvm.fcmp "lt" %x, %x : f32
  return
}
