// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} -split-input-file | filecheck %s

// Lanes that access neighbouring elements through pointers send a block message, where all of them certainly do.

gpu.module @m {
  // CHECK-LABEL: xe.kernel @row
  gpu.func @row(%p: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.global_id x
    %n = arith.index_cast %i : index to i64
    %q = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %r = llvm.getelementptr %q[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    // CHECK: xe.load{{.*}}exec_size = 1 {{.*}}unit = ugm, size = d32, vector = 16, transposed, offset = 64{{.*}}no_mask
    %x = llvm.load %r {alignment = 4 : i64} : !llvm.ptr<1> -> f32
    // CHECK: xe.store{{.*}}unit = ugm, size = d32, vector = 16, transposed>
    llvm.store %x, %q {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }

  // Lanes take as many bytes as they are apart: vectors, structures of narrow elements, 64 bits.
  // CHECK-LABEL: xe.kernel @wide
  gpu.func @wide(%p: !llvm.ptr<1>, %d: f64) kernel attributes {known_block_size = array<i32: 16, 4, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.thread_id x
    %n = arith.index_cast %i : index to i64
    %q = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, vector<4xf32>
    // CHECK: xe.load{{.*}}size = d32, vector = 64, transposed
    %x = llvm.load %q {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xf32>
    // CHECK: xe.store{{.*}}size = d32, vector = 64, transposed
    llvm.store %x, %q {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr<1>
    %r = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    // CHECK: xe.load{{.*}}size = d32, vector = 16, transposed
    %y = llvm.load %r {alignment = 4 : i64} : !llvm.ptr<1> -> vector<2xi16>
    %s = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
    // CHECK: xe.store{{.*}}size = d64, vector = 16, transposed
    llvm.store %d, %s {alignment = 8 : i64} : f64, !llvm.ptr<1>
    // A vector of three has no region that takes it apart; elements are less aligned than dwords, or narrower.
    // CHECK: xe.load{{.*}}exec_size = 16{{.*}}size = d32, vector = 3
    %t = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<12 x i8>
    %z = llvm.load %t {alignment = 4 : i64} : !llvm.ptr<1> -> vector<3xf32>
    // CHECK-COUNT-2: xe.load{{.*}}exec_size = 16{{.*}}size = d16u32
    %u = llvm.load %r {alignment = 2 : i64} : !llvm.ptr<1> -> i32
    %v = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    // CHECK: xe.load{{.*}}exec_size = 16{{.*}}size = d8u32
    %w = llvm.load %v : !llvm.ptr<1> -> i8
    gpu.return
  }

  // The sum may be taken in any order, go round a loop, and begin anywhere.
  // CHECK-LABEL: xe.kernel @sums
  gpu.func @sums(%p: !llvm.ptr<1>, %a: i64, %count: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i64
    %i = gpu.thread_id x
    %n = arith.index_cast %i : index to i64
    %b = arith.shli %n, %two : i64
    %c = arith.subi %b, %a : i64
    %q = llvm.getelementptr %p[%c] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    // CHECK: xe.load{{.*}}transposed
    %x = llvm.load %q {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    cf.br ^loop(%zero, %q : i32, !llvm.ptr<1>)
  ^loop(%k: i32, %r: !llvm.ptr<1>):
    // CHECK: xe.store{{.*}}transposed
    llvm.store %x, %r {alignment = 4 : i64} : i32, !llvm.ptr<1>
    %s = llvm.getelementptr %r[128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    %next = arith.addi %k, %one : i32
    %more = arith.cmpi slt, %next, %count : i32
    cf.cond_br %more, ^loop(%next, %s : i32, !llvm.ptr<1>), ^end
  ^end:
    gpu.return
  }

  // Local memory has blocks, too; private memory and generic pointers to several memories have none.
  // CHECK-LABEL: xe.kernel @spaces
  llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  gpu.func @spaces(%p: !llvm.ptr<1>, %which: i1) kernel attributes {known_block_size = array<i32: 64, 1, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.thread_id x
    %j = arith.index_cast %i : index to i32
    %l = llvm.mlir.addressof @shared : !llvm.ptr<3>
    %q = llvm.getelementptr %l[%j] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    // CHECK: xe.store{{.*}}unit = slm, size = d32, vector = 16, transposed
    llvm.store %j, %q {alignment = 4 : i64} : i32, !llvm.ptr<3>
    %a = llvm.addrspacecast %l : !llvm.ptr<3> to !llvm.ptr<4>
    %b = llvm.addrspacecast %p : !llvm.ptr<1> to !llvm.ptr<4>
    %either = arith.select %which, %a, %b : !llvm.ptr<4>
    %r = llvm.getelementptr %either[%j] : (!llvm.ptr<4>, i32) -> !llvm.ptr<4>, i32
    // CHECK: xe.load{{.*}}exec_size = 16{{.*}}unit = ugm
    // CHECK: xe.load{{.*}}exec_size = 16{{.*}}unit = slm
    %x = llvm.load %r {alignment = 4 : i64} : !llvm.ptr<4> -> i32
    %one = arith.constant 1 : i32
    %own = llvm.alloca %one x i32 {alignment = 4 : i64} : (i32) -> !llvm.ptr
    // CHECK: xe.store{{.*}}exec_size = 16{{.*}}model = ss
    llvm.store %x, %own {alignment = 4 : i64} : i32, !llvm.ptr
    gpu.return
  }
}

// -----

// Where some lanes may be left out, each of them sends an address.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @unknown_size
  // CHECK-NOT: transposed
  gpu.func @unknown_size(%p: !llvm.ptr<1>, %x: f32) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.thread_id x
    %n = arith.index_cast %i : index to i64
    %q = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %x, %q {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }
  // CHECK-LABEL: xe.kernel @not_filled
  // CHECK-NOT: transposed
  gpu.func @not_filled(%p: !llvm.ptr<1>, %x: f32) kernel attributes {known_block_size = array<i32: 24, 2, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.thread_id x
    %n = arith.index_cast %i : index to i64
    %q = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %x, %q {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }
  // CHECK-LABEL: xe.kernel @guarded
  // CHECK-NOT: transposed
  gpu.func @guarded(%p: !llvm.ptr<1>, %x: f32, %end: i64) kernel attributes {known_block_size = array<i32: 64, 1, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.thread_id x
    %n = arith.index_cast %i : index to i64
    %q = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %inside = arith.cmpi slt, %n, %end : i64
    cf.cond_br %inside, ^then, ^end
  ^then:
    llvm.store %x, %q {alignment = 4 : i64} : f32, !llvm.ptr<1>
    cf.br ^end
  ^end:
    gpu.return
  }
  // After lanes have met again, and where all of them go one way, there are blocks.
  // CHECK-LABEL: xe.kernel @met_again
  gpu.func @met_again(%p: !llvm.ptr<1>, %x: f32, %end: i64) kernel attributes {known_block_size = array<i32: 64, 1, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.thread_id x
    %n = arith.index_cast %i : index to i64
    %q = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %inside = arith.cmpi slt, %n, %end : i64
    %zero = arith.constant 0 : i64
    %all = arith.cmpi sgt, %end, %zero : i64
    // CHECK: xe.store{{.*}}exec_size = 16
    scf.if %inside {
      llvm.store %x, %q {alignment = 4 : i64} : f32, !llvm.ptr<1>
    }
    // CHECK: xe.store{{.*}}transposed
    scf.if %all {
      llvm.store %x, %q {alignment = 4 : i64} : f32, !llvm.ptr<1>
    }
    gpu.return
  }
  // CHECK-LABEL: xe.kernel @own_loops
  // CHECK-NOT: transposed
  gpu.func @own_loops(%p: !llvm.ptr<1>, %x: f32, %end: i64) kernel attributes {known_block_size = array<i32: 64, 1, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.thread_id x
    %n = arith.index_cast %i : index to i64
    %c64 = arith.constant 64 : i64
    cf.br ^head(%n : i64)
  ^head(%k: i64):
    %more = arith.cmpi slt, %k, %end : i64
    cf.cond_br %more, ^body, ^end
  ^body:
    %q = llvm.getelementptr %p[%k] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %x, %q {alignment = 4 : i64} : f32, !llvm.ptr<1>
    %l = arith.addi %k, %c64 : i64
    cf.br ^head(%l : i64)
  ^end:
    // Lanes leave the loop with numbers of their own.
    %r = llvm.getelementptr %p[%k] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %x, %r {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }
}

// -----

// Lanes are not neighbours, or take other steps.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @steps
  // CHECK-NOT: transposed
  gpu.func @steps(%p: !llvm.ptr<1>, %x: f32, %size: i64, %which: i1) kernel attributes {known_block_size = array<i32: 64, 2, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.thread_id x
    %n = arith.index_cast %i : index to i64
    %two = arith.constant 2 : i64
    %last = arith.constant 63 : i64
    %twice = arith.muli %n, %two : i64
    %q = llvm.getelementptr %p[%twice] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %x, %q {alignment = 4 : i64} : f32, !llvm.ptr<1>
    %back = arith.subi %last, %n : i64
    %r = llvm.getelementptr %p[%back] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %x, %r {alignment = 4 : i64} : f32, !llvm.ptr<1>
    %column = arith.muli %n, %size : i64
    %s = llvm.getelementptr %p[%column] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %x, %s {alignment = 4 : i64} : f32, !llvm.ptr<1>
    %apart = arith.shrui %n, %two : i64
    %t = llvm.getelementptr %p[%apart] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %x, %t {alignment = 4 : i64} : f32, !llvm.ptr<1>
    %either = arith.select %which, %n, %twice : i64
    %u = llvm.getelementptr %p[%either] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %x, %u {alignment = 4 : i64} : f32, !llvm.ptr<1>
    %odd = arith.trunci %n : i64 to i1
    %own = arith.select %odd, %n, %n : i64
    %v = llvm.getelementptr %p[%own] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %x, %v {alignment = 4 : i64} : f32, !llvm.ptr<1>
    %w = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %z = llvm.load %w {volatile_} : !llvm.ptr<1> -> f32
    llvm.store volatile %x, %w {alignment = 4 : i64} : f32, !llvm.ptr<1>
    %a = llvm.load %w atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    gpu.return
  }
}

// -----

// Numbers of 32 bits that may wrap around between two lanes are ramps only if all lanes stay in one object.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @wrapping
  // CHECK-NOT: transposed
  gpu.func @wrapping(%p: !llvm.ptr<1>, %x: f32, %start: i32, %half: i16) kernel attributes {known_block_size = array<i32: 64, 1, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %g = gpu.global_id x
    %n = arith.index_cast %g : index to i32
    %a = arith.extsi %n : i32 to i64
    %q = llvm.getelementptr %p[%a] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %x, %q {alignment = 4 : i64} : f32, !llvm.ptr<1>
    %i = gpu.thread_id x
    %m = arith.index_cast %i : index to i32
    %sum = arith.addi %m, %start : i32
    %r = llvm.getelementptr %p[%sum] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %r {alignment = 4 : i64} : f32, !llvm.ptr<1>
    // Bytes may be that far apart in an object, and so may elements that 16 bits count.
    %four = arith.constant 2 : i32
    %bytes = arith.shli %sum, %four : i32
    %s = llvm.getelementptr inbounds %p[%bytes] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    llvm.store %x, %s {alignment = 4 : i64} : f32, !llvm.ptr<1>
    %h = arith.index_cast %i : index to i16
    %short = arith.addi %h, %half : i16
    %t = llvm.getelementptr inbounds %p[%short] : (!llvm.ptr<1>, i16) -> !llvm.ptr<1>, i32
    llvm.store %x, %t {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }
  // CHECK-LABEL: xe.kernel @inbounds
  // CHECK-COUNT-6: xe.store{{.*}}transposed
  gpu.func @inbounds(%p: !llvm.ptr<1>, %x: f32, %start: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %g = gpu.global_id x
    %n = arith.index_cast %g : index to i32
    %q = llvm.getelementptr inbounds %p[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %q {alignment = 4 : i64} : f32, !llvm.ptr<1>
    %sum = arith.addi %n, %start : i32
    %wide = arith.extui %sum : i32 to i64
    %r = llvm.getelementptr inbounds %p[%wide] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %x, %r {alignment = 4 : i64} : f32, !llvm.ptr<1>
    // LLVM's way to an index of 32 bits, times the size of an element.
    %high = arith.constant 32 : i64
    %low = arith.constant 30 : i64
    %id = arith.index_cast %g : index to i64
    %up = arith.shli %id, %high : i64
    %bytes = arith.shrsi %up, %low : i64
    %s = llvm.getelementptr inbounds %p[%bytes] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    llvm.store %x, %s {alignment = 4 : i64} : f32, !llvm.ptr<1>
    // Ids in a group, and starts at multiples of the subgroup's size, do not wrap around between lanes.
    %i = gpu.thread_id x
    %m = arith.index_cast %i : index to i32
    %t = llvm.getelementptr %p[%m] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %t {alignment = 4 : i64} : f32, !llvm.ptr<1>
    %sixteen = arith.constant 16 : i32
    %block = arith.muli %start, %sixteen : i32
    %u = arith.addi %block, %m : i32
    %v = llvm.getelementptr %p[%u] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %v {alignment = 4 : i64} : f32, !llvm.ptr<1>
    %mask = arith.constant 31 : i32
    %w = arith.andi %m, %mask : i32
    %y = llvm.getelementptr %p[%w] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %y {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }
}
