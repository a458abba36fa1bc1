// y[to[k]] = 2 * x[from[k]], where negative indices stand for "nowhere": scattered tiles of subgroups in XeTile.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: tables of a program. `memref.global` holds what is known beforehand, here how far the indices of each
// row are apart; the host makes the indices from it, and leaves out every fifth and every seventh. What nothing is
// scattered to keeps what it had, so the reference starts from the same numbers.
!indices = !xetile.tile<8x16xi32>
!elements = !xetile.tile<8x16xf32, #xetile.tile_attr<scattered = true>>
module attributes {gpu.container_module} {
  memref.global "private" constant @distances : memref<8xindex> = dense<[1, 3, 7, 9, 11, 13, 17, 19]>

  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %low = arith.constant -1.0 : f32
    %high = arith.constant 1.0 : f32
    %fractions = arith.constant false
    %from = gpu.alloc host_shared () : memref<8x64xi32>
    %to = gpu.alloc host_shared () : memref<8x64xi32>
    %x = gpu.alloc host_shared () : memref<700xf32>
    %y = gpu.alloc host_shared () : memref<600xf32>
    %expected = memref.alloc() : memref<600xf32>
    %any_x = memref.cast %x : memref<700xf32> to memref<*xf32>
    %any_y = memref.cast %y : memref<600xf32> to memref<*xf32>
    call @fillResource1DRandomF32(%any_x, %low, %high, %fractions) : (memref<*xf32>, f32, f32, i1) -> ()
    call @fillResource1DRandomF32(%any_y, %low, %high, %fractions) : (memref<*xf32>, f32, f32, i1) -> ()
    memref.copy %y, %expected : memref<600xf32> to memref<600xf32>
    call @choose(%from, %to) : (memref<8x64xi32>, memref<8x64xi32>) -> ()

    gpu.launch_func @kernels::@gather_scatter blocks in (%c2, %c1, %c1) threads in (%c2, %c1, %c1)
        args(%from : memref<8x64xi32>, %to : memref<8x64xi32>, %x : memref<700xf32>, %y : memref<600xf32>)

    call @move_on_the_host(%from, %to, %x, %expected)
        : (memref<8x64xi32>, memref<8x64xi32>, memref<700xf32>, memref<600xf32>) -> ()
    %any_expected = memref.cast %expected : memref<600xf32> to memref<*xf32>
    // CHECK: [ALLCLOSE: TRUE]
    call @printAllcloseF32(%any_y, %any_expected) : (memref<*xf32>, memref<*xf32>) -> ()
    memref.dealloc %expected : memref<600xf32>
    gpu.dealloc %from : memref<8x64xi32>
    gpu.dealloc %to : memref<8x64xi32>
    gpu.dealloc %x : memref<700xf32>
    gpu.dealloc %y : memref<600xf32>
    return
  }

  // No two elements go to the same place: number k goes to 599 - k.
  func.func @choose(%from: memref<8x64xi32>, %to: memref<8x64xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c599 = arith.constant 599 : index
    %c700 = arith.constant 700 : index
    %nowhere = arith.constant -1 : index
    %distances = memref.get_global @distances : memref<8xindex>
    scf.for %i = %c0 to %c8 step %c1 {
      %distance = memref.load %distances[%i] : memref<8xindex>
      scf.for %j = %c0 to %c64 step %c1 {
        %first = arith.muli %i, %c64 : index
        %k = arith.addi %first, %j : index
        %far = arith.muli %k, %distance : index
        %origin = arith.remui %far, %c700 : index
        %target = arith.subi %c599, %k : index
        %fifth = arith.remui %k, %c5 : index
        %seventh = arith.remui %k, %c7 : index
        %is_fifth = arith.cmpi eq, %fifth, %c0 : index
        %is_seventh = arith.cmpi eq, %seventh, %c0 : index
        %chosen_origin = arith.select %is_fifth, %nowhere, %origin : index
        %chosen_target = arith.select %is_seventh, %nowhere, %target : index
        %narrow_origin = arith.index_cast %chosen_origin : index to i32
        %narrow_target = arith.index_cast %chosen_target : index to i32
        memref.store %narrow_origin, %from[%i, %j] : memref<8x64xi32>
        memref.store %narrow_target, %to[%i, %j] : memref<8x64xi32>
      }
    }
    return
  }

  func.func @move_on_the_host(%from: memref<8x64xi32>, %to: memref<8x64xi32>, %x: memref<700xf32>,
                              %y: memref<600xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant 0 : i32
    %half = arith.constant 0.5 : f32
    %two = arith.constant 2.0 : f32
    %origins = memref.collapse_shape %from [[0, 1]] : memref<8x64xi32> into memref<512xi32>
    %targets = memref.collapse_shape %to [[0, 1]] : memref<8x64xi32> into memref<512xi32>
    scf.for %k = %c0 to %c512 step %c1 {
      %target = memref.load %targets[%k] : memref<512xi32>
      %goes = arith.cmpi sge, %target, %zero : i32
      scf.if %goes {
        %origin = memref.load %origins[%k] : memref<512xi32>
        %comes = arith.cmpi sge, %origin, %zero : i32
        %v = scf.if %comes -> (f32) {
          %i = arith.index_cast %origin : i32 to index
          %there = memref.load %x[%i] : memref<700xf32>
          scf.yield %there : f32
        } else {
          scf.yield %half : f32
        }
        %w = arith.mulf %v, %two : f32
        %j = arith.index_cast %target : i32 to index
        memref.store %w, %y[%j] : memref<600xf32>
      }
    }
    return
  }

  gpu.module @kernels {
    gpu.func @gather_scatter(%from: memref<8x64xi32>, %to: memref<8x64xi32>, %x: memref<700xf32>,
                             %y: memref<600xf32>) kernel
        attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 2, 1, 1>,
                    known_grid_size = array<i32: 2, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %zero = arith.constant dense<0> : vector<8x16xi32>
      %two = arith.constant dense<2.0> : vector<8x16xf32>
      %subgroup = gpu.global_id x
      %j = arith.muli %subgroup, %c16 : index
      %t_from = xetile.init_tile %from[%c0, %j] : memref<8x64xi32> -> !indices
      %t_to = xetile.init_tile %to[%c0, %j] : memref<8x64xi32> -> !indices
      %origin = xetile.load_tile %t_from : !indices -> vector<8x16xi32>
      %target = xetile.load_tile %t_to : !indices -> vector<8x16xi32>
      %comes = arith.cmpi sge, %origin, %zero : vector<8x16xi32>
      %goes = arith.cmpi sge, %target, %zero : vector<8x16xi32>
      %origins = arith.index_cast %origin : vector<8x16xi32> to vector<8x16xindex>
      %targets = arith.index_cast %target : vector<8x16xi32> to vector<8x16xindex>
      %tx = xetile.init_tile %x, %origins : memref<700xf32>, vector<8x16xindex> -> !elements
      %v = xetile.load %tx, %comes {padding = 0.5 : f32} : !elements, vector<8x16xi1> -> vector<8x16xf32>
      %w = arith.mulf %v, %two : vector<8x16xf32>
      %ty = xetile.init_tile %y, %targets : memref<600xf32>, vector<8x16xindex> -> !elements
      xetile.store %w, %ty, %goes : vector<8x16xf32>, !elements, vector<8x16xi1>
      gpu.return
    }
  }
  func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
