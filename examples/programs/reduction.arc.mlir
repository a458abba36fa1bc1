// Sums and maxima of rows and columns: work-items in XeGPU, and results that are printed as they are.
//
// RUN: xegpu-run %s --target arc --filecheck
//
// Look here for: `printMemrefF32`, whose output `CHECK-NEXT` lines compare, and inputs that are easy to check by hand:
// x[i, j] = 100 * i + j. A row of 64 has the sum 6400 * i + 2016 and the maximum 100 * i + 63; a column of 32 has the
// sum 49600 + 32 * j. Work-items combine what belongs to a row by `gpu.all_reduce`.
#map = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>
!tile = !xegpu.tensor_desc<32x8xf32, #map>
!row = !xegpu.tensor_desc<8xf32, #map>
module attributes {gpu.container_module} {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c100 = arith.constant 100 : index
    %x = gpu.alloc host_shared () : memref<32x64xf32>
    %row_sums = gpu.alloc host_shared () : memref<32x1xf32>
    %row_maxima = gpu.alloc host_shared () : memref<32x1xf32>
    %column_sums = gpu.alloc host_shared () : memref<1x64xf32>
    %column_maxima = gpu.alloc host_shared () : memref<1x64xf32>
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %hundreds = arith.muli %i, %c100 : index
        %number = arith.addi %hundreds, %j : index
        %whole = arith.index_cast %number : index to i32
        %v = arith.sitofp %whole : i32 to f32
        memref.store %v, %x[%i, %j] : memref<32x64xf32>
      }
    }
    gpu.launch_func @kernels::@reduction blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%x : memref<32x64xf32>, %row_sums : memref<32x1xf32>, %row_maxima : memref<32x1xf32>,
             %column_sums : memref<1x64xf32>, %column_maxima : memref<1x64xf32>)

    // The first and the last rows are enough to look at: parts of a buffer print with their own offset and strides.
    %some = memref.subview %row_sums[0, 0] [4, 1] [1, 1] : memref<32x1xf32> to memref<4x1xf32, strided<[1, 1]>>
    %any_some = memref.cast %some : memref<4x1xf32, strided<[1, 1]>> to memref<*xf32>
    // CHECK: sizes = [4, 1] strides = [1, 1] data =
    // CHECK-NEXT: [2016],
    // CHECK-NEXT: [8416],
    // CHECK-NEXT: [14816],
    // CHECK-NEXT: [21216]
    call @printMemrefF32(%any_some) : (memref<*xf32>) -> ()
    %last = memref.subview %row_maxima[29, 0] [3, 1] [1, 1]
        : memref<32x1xf32> to memref<3x1xf32, strided<[1, 1], offset: 29>>
    %any_last = memref.cast %last : memref<3x1xf32, strided<[1, 1], offset: 29>> to memref<*xf32>
    // CHECK: rank = 2 offset = 29 sizes = [3, 1] strides = [1, 1] data =
    // CHECK-NEXT: [2963],
    // CHECK-NEXT: [3063],
    // CHECK-NEXT: [3163]
    call @printMemrefF32(%any_last) : (memref<*xf32>) -> ()
    %every_9th = memref.subview %column_sums[0, 0] [1, 8] [1, 9]
        : memref<1x64xf32> to memref<1x8xf32, strided<[64, 9]>>
    %any_9th = memref.cast %every_9th : memref<1x8xf32, strided<[64, 9]>> to memref<*xf32>
    // CHECK: sizes = [1, 8] strides = [64, 9] data =
    // CHECK-NEXT: [49600, 49888, 50176, 50464, 50752, 51040, 51328, 51616]
    call @printMemrefF32(%any_9th) : (memref<*xf32>) -> ()
    %top = memref.load %column_maxima[%c0, %c0] : memref<1x64xf32>
    // CHECK: 3100
    vector.print %top : f32
    gpu.dealloc %x : memref<32x64xf32>
    gpu.dealloc %row_sums : memref<32x1xf32>
    gpu.dealloc %row_maxima : memref<32x1xf32>
    gpu.dealloc %column_sums : memref<1x64xf32>
    gpu.dealloc %column_maxima : memref<1x64xf32>
    return
  }

  gpu.module @kernels {
    gpu.func @reduction(%x: memref<32x64xf32>, %row_sums: memref<32x1xf32>, %row_maxima: memref<32x1xf32>,
                        %column_sums: memref<1x64xf32>, %column_maxima: memref<1x64xf32>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %zero = arith.constant dense<0.0> : vector<1xf32>
      %lowest = arith.constant dense<0xFF800000> : vector<1xf32>
      %lane = gpu.thread_id x
      %is_first = arith.cmpi eq, %lane, %c0 : index
      %subgroup = gpu.subgroup_id : index
      %j = arith.muli %subgroup, %c8 : index
      %tx = xegpu.create_nd_tdesc %x[0, %j] : memref<32x64xf32> -> !tile
      %v = xegpu.load_nd %tx : !tile -> vector<32x1xf32>
      scf.for %i = %c0 to %c32 step %c1 {
        %own = vector.extract %v[%i, 0] : f32 from vector<32x1xf32>
        %rs = gpu.all_reduce add %own uniform {
        } : (f32) -> f32
        %rm = gpu.all_reduce maximumf %own uniform {
        } : (f32) -> f32
        scf.if %is_first {
          memref.store %rs, %row_sums[%i, %c0] : memref<32x1xf32>
          memref.store %rm, %row_maxima[%i, %c0] : memref<32x1xf32>
        }
      }
      %cs = vector.multi_reduction <add>, %v, %zero [0] : vector<32x1xf32> to vector<1xf32>
      %cm = vector.multi_reduction <maximumf>, %v, %lowest [0] : vector<32x1xf32> to vector<1xf32>
      %cs_fragment = vector.shape_cast %cs : vector<1xf32> to vector<1x1xf32>
      %cm_fragment = vector.shape_cast %cm : vector<1xf32> to vector<1x1xf32>
      %t_cs = xegpu.create_nd_tdesc %column_sums[0, %j] : memref<1x64xf32> -> !row
      %t_cm = xegpu.create_nd_tdesc %column_maxima[0, %j] : memref<1x64xf32> -> !row
      xegpu.store_nd %cs_fragment, %t_cs : vector<1x1xf32>, !row
      xegpu.store_nd %cm_fragment, %t_cm : vector<1x1xf32>, !row
      gpu.return
    }
  }
  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
}
