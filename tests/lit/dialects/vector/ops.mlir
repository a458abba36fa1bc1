// RUN: XEGPU_CANONICAL
module {
  func.func @f(%a: vector<8x16xf32>, %s: f32, %v: vector<16xf32>, %i: index, %m: memref<8x16xf32>, %mv: vector<16xi1>, %h: vector<16xf16>, %q: vector<16x2xf16>) {
    %0 = vector.shape_cast %a : vector<8x16xf32> to vector<128xf32>
    %1 = vector.broadcast %s : f32 to vector<8x16xf32>
    %2 = vector.broadcast %v : vector<16xf32> to vector<8x16xf32>
    %3 = vector.extract %a[3] : vector<16xf32> from vector<8x16xf32>
    %4 = vector.extract %a[%i, 4] : f32 from vector<8x16xf32>
    %5 = vector.insert %v, %a [3] : vector<16xf32> into vector<8x16xf32>
    %6 = vector.insert %s, %a [%i, 3] : f32 into vector<8x16xf32>
    %7 = vector.extract_strided_slice %a {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]} : vector<8x16xf32> to vector<2x4xf32>
    %8 = vector.insert_strided_slice %7, %a {offsets = [0, 2], strides = [1, 1]} : vector<2x4xf32> into vector<8x16xf32>
    %9 = vector.bitcast %v : vector<16xf32> to vector<32xf16>
    %10 = vector.transpose %a, [1, 0] : vector<8x16xf32> to vector<16x8xf32>
    %11 = vector.from_elements %s, %s, %s, %s : vector<2x2xf32>
    %12 = vector.reduction <add>, %v : vector<16xf32> into f32
    %13 = vector.reduction <maximumf>, %v, %s : vector<16xf32> into f32
    %14 = vector.multi_reduction <add>, %a, %v [0] : vector<8x16xf32> to vector<16xf32>
    %15 = vector.load %m[%i, %i] : memref<8x16xf32>, vector<16xf32>
    %16 = vector.step : vector<16xindex>
    %17 = vector.constant_mask [4] : vector<16xi1>
    %18 = vector.create_mask %i : vector<16xi1>
    %19 = vector.shuffle %v, %v [0, 1, 2] : vector<16xf32>, vector<16xf32>
    %20 = vector.extract %v[0] : f32 from vector<16xf32>
    %21 = vector.extract %a[] : vector<8x16xf32> from vector<8x16xf32>
    %22, %23, %24, %25 = vector.to_elements %11 : vector<2x2xf32>
    %26 = vector.splat %s : vector<8xf32>
    return
  }
}

