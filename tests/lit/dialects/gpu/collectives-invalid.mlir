// RUN: XEGPU_INVALID

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.all_reduce' op operand must be an integer or a float, got index}}
    %r = gpu.all_reduce add %n {} : (index) -> index
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.all_reduce' op expected a result of type i32, got i64}}
    %r = gpu.all_reduce add %x {} : (i32) -> i64
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.all_reduce' op expected either an op attribute or a non-empty body}}
    %r = gpu.all_reduce %f {} : (f32) -> f32
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.all_reduce' op expected either an op attribute or a non-empty body}}
    %r = gpu.all_reduce add %f { ^bb0(%a: f32, %b: f32): gpu.yield %a : f32 } : (f32) -> f32
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.all_reduce' op `maxnumf` reduction operation is not compatible with type i32}}
    %r = gpu.all_reduce maxnumf %x {} : (i32) -> i32
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.all_reduce' op expected two region arguments of type f32, got f32}}
    %r = gpu.all_reduce %f { ^bb0(%a: f32): gpu.yield %a : f32 } : (f32) -> f32
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.all_reduce' op expected one gpu.yield operand of type f32, got none}}
    %r = gpu.all_reduce %f { ^bb0(%a: f32, %b: f32): gpu.yield } : (f32) -> f32
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{Expected 1 result type, but got 0}}
    gpu.all_reduce %f { ^bb0(%a: f32, %b: f32): gpu.yield } : (f32) -> ()
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.subgroup_reduce' op operand must hold integers or floats, got index}}
    %r = gpu.subgroup_reduce add %n : (index) -> index
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.subgroup_reduce' op expected a fixed vector of rank 1, got vector<2x4xf32>}}
    %r = gpu.subgroup_reduce add %v : (vector<2x4xf32>) -> vector<2x4xf32>
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.subgroup_reduce' op `and` reduction operation is not compatible with type f32}}
    %r = gpu.subgroup_reduce and %f : (f32) -> f32
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.subgroup_reduce' op expected a result of type f32, got i32}}
    %r = gpu.subgroup_reduce add %f : (f32) -> i32
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.subgroup_reduce' op cluster size 3 is not a power of two}}
    %r = gpu.subgroup_reduce add %f cluster(size = 3) : (f32) -> f32
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.subgroup_reduce' op cluster stride 6 is not a power of two}}
    %r = gpu.subgroup_reduce add %f cluster(size = 4, stride = 6) : (f32) -> f32
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.subgroup_reduce' op cluster stride can only be specified if cluster size is specified}}
    %r = "gpu.subgroup_reduce"(%f) <{op = #gpu<all_reduce_op add>, cluster_stride = 2 : i32}> : (f32) -> f32
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.shuffle' op expected integers or floats, got index}}
    %r, %p = gpu.shuffle xor %n, %x, %x : index
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.shuffle' op expected a vector of rank 1, got vector<2x4xf32>}}
    %r, %p = gpu.shuffle idx %v, %x, %x : vector<2x4xf32>
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.shuffle' op expected a result of type f32, got i32}}
    %r, %p = "gpu.shuffle"(%f, %x, %x) <{mode = #gpu<shuffle_mode up>}> : (f32, i32, i32) -> (i32, i1)
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.rotate' op expected an offset from 0 to 15, got 16}}
    %r, %p = gpu.rotate %f, 16, 16 : f32
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.rotate' op expected a width that is a power of two, got 12}}
    %r, %p = gpu.rotate %f, 1, 12 : f32
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.rotate' op expected a result of type f32, got i32}}
    %r, %p = "gpu.rotate"(%f) <{offset = 1 : i32, width = 16 : i32}> : (f32) -> (i32, i1)
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.dynamic_shared_memory' op address space must be #gpu.address_space<workgroup>, got none}}
    %d = gpu.dynamic_shared_memory : memref<?xi8>
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.dynamic_shared_memory' op result must be a memref of i8 with one dynamic dimension, got memref<4xi8, #gpu.address_space<workgroup>>}}
    %d = gpu.dynamic_shared_memory : memref<4xi8, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.yield' op expects parent op 'gpu.all_reduce'}}
    gpu.yield
  }
}

// -----

gpu.module @k {
  gpu.func @f(%x: i32, %f: f32, %n: index, %v: vector<2x4xf32>) {
    // expected-error@+1 {{'gpu.printf' op}}
    gpu.printf "%d", %v : vector<2x4xf32>
    gpu.return
  }
}

// -----

func.func @f(%m: memref<8xf32>, %x: i32) {
  // expected-error@+1 {{'gpu.memset' op expected a value of the memref's element type f32, got i32}}
  gpu.memset %m, %x : memref<8xf32>, i32
  return
}

// -----

gpu.module @k {
  gpu.func @f(%p: i1) {
    // expected-error@+1 {{'gpu.ballot' op index should be of base attribute integer_type}}
    %r = gpu.ballot %p : index
    gpu.return
  }
}
