// Sums and maxima of the rows and of the columns of a matrix: a work-group of 64 work-items, one for each column. What
// belongs to a column stays with its work-item; what belongs to a row is combined by gpu.all_reduce.
#map = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
!tile = !xegpu.tensor_desc<32x16xf32, #map>
!row = !xegpu.tensor_desc<16xf32, #map>
gpu.module @kernels {
  gpu.func @reduction(%x: memref<32x64xf32>, %row_sums: memref<32x1xf32>, %row_maxima: memref<32x1xf32>,
                      %column_sums: memref<1x64xf32>, %column_maxima: memref<1x64xf32>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : vector<1xf32>
    %lowest = arith.constant dense<0xFF800000> : vector<1xf32>
    %lane = gpu.thread_id x
    %is_first = arith.cmpi eq, %lane, %c0 : index
    %subgroup = gpu.subgroup_id : index
    %j = arith.muli %subgroup, %c16 : index
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
