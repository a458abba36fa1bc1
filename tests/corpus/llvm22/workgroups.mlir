// Kernels of work-groups: values are those of all subgroups together, and layouts say who computes what.
#a = #xegpu.layout<sg_layout = [2, 4], sg_data = [32, 32], inst_data = [8, 16]>
#b = #xegpu.layout<sg_layout = [2, 4], sg_data = [32, 16], inst_data = [16, 16]>
#c = #xegpu.layout<sg_layout = [2, 4], sg_data = [32, 16], inst_data = [8, 16]>
#bt = #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 32], order = [0, 1]>
#prefetch_a = #xegpu.layout<sg_layout = [8, 1], sg_data = [8, 32]>
#prefetch_b = #xegpu.layout<sg_layout = [4, 2], sg_data = [8, 32]>
#rows = #xegpu.layout<sg_layout = [2, 4], sg_data = [16, 32]>
#rounds = #xegpu.layout<sg_layout = [2, 4], sg_data = [8, 16]>
#tall = #xegpu.layout<sg_layout = [8, 1], sg_data = [4, 128]>
#list = #xegpu.layout<sg_layout = [8], sg_data = [16]>
#cube = #xegpu.layout<sg_layout = [2, 2, 2], sg_data = [2, 2, 16], order = [0, 2, 1]>

gpu.module @workgroups [#xevm.target<chip = "pvc">] {
  // C += A * B, with prefetches that other subgroups execute than those that load.
  gpu.func @gemm(%a: memref<64x128xf16>, %b: memref<128x64xf16>, %c: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %tc = xegpu.create_nd_tdesc %c : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32, #c>
    %ta = xegpu.create_nd_tdesc %a : memref<64x128xf16> -> !xegpu.tensor_desc<64x32xf16, #a>
    %tb = xegpu.create_nd_tdesc %b : memref<128x64xf16> -> !xegpu.tensor_desc<32x64xf16, #b>
    %pa = xegpu.create_nd_tdesc %a : memref<64x128xf16> -> !xegpu.tensor_desc<64x32xf16, #prefetch_a>
    %pb = xegpu.create_nd_tdesc %b : memref<128x64xf16> -> !xegpu.tensor_desc<32x64xf16, #prefetch_b>
    xegpu.prefetch_nd %pa[0, 0] : !xegpu.tensor_desc<64x32xf16, #prefetch_a>
    xegpu.prefetch_nd %pb[0, 0] : !xegpu.tensor_desc<32x64xf16, #prefetch_b>
    %z = xegpu.load_nd %tc[0, 0] <{layout = #c}> : !xegpu.tensor_desc<64x64xf32, #c> -> vector<64x64xf32>
    %r = scf.for %k = %c0 to %c128 step %c32 iter_args(%acc = %z) -> vector<64x64xf32> {
      %next = arith.addi %k, %c32 : index
      xegpu.prefetch_nd %pa[0, %next] <{layout = #prefetch_a}> : !xegpu.tensor_desc<64x32xf16, #prefetch_a>
      xegpu.prefetch_nd %pb[%next, 0] <{layout = #prefetch_b}> : !xegpu.tensor_desc<32x64xf16, #prefetch_b>
      %av = xegpu.load_nd %ta[0, %k] <{layout = #a}> : !xegpu.tensor_desc<64x32xf16, #a> -> vector<64x32xf16>
      %bv = xegpu.load_nd %tb[%k, 0] <{layout = #b}> : !xegpu.tensor_desc<32x64xf16, #b> -> vector<32x64xf16>
      %n = xegpu.dpas %av, %bv, %acc {layout_a = #a, layout_b = #b, layout_cd = #c} : vector<64x32xf16>, vector<32x64xf16>, vector<64x64xf32> -> vector<64x64xf32>
      scf.yield %n : vector<64x64xf32>
    }
    xegpu.store_nd %r, %tc[0, 0] <{layout = #c}> : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32, #c>
    gpu.return
  }

  // C = A * transpose(B): the layout of B is the transpose of what the product needs, its order included. Only the store says how C is shared.
  gpu.func @gemm_bt(%a: memref<64x128xf16>, %b: memref<64x128xf16>, %c: memref<64x64xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %z = arith.constant dense<0.0> : vector<64x64xf32>
    %tc = xegpu.create_nd_tdesc %c : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
    %ta = xegpu.create_nd_tdesc %a : memref<64x128xf16> -> !xegpu.tensor_desc<64x32xf16>
    %tb = xegpu.create_nd_tdesc %b : memref<64x128xf16> -> !xegpu.tensor_desc<64x32xf16, #bt>
    %r = scf.for %k = %c0 to %c128 step %c32 iter_args(%acc = %z) -> vector<64x64xf32> {
      %av = xegpu.load_nd %ta[0, %k] : !xegpu.tensor_desc<64x32xf16> -> vector<64x32xf16>
      %bv = xegpu.load_nd %tb[0, %k] <{layout = #bt}> : !xegpu.tensor_desc<64x32xf16, #bt> -> vector<64x32xf16>
      %bt = vector.transpose %bv, [1, 0] : vector<64x32xf16> to vector<32x64xf16>
      %n = xegpu.dpas %av, %bt, %acc : vector<64x32xf16>, vector<32x64xf16>, vector<64x64xf32> -> vector<64x64xf32>
      scf.yield %n : vector<64x64xf32>
    }
    xegpu.store_nd %r, %tc[0, 0] <{layout = #c}> : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32>
    gpu.return
  }

  // Rows are shared by four subgroups, which combine their maxima and sums.
  gpu.func @softmax(%x: memref<32x128xf32>, %y: memref<32x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = xegpu.create_nd_tdesc %x : memref<32x128xf32> -> !xegpu.tensor_desc<32x128xf32>
    %v = xegpu.load_nd %t[0, 0] <{layout = #rows}> : !xegpu.tensor_desc<32x128xf32> -> vector<32x128xf32>
    %low = arith.constant {layout_result_0 = #xegpu.slice<#rows, dims = [1]>} dense<0xFF800000> : vector<32xf32>
    %max = vector.multi_reduction <maximumf>, %v, %low {layout_result_0 = #xegpu.slice<#rows, dims = [1]>} [1] : vector<32x128xf32> to vector<32xf32>
    %column = vector.shape_cast %max {layout_result_0 = #rows} : vector<32xf32> to vector<32x1xf32>
    %all = vector.broadcast %column {layout_result_0 = #rows} : vector<32x1xf32> to vector<32x128xf32>
    %d = arith.subf %v, %all {layout_result_0 = #rows} : vector<32x128xf32>
    %e = math.exp %d {layout_result_0 = #rows} : vector<32x128xf32>
    %zero = arith.constant dense<0.0> : vector<32xf32>
    %sum = vector.multi_reduction <add>, %e, %zero [1] : vector<32x128xf32> to vector<32xf32>
    %sums = vector.shape_cast %sum : vector<32xf32> to vector<32x1xf32>
    %every = vector.broadcast %sums : vector<32x1xf32> to vector<32x128xf32>
    %q = arith.divf %e, %every : vector<32x128xf32>
    %u = xegpu.create_nd_tdesc %y : memref<32x128xf32> -> !xegpu.tensor_desc<32x128xf32>
    xegpu.store_nd %q, %u[0, 0] <{layout = #rows}> : vector<32x128xf32>, !xegpu.tensor_desc<32x128xf32>
    gpu.return
  }

  // Scale and bias belong to columns: slices of the layout of the whole. Blocks are dealt out in rounds.
  gpu.func @layer_norm(%x: memref<32x128xf32>, %scale: memref<128xf32>, %bias: memref<128xf32>, %y: memref<32x128xf32>) kernel {
    %t = xegpu.create_nd_tdesc %x : memref<32x128xf32> -> !xegpu.tensor_desc<32x128xf32>
    %v = xegpu.load_nd %t[0, 0] <{layout = #rounds}> : !xegpu.tensor_desc<32x128xf32> -> vector<32x128xf32>
    %zero = arith.constant dense<0.0> : vector<32xf32>
    %n = arith.constant dense<128.0> : vector<32xf32>
    %eps = arith.constant dense<1.0e-5> : vector<32xf32>
    %sum = vector.multi_reduction <add>, %v, %zero [1] : vector<32x128xf32> to vector<32xf32>
    %mean = arith.divf %sum, %n : vector<32xf32>
    %mean_column = vector.shape_cast %mean : vector<32xf32> to vector<32x1xf32>
    %means = vector.broadcast %mean_column : vector<32x1xf32> to vector<32x128xf32>
    %d = arith.subf %v, %means : vector<32x128xf32>
    %squares = arith.mulf %d, %d : vector<32x128xf32>
    %total = vector.multi_reduction <add>, %squares, %zero [1] : vector<32x128xf32> to vector<32xf32>
    %variance = arith.divf %total, %n : vector<32xf32>
    %shifted = arith.addf %variance, %eps : vector<32xf32>
    %factor = math.rsqrt %shifted : vector<32xf32>
    %factor_column = vector.shape_cast %factor : vector<32xf32> to vector<32x1xf32>
    %factors = vector.broadcast %factor_column : vector<32x1xf32> to vector<32x128xf32>
    %normal = arith.mulf %d, %factors : vector<32x128xf32>
    %ts = xegpu.create_nd_tdesc %scale : memref<128xf32> -> !xegpu.tensor_desc<128xf32>
    %tb = xegpu.create_nd_tdesc %bias : memref<128xf32> -> !xegpu.tensor_desc<128xf32>
    %s = xegpu.load_nd %ts[0] <{layout = #xegpu.slice<#rounds, dims = [0]>}> : !xegpu.tensor_desc<128xf32> -> vector<128xf32>
    %b = xegpu.load_nd %tb[0] <{layout = #xegpu.slice<#rounds, dims = [0]>}> : !xegpu.tensor_desc<128xf32> -> vector<128xf32>
    %ss = vector.broadcast %s : vector<128xf32> to vector<32x128xf32>
    %bs = vector.broadcast %b : vector<128xf32> to vector<32x128xf32>
    %r = math.fma %normal, %ss, %bs : vector<32x128xf32>
    %u = xegpu.create_nd_tdesc %y : memref<32x128xf32> -> !xegpu.tensor_desc<32x128xf32>
    xegpu.store_nd %r, %u[0, 0] <{layout = #rounds}> : vector<32x128xf32>, !xegpu.tensor_desc<32x128xf32>
    gpu.return
  }

  // Each row of the result is the row of the table that the list names; negative numbers name none.
  gpu.func @embedding(%table: memref<6400xf32>, %ids: memref<32xi32>, %y: memref<4096xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %number = vector.step : vector<32xindex>
    %every = arith.constant dense<true> : vector<32xi1>
    %id = xegpu.load %ids[%number], %every : memref<32xi32>, vector<32xindex>, vector<32xi1> -> vector<32xi32>
    %none = arith.constant dense<0> : vector<32xi32>
    %valid = arith.cmpi sge, %id, %none : vector<32xi32>
    %row = arith.index_cast %id : vector<32xi32> to vector<32xindex>
    %row_column = vector.shape_cast %row : vector<32xindex> to vector<32x1xindex>
    %valid_column = vector.shape_cast %valid : vector<32xi1> to vector<32x1xi1>
    %rows = vector.broadcast %row_column : vector<32x1xindex> to vector<32x128xindex>
    %mask = vector.broadcast %valid_column : vector<32x1xi1> to vector<32x128xi1>
    %step = vector.step : vector<128xindex>
    %columns = vector.broadcast %step : vector<128xindex> to vector<32x128xindex>
    %width = arith.constant dense<128> : vector<32x128xindex>
    %start = arith.muli %rows, %width : vector<32x128xindex>
    %from = arith.addi %start, %columns : vector<32x128xindex>
    %found = xegpu.load %table[%from], %mask <{layout = #rows}> : memref<6400xf32>, vector<32x128xindex>, vector<32x128xi1> -> vector<32x128xf32>
    %zero = arith.constant dense<0.0> : vector<32x128xf32>
    %v = arith.select %mask, %found, %zero : vector<32x128xi1>, vector<32x128xf32>
    %number_column = vector.shape_cast %number : vector<32xindex> to vector<32x1xindex>
    %numbers = vector.broadcast %number_column : vector<32x1xindex> to vector<32x128xindex>
    %first = arith.muli %numbers, %width : vector<32x128xindex>
    %to = arith.addi %first, %columns : vector<32x128xindex>
    %all = arith.constant dense<true> : vector<32x128xi1>
    xegpu.store %v, %y[%to], %all <{layout = #rows}> : vector<32x128xf32>, memref<4096xf32>, vector<32x128xindex>, vector<32x128xi1>
    gpu.return
  }

  // All subgroups put their parts of X into shared local memory and take parts of its transpose.
  gpu.func @staged(%x: memref<64x64xf16>, %y: memref<64x64xf16>) kernel {
    %slm = memref.alloca() : memref<8192xi8, 3>
    %md = xegpu.create_mem_desc %slm : memref<8192xi8, 3> -> !xegpu.mem_desc<64x64xf16>
    %turned = xegpu.create_mem_desc %slm : memref<8192xi8, 3> -> !xegpu.mem_desc<64x64xf16, #xegpu.mem_layout<stride = [1, 64]>>
    %t = xegpu.create_nd_tdesc %x : memref<64x64xf16> -> !xegpu.tensor_desc<64x64xf16>
    %v = xegpu.load_nd %t[0, 0] <{layout = #c}> : !xegpu.tensor_desc<64x64xf16> -> vector<64x64xf16>
    xegpu.store_matrix %v, %md[0, 0] <{layout = #c}> : vector<64x64xf16>, !xegpu.mem_desc<64x64xf16>
    gpu.barrier
    %w = xegpu.load_matrix %turned[0, 0] <{layout = #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 32]>}> : !xegpu.mem_desc<64x64xf16, #xegpu.mem_layout<stride = [1, 64]>> -> vector<64x64xf16>
    %u = xegpu.create_nd_tdesc %y : memref<64x64xf16> -> !xegpu.tensor_desc<64x64xf16>
    xegpu.store_nd %w, %u[0, 0] <{layout = #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 32]>}> : vector<64x64xf16>, !xegpu.tensor_desc<64x64xf16>
    gpu.return
  }

  // Causal attention of 64 queries in blocks of 32 keys, with a running maximum and sum.
  gpu.func @attention(%q: memref<64x64xf16>, %k: memref<64x64xf16>, %v: memref<64x64xf16>, %o: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %low = arith.constant dense<-1.0e30> : vector<64xf32>
    %none = arith.constant dense<-1.0e30> : vector<64x32xf32>
    %zeros = arith.constant dense<0.0> : vector<64xf32>
    %start = arith.constant dense<0.0> : vector<64x64xf32>
    %scores0 = arith.constant dense<0.0> : vector<64x32xf32>
    %tq = xegpu.create_nd_tdesc %q : memref<64x64xf16> -> !xegpu.tensor_desc<64x64xf16>
    %tk = xegpu.create_nd_tdesc %k : memref<64x64xf16> -> !xegpu.tensor_desc<32x64xf16>
    %tv = xegpu.create_nd_tdesc %v : memref<64x64xf16> -> !xegpu.tensor_desc<32x64xf16>
    %to = xegpu.create_nd_tdesc %o : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
    %qv = xegpu.load_nd %tq[0, 0] <{layout = #xegpu.layout<sg_layout = [8, 1], sg_data = [8, 64]>}> : !xegpu.tensor_desc<64x64xf16> -> vector<64x64xf16>
    %row = vector.step : vector<64xindex>
    %row_column = vector.shape_cast %row : vector<64xindex> to vector<64x1xindex>
    %rows = vector.broadcast %row_column : vector<64x1xindex> to vector<64x32xindex>
    %column = vector.step : vector<32xindex>
    %r:3 = scf.for %j = %c0 to %c64 step %c32 iter_args(%acc = %start, %m = %low, %l = %zeros) -> (vector<64x64xf32>, vector<64xf32>, vector<64xf32>) {
      %kv = xegpu.load_nd %tk[%j, 0] : !xegpu.tensor_desc<32x64xf16> -> vector<32x64xf16>
      %kt = vector.transpose %kv, [1, 0] : vector<32x64xf16> to vector<64x32xf16>
      %s = xegpu.dpas %qv, %kt, %scores0 {layout_cd = #xegpu.layout<sg_layout = [8, 1], sg_data = [8, 32]>} : vector<64x64xf16>, vector<64x32xf16>, vector<64x32xf32> -> vector<64x32xf32>
      %first = vector.broadcast %j : index to vector<32xindex>
      %key = arith.addi %column, %first : vector<32xindex>
      %keys = vector.broadcast %key : vector<32xindex> to vector<64x32xindex>
      %seen = arith.cmpi ule, %keys, %rows : vector<64x32xindex>
      %masked = arith.select %seen, %s, %none : vector<64x32xi1>, vector<64x32xf32>
      %most = vector.multi_reduction <maximumf>, %masked, %m [1] : vector<64x32xf32> to vector<64xf32>
      %most_column = vector.shape_cast %most : vector<64xf32> to vector<64x1xf32>
      %mosts = vector.broadcast %most_column : vector<64x1xf32> to vector<64x32xf32>
      %d = arith.subf %masked, %mosts : vector<64x32xf32>
      %p = math.exp %d : vector<64x32xf32>
      %change = arith.subf %m, %most : vector<64xf32>
      %factor = math.exp %change : vector<64xf32>
      %kept = arith.mulf %l, %factor : vector<64xf32>
      %sum = vector.multi_reduction <add>, %p, %kept [1] : vector<64x32xf32> to vector<64xf32>
      %factor_column = vector.shape_cast %factor : vector<64xf32> to vector<64x1xf32>
      %factors = vector.broadcast %factor_column : vector<64x1xf32> to vector<64x64xf32>
      %scaled = arith.mulf %acc, %factors : vector<64x64xf32>
      %half = arith.truncf %p : vector<64x32xf32> to vector<64x32xf16>
      %vv = xegpu.load_nd %tv[%j, 0] : !xegpu.tensor_desc<32x64xf16> -> vector<32x64xf16>
      %next = xegpu.dpas %half, %vv, %scaled {layout_cd = #xegpu.layout<sg_layout = [8, 1], sg_data = [8, 64]>} : vector<64x32xf16>, vector<32x64xf16>, vector<64x64xf32> -> vector<64x64xf32>
      scf.yield %next, %most, %sum : vector<64x64xf32>, vector<64xf32>, vector<64xf32>
    }
    %l_column = vector.shape_cast %r#2 : vector<64xf32> to vector<64x1xf32>
    %ls = vector.broadcast %l_column : vector<64x1xf32> to vector<64x64xf32>
    %result = arith.divf %r#0, %ls : vector<64x64xf32>
    xegpu.store_nd %result, %to[0, 0] : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32>
    gpu.return
  }

  // Each work-group adds its share of K to C. Two subgroups hold each sum of a row of products, and one of them adds it.
  gpu.func @split_k(%x: memref<32x128xf32>, %y: memref<32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c64 = arith.constant 64 : index
    %g = gpu.block_id x
    %k = arith.muli %g, %c64 : index
    %t = xegpu.create_nd_tdesc %x : memref<32x128xf32> -> !xegpu.tensor_desc<32x64xf32>
    %v = xegpu.load_nd %t[0, %k] <{layout = #xegpu.layout<sg_layout = [2, 4], sg_data = [16, 16]>}> : !xegpu.tensor_desc<32x64xf32> -> vector<32x64xf32>
    %zero = arith.constant dense<0.0> : vector<32xf32>
    %sum = vector.multi_reduction <add>, %v, %zero [1] : vector<32x64xf32> to vector<32xf32>
    %o = vector.step : vector<32xindex>
    %every = arith.constant dense<true> : vector<32xi1>
    %d = xegpu.create_tdesc %y, %o : memref<32xf32>, vector<32xindex> -> !xegpu.tensor_desc<32xf32, #xegpu.scatter_tdesc_attr<>, #xegpu.layout<sg_layout = [2], sg_data = [16]>>
    %old = xegpu.atomic_rmw addf %d, %every, %sum : !xegpu.tensor_desc<32xf32, #xegpu.scatter_tdesc_attr<>, #xegpu.layout<sg_layout = [2], sg_data = [16]>>, vector<32xi1>, vector<32xf32> -> vector<32xf32>
    gpu.return
  }

  // The value goes through three layouts; an element of its sums is extracted from all of them.
  gpu.func @layouts(%x: memref<32x128xf32>, %y: memref<32x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = xegpu.create_nd_tdesc %x : memref<32x128xf32> -> !xegpu.tensor_desc<32x128xf32>
    %v = xegpu.load_nd %t[0, 0] <{layout = #rounds}> : !xegpu.tensor_desc<32x128xf32> -> vector<32x128xf32>
    %w = xegpu.convert_layout %v <{input_layout = #rounds, target_layout = #tall}> : vector<32x128xf32>
    %d = arith.addf %w, %w : vector<32x128xf32>
    %s = xegpu.convert_layout %d <{input_layout = #tall, target_layout = #rows}> : vector<32x128xf32>
    %zero = arith.constant dense<0.0> : vector<32xf32>
    %highest = vector.multi_reduction <maximumf>, %s, %zero [1] : vector<32x128xf32> to vector<32xf32>
    %e = vector.extract %highest[3] : f32 from vector<32xf32>
    %es = vector.broadcast %e : f32 to vector<32x128xf32>
    %r = arith.addf %s, %es : vector<32x128xf32>
    %u = xegpu.create_nd_tdesc %y : memref<32x128xf32> -> !xegpu.tensor_desc<32x128xf32>
    xegpu.store_nd %r, %u[0, 0] <{layout = #rows}> : vector<32x128xf32>, !xegpu.tensor_desc<32x128xf32>
    gpu.return
  }

  // A cube, whose first dimension is the one in which subgroups are numbered fastest, and its sum over the middle one.
  gpu.func @cube(%x: memref<512xi32>, %y: memref<512xi32>, %z: memref<4x32xi32>) kernel {
    %plane = vector.step : vector<4xindex>
    %row = vector.step : vector<4xindex>
    %column = vector.step : vector<32xindex>
    %p1 = vector.shape_cast %plane : vector<4xindex> to vector<4x1x1xindex>
    %p = vector.broadcast %p1 : vector<4x1x1xindex> to vector<4x4x32xindex>
    %r1 = vector.shape_cast %row : vector<4xindex> to vector<1x4x1xindex>
    %r = vector.broadcast %r1 : vector<1x4x1xindex> to vector<4x4x32xindex>
    %c = vector.broadcast %column : vector<32xindex> to vector<4x4x32xindex>
    %c128 = arith.constant dense<128> : vector<4x4x32xindex>
    %c32 = arith.constant dense<32> : vector<4x4x32xindex>
    %o0 = arith.muli %p, %c128 : vector<4x4x32xindex>
    %o1 = arith.muli %r, %c32 : vector<4x4x32xindex>
    %o2 = arith.addi %o0, %o1 : vector<4x4x32xindex>
    %o = arith.addi %o2, %c {layout_result_0 = #cube} : vector<4x4x32xindex>
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c30 = arith.constant 30 : index
    %mask = vector.create_mask %c3, %c4, %c30 : vector<4x4x32xi1>
    %v = xegpu.load %x[%o], %mask <{layout = #cube}> : memref<512xi32>, vector<4x4x32xindex>, vector<4x4x32xi1> -> vector<4x4x32xi32>
    %zero = arith.constant dense<0> : vector<4x4x32xi32>
    %w = arith.select %mask, %v, %zero : vector<4x4x32xi1>, vector<4x4x32xi32>
    %turned = vector.transpose %w, [1, 0, 2] : vector<4x4x32xi32> to vector<4x4x32xi32>
    %d = arith.addi %w, %turned : vector<4x4x32xi32>
    xegpu.store %d, %y[%o], %mask <{layout = #cube}> : vector<4x4x32xi32>, memref<512xi32>, vector<4x4x32xindex>, vector<4x4x32xi1>
    %none = arith.constant dense<0> : vector<4x32xi32>
    %sum = vector.multi_reduction <add>, %w, %none [1] : vector<4x4x32xi32> to vector<4x32xi32>
    %t = xegpu.create_nd_tdesc %z : memref<4x32xi32> -> !xegpu.tensor_desc<4x32xi32>
    xegpu.store_nd %sum, %t[0, 0] <{layout = #xegpu.slice<#cube, dims = [1]>}> : vector<4x32xi32>, !xegpu.tensor_desc<4x32xi32>
    gpu.return
  }
}
