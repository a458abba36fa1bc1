// RUN: XEGPU_CANONICAL
//
// Each operation on images, and each shape of images.
module {
  func.func @images(%line: !image.surface<image1d, readonly>, %lines: !image.surface<image1d_array, readwrite>, %buffer: !image.surface<image1d_buffer, readwrite>, %plane: !image.surface<image2d, readonly>, %planes: !image.surface<image2d_array, writeonly>, %depth: !image.surface<image2d_depth, readonly>, %depths: !image.surface<image2d_array_depth, readwrite>, %volume: !image.surface<image3d, readonly>, %sampler: !image.sampler, %x: i32, %u: f32, %f: vector<4xf32>, %i: vector<4xi32>) {
    %0 = image.read %line[%x] : !image.surface<image1d, readonly> -> vector<4xf32>
    %1 = image.read %lines[%x, %x] : !image.surface<image1d_array, readwrite> -> vector<4xi32>
    %2 = image.read %buffer[%x] : !image.surface<image1d_buffer, readwrite> -> vector<4xf32>
    %3 = image.read %depth[%x, %x] : !image.surface<image2d_depth, readonly> -> f32
    %4 = image.read %depths[%x, %x, %x] : !image.surface<image2d_array_depth, readwrite> -> f32
    %5 = image.sample %plane[%u, %u] with %sampler : !image.surface<image2d, readonly> -> vector<4xf32>
    %6 = image.sample %volume[%u, %u, %u] with %sampler level %u : !image.surface<image3d, readonly> -> vector<4xi32>
    image.write %i, %lines[%x, %x] : vector<4xi32>, !image.surface<image1d_array, readwrite>
    image.write %f, %planes[%x, %x, %x] : vector<4xf32>, !image.surface<image2d_array, writeonly>
    image.write %u, %depths[%x, %x, %x] : f32, !image.surface<image2d_array_depth, readwrite>
    %7 = image.query "width" of %line : !image.surface<image1d, readonly>
    %8 = image.query "array_size" of %planes : !image.surface<image2d_array, writeonly>
    %9 = image.query "depth" of %volume : !image.surface<image3d, readonly>
    %10 = image.query "channel_order" of %buffer : !image.surface<image1d_buffer, readwrite>
    %11 = image.state %plane : !image.surface<image2d, readonly>
    %12 = image.constant_sampler "clamp_edge", "nearest"
    %13 = image.constant_sampler "repeat", "linear" {normalized}
    return
  }
}

