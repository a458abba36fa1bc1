// Reductions of one and of both dimensions, masks, units in shapes, transfers, arithmetic on vectors of indices.

// CHECK: rank = 1 offset = 0 sizes = [16] strides = [1] data =
// CHECK-NEXT: [448, 456, 464, 472, 480, 488, 496, 504, 512, 520, 528, 536, 544, 552, 560, 568]
// CHECK: rank = 1 offset = 0 sizes = [8] strides = [1] data =
// CHECK-NEXT: [15, 31, 47, 63, 79, 95, 111, 127]
// CHECK: rank = 1 offset = 0 sizes = [4] strides = [1] data =
// CHECK-NEXT: [8128, 127, 2320, 54]
// CHECK: rank = 1 offset = 0 sizes = [16] strides = [1] data =
// CHECK-NEXT: [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 0, 0, 0, 0, 0, 0]

module attributes {gpu.container_module} {
  memref.global "private" @numbers : memref<8x16xf32> = uninitialized
  gpu.module @kernel [#xevm.target<chip = "pvc">] {
    gpu.func @sums(%x: memref<8x16xf32>, %columns: memref<16xf32>, %rows: memref<8xf32>, %all: memref<4xf32>, %gathered: memref<16xf32>) kernel attributes {intel_reqd_sub_group_size = 16 : i32} {
      %c0 = arith.constant 0 : index
      %pad = arith.constant 0.0 : f32
      %t = xegpu.create_nd_tdesc %x : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
      %v = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
      %z16 = arith.constant dense<0.0> : vector<16xf32>
      %least = arith.constant dense<0xFF800000> : vector<8xf32>
      %s = vector.multi_reduction <add>, %v, %z16 [0] : vector<8x16xf32> to vector<16xf32>
      %m = vector.multi_reduction <maximumf>, %v, %least [1] : vector<8x16xf32> to vector<8xf32>
      %total = vector.multi_reduction <add>, %v, %pad [0, 1] : vector<8x16xf32> to f32
      %cube = vector.shape_cast %v : vector<8x16xf32> to vector<2x4x16xf32>
      %low = arith.constant dense<0xFF800000> : vector<4xf32>
      %m4 = vector.multi_reduction <maximumf>, %cube, %low [0, 2] : vector<2x4x16xf32> to vector<4xf32>
      %largest = vector.reduction <maximumf>, %m4 : vector<4xf32> into f32
      vector.transfer_write %s, %columns[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
      %row = xegpu.create_nd_tdesc %rows : memref<8xf32> -> !xegpu.tensor_desc<8xf32>
      xegpu.store_nd %m, %row[0] : vector<8xf32>, !xegpu.tensor_desc<8xf32>
      // The first five columns of the first ten, of rows that exist.
      %c5 = arith.constant 5 : index
      %c11 = arith.constant 11 : index
      %mask = vector.create_mask %c11, %c5 : vector<8x16xi1>
      %zeros = arith.constant dense<0.0> : vector<8x16xf32>
      %part = arith.select %mask, %v, %zeros : vector<8x16xi1>, vector<8x16xf32>
      %unit = vector.shape_cast %part : vector<8x16xf32> to vector<1x8x16x1xf32>
      %z1 = arith.constant dense<0.0> : vector<1x1xf32>
      %ps = vector.multi_reduction <add>, %unit, %z1 [1, 2] : vector<1x8x16x1xf32> to vector<1x1xf32>
      %few_scalar = vector.extract %ps[0, 0] : f32 from vector<1x1xf32>
      %few_mask = vector.constant_mask [2, 3] : vector<8x16xi1>
      %few = vector.mask %few_mask { vector.multi_reduction <add>, %v, %pad [0, 1] : vector<8x16xf32> to f32 } : vector<8x16xi1> -> f32
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      memref.store %total, %all[%c0] : memref<4xf32>
      memref.store %largest, %all[%c1] : memref<4xf32>
      memref.store %few_scalar, %all[%c2] : memref<4xf32>
      %fewer = arith.addf %few, %pad : f32
      memref.store %fewer, %all[%c3] : memref<4xf32>
      // Every third element, as far as there are ten.
      %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %x : memref<8x16xf32> -> memref<f32>, index, index, index, index, index
      %address = memref.extract_aligned_pointer_as_index %x : memref<8x16xf32> -> index
      %pointer = arith.index_cast %address : index to i64
      %steps = vector.step : vector<16xindex>
      %three = vector.broadcast %c3 : index to vector<16xindex>
      %places = arith.muli %steps, %three : vector<16xindex>
      %ten = arith.constant dense<10> : vector<16xindex>
      %within = arith.cmpi ult, %steps, %ten : vector<16xindex>
      %g = xegpu.load %pointer[%places], %within : i64, vector<16xindex>, vector<16xi1> -> vector<16xf32>
      xegpu.store %g, %gathered[%steps], %within : vector<16xf32>, memref<16xf32>, vector<16xindex>, vector<16xi1>
      gpu.return
    }
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %x = memref.get_global @numbers : memref<8x16xf32>
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 16 {
        %n = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>(%i, %j)
        %u = arith.index_cast %n : index to i32
        %f = arith.sitofp %u : i32 to f32
        affine.store %f, %x[%i, %j] : memref<8x16xf32>
      }
    }
    %device = gpu.alloc () : memref<8x16xf32>
    gpu.memcpy %device, %x : memref<8x16xf32>, memref<8x16xf32>
    %columns = gpu.alloc host_shared () : memref<16xf32>
    %rows = gpu.alloc host_shared () : memref<8xf32>
    %all = gpu.alloc host_shared () : memref<4xf32>
    %gathered = gpu.alloc host_shared () : memref<16xf32>
    gpu.launch_func @kernel::@sums blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%device : memref<8x16xf32>, %columns : memref<16xf32>, %rows : memref<8xf32>, %all : memref<4xf32>, %gathered : memref<16xf32>)
    %a = memref.cast %columns : memref<16xf32> to memref<*xf32>
    %b = memref.cast %rows : memref<8xf32> to memref<*xf32>
    %c = memref.cast %all : memref<4xf32> to memref<*xf32>
    %d = memref.cast %gathered : memref<16xf32> to memref<*xf32>
    call @printMemrefF32(%a) : (memref<*xf32>) -> ()
    call @printMemrefF32(%b) : (memref<*xf32>) -> ()
    call @printMemrefF32(%c) : (memref<*xf32>) -> ()
    call @printMemrefF32(%d) : (memref<*xf32>) -> ()
    return
  }
  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
}
