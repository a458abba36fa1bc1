// C = scale_a * scale_b * ((A - zero) x B), i8 to f32: a work-group kernel in XeTile, and what a host prepares for it.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: work that is shared between host and kernel. (A - zero) x B is A x B less zero times the sums of B's
// columns; these depend on the weights alone, so the host computes them once and hands them over. Its reference
// subtracts first, and so checks that as well.
#map_a = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 32]>
#map_b = #xetile.wg_map<sg_layout = [2, 2], sg_data = [32, 16]>
#map_c = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
#map_row = #xetile.wg_map<sg_layout = [2, 2], sg_data = [1, 16]>
#map_col = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 1]>
!tile_a = !xetile.tile<32x32xi8, #xetile.tile_attr<wg_map = #map_a>>
!tile_b = !xetile.tile<32x32xi8, #xetile.tile_attr<wg_map = #map_b>>
!tile_row = !xetile.tile<1x32xi32, #xetile.tile_attr<wg_map = #map_row>>
!tile_row_f32 = !xetile.tile<1x32xf32, #xetile.tile_attr<wg_map = #map_row>>
!tile_col_f32 = !xetile.tile<32x1xf32, #xetile.tile_attr<wg_map = #map_col>>
!tile_c_f32 = !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #map_c>>
module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c11 = arith.constant 11 : index
    %c19 = arith.constant 19 : index
    %zero_point = arith.constant 3 : i32
    %low = arith.constant 0.01 : f32
    %high = arith.constant 0.06 : f32
    %fractions = arith.constant false
    %a = gpu.alloc host_shared () : memref<64x64xi8>
    %b = gpu.alloc host_shared () : memref<64x32xi8>
    %zeros = gpu.alloc host_shared () : memref<1x32xi32>
    %scale_a = gpu.alloc host_shared () : memref<64x1xf32>
    %scale_b = gpu.alloc host_shared () : memref<1x32xf32>
    %c = gpu.alloc host_shared () : memref<64x32xf32>
    %expected = memref.alloc() : memref<64x32xf32>
    %a_of_any_size = memref.cast %a : memref<64x64xi8> to memref<?x?xi8>
    %b_of_any_size = memref.cast %b : memref<64x32xi8> to memref<?x?xi8>
    call @fill(%a_of_any_size, %c19) : (memref<?x?xi8>, index) -> ()
    call @fill(%b_of_any_size, %c11) : (memref<?x?xi8>, index) -> ()
    %any_scale_a = memref.cast %scale_a : memref<64x1xf32> to memref<*xf32>
    %any_scale_b = memref.cast %scale_b : memref<1x32xf32> to memref<*xf32>
    call @fillResource1DRandomF32(%any_scale_a, %low, %high, %fractions) : (memref<*xf32>, f32, f32, i1) -> ()
    call @fillResource1DRandomF32(%any_scale_b, %low, %high, %fractions) : (memref<*xf32>, f32, f32, i1) -> ()
    call @prepare(%b, %zero_point, %zeros) : (memref<64x32xi8>, i32, memref<1x32xi32>) -> ()

    gpu.launch_func @kernels::@gemm blocks in (%c2, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%a : memref<64x64xi8>, %b : memref<64x32xi8>, %zeros : memref<1x32xi32>, %scale_a : memref<64x1xf32>,
             %scale_b : memref<1x32xf32>, %c : memref<64x32xf32>)

    call @product_on_the_host(%a, %b, %zero_point, %scale_a, %scale_b, %expected)
        : (memref<64x64xi8>, memref<64x32xi8>, i32, memref<64x1xf32>, memref<1x32xf32>, memref<64x32xf32>) -> ()
    %any_c = memref.cast %c : memref<64x32xf32> to memref<*xf32>
    %any_expected = memref.cast %expected : memref<64x32xf32> to memref<*xf32>
    // CHECK: [ALLCLOSE: TRUE]
    call @printAllcloseF32(%any_c, %any_expected) : (memref<*xf32>, memref<*xf32>) -> ()
    memref.dealloc %expected : memref<64x32xf32>
    gpu.dealloc %a : memref<64x64xi8>
    gpu.dealloc %b : memref<64x32xi8>
    gpu.dealloc %zeros : memref<1x32xi32>
    gpu.dealloc %scale_a : memref<64x1xf32>
    gpu.dealloc %scale_b : memref<1x32xf32>
    gpu.dealloc %c : memref<64x32xf32>
    return
  }

  // Element number k becomes k squared modulo the period, less half of it.
  func.func @fill(%matrix: memref<?x?xi8>, %period: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %rows = memref.dim %matrix, %c0 : memref<?x?xi8>
    %columns = memref.dim %matrix, %c1 : memref<?x?xi8>
    %half = arith.divui %period, %c2 : index
    scf.for %i = %c0 to %rows step %c1 {
      scf.for %j = %c0 to %columns step %c1 {
        %first = arith.muli %i, %columns : index
        %k = arith.addi %first, %j : index
        %square = arith.muli %k, %k : index
        %rest = arith.remui %square, %period : index
        %number = arith.subi %rest, %half : index
        %narrow = arith.index_cast %number : index to i8
        memref.store %narrow, %matrix[%i, %j] : memref<?x?xi8>
      }
    }
    return
  }

  func.func @prepare(%b: memref<64x32xi8>, %zero_point: i32, %zeros: memref<1x32xi32>) {
    %nothing = arith.constant 0 : i32
    linalg.fill ins(%nothing : i32) outs(%zeros : memref<1x32xi32>)
    %row = memref.collapse_shape %zeros [[0, 1]] : memref<1x32xi32> into memref<32xi32>
    linalg.generic {indexing_maps = [affine_map<(j, k) -> (k, j)>, affine_map<(j, k) -> (j)>],
                    iterator_types = ["parallel", "reduction"]}
        ins(%b : memref<64x32xi8>) outs(%row : memref<32xi32>) {
    ^bb0(%weight: i8, %so_far: i32):
      %wide = arith.extsi %weight : i8 to i32
      %product = arith.muli %wide, %zero_point : i32
      %next = arith.addi %so_far, %product : i32
      linalg.yield %next : i32
    }
    return
  }

  func.func @product_on_the_host(%a: memref<64x64xi8>, %b: memref<64x32xi8>, %zero_point: i32,
                                 %scale_a: memref<64x1xf32>, %scale_b: memref<1x32xf32>, %c: memref<64x32xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %nothing = arith.constant 0 : i32
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%so_far = %nothing) -> (i32) {
          %x = memref.load %a[%i, %k] : memref<64x64xi8>
          %y = memref.load %b[%k, %j] : memref<64x32xi8>
          %wide_x = arith.extsi %x : i8 to i32
          %wide_y = arith.extsi %y : i8 to i32
          %centred = arith.subi %wide_x, %zero_point : i32
          %product = arith.muli %centred, %wide_y : i32
          %next = arith.addi %so_far, %product : i32
          scf.yield %next : i32
        }
        %exact = arith.sitofp %sum : i32 to f32
        %row_scale = memref.load %scale_a[%i, %c0] : memref<64x1xf32>
        %column_scale = memref.load %scale_b[%c0, %j] : memref<1x32xf32>
        %by_rows = arith.mulf %exact, %row_scale : f32
        %by_columns = arith.mulf %by_rows, %column_scale : f32
        memref.store %by_columns, %c[%i, %j] : memref<64x32xf32>
      }
    }
    return
  }

  gpu.module @kernels {
    gpu.func @gemm(%a: memref<64x64xi8>, %b: memref<64x32xi8>, %zero_point: memref<1x32xi32>,
                   %scale_a: memref<64x1xf32>, %scale_b: memref<1x32xf32>, %c: memref<64x32xf32>) kernel
        attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 1, 1>,
                    known_grid_size = array<i32: 2, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %m = arith.muli %bx, %c32 : index
      %n = arith.muli %by, %c32 : index
      %a0 = xetile.init_tile %a[%m, 0] : memref<64x64xi8> -> !tile_a
      %b0 = xetile.init_tile %b[0, %n] : memref<64x32xi8> -> !tile_b
      %zero = arith.constant dense<0> : vector<32x32xi32>
      %result:3 = scf.for %k = %c0 to %c64 step %c32 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
          -> (!tile_a, !tile_b, vector<32x32xi32>) {
        %va = xetile.load_tile %ta : !tile_a -> vector<32x32xi8>
        %vb = xetile.load_tile %tb : !tile_b -> vector<32x32xi8>
        %na = xetile.update_tile_offset %ta, [%c0, %c32] : !tile_a
        %nb = xetile.update_tile_offset %tb, [%c32, %c0] : !tile_b
        %sum = xetile.tile_mma %va, %vb, %acc {wg_map_a = #map_a, wg_map_b = #map_b, wg_map_c = #map_c}
            : vector<32x32xi8>, vector<32x32xi8>, vector<32x32xi32> -> vector<32x32xi32>
        scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<32x32xi32>
      }
      %tzeros = xetile.init_tile %zero_point[0, %n] : memref<1x32xi32> -> !tile_row
      %vzeros = xetile.load_tile %tzeros : !tile_row -> vector<1x32xi32>
      %zeros = xetile.broadcast %vzeros [0] {map = #map_c} : vector<1x32xi32> -> vector<32x32xi32>
      %difference = arith.subi %result#2, %zeros : vector<32x32xi32>
      %float = arith.sitofp %difference : vector<32x32xi32> to vector<32x32xf32>
      %tcolumn_scales = xetile.init_tile %scale_b[0, %n] : memref<1x32xf32> -> !tile_row_f32
      %vcolumn_scales = xetile.load_tile %tcolumn_scales : !tile_row_f32 -> vector<1x32xf32>
      %column_scales = xetile.broadcast %vcolumn_scales [0] {map = #map_c} : vector<1x32xf32> -> vector<32x32xf32>
      %trow_scales = xetile.init_tile %scale_a[%m, 0] : memref<64x1xf32> -> !tile_col_f32
      %vrow_scales = xetile.load_tile %trow_scales : !tile_col_f32 -> vector<32x1xf32>
      %row_scales = xetile.broadcast %vrow_scales [1] {map = #map_c} : vector<32x1xf32> -> vector<32x32xf32>
      %by_columns = arith.mulf %float, %column_scales : vector<32x32xf32>
      %by_rows = arith.mulf %by_columns, %row_scales : vector<32x32xf32>
      %tc = xetile.init_tile %c[%m, %n] : memref<64x32xf32> -> !tile_c_f32
      xetile.store_tile %by_rows, %tc : vector<32x32xf32>, !tile_c_f32
      gpu.return
    }
  }
  func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
