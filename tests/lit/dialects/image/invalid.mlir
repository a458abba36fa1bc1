// RUN: XEGPU_INVALID

// expected-error@+1 {{unknown shape of images 'image4d', expected one of image1d, image1d_array, image1d_buffer, image2d, image2d_array, image2d_depth, image2d_array_depth, image3d}}
func.func private @f(!image.surface<image4d, readonly>)

// -----

// expected-error@+1 {{unknown access 'kept', expected one of readonly, writeonly, readwrite}}
func.func private @f(!image.surface<image2d, kept>)

// -----

func.func @f(%a: !image.surface<image2d, writeonly>, %x: i32) {
  // expected-error@+1 {{'image.read' op reads an image that is writeonly}}
  %0 = image.read %a[%x, %x] : !image.surface<image2d, writeonly> -> vector<4xf32>
  func.return
}

// -----

func.func @f(%a: !image.surface<image2d, readonly>, %x: i32) {
  // expected-error@+1 {{'image.read' op has 1 coordinates: image2d has 2}}
  %0 = image.read %a[%x] : !image.surface<image2d, readonly> -> vector<4xf32>
  func.return
}

// -----

func.func @f(%a: !image.surface<image1d, readonly>, %x: i32) {
  // expected-error@+1 {{'image.read' op has a texel of type vector<3xf32>: image1d has vector<4xf32> or vector<4xi32>}}
  %0 = image.read %a[%x] : !image.surface<image1d, readonly> -> vector<3xf32>
  func.return
}

// -----

func.func @f(%a: !image.surface<image2d_depth, readonly>, %x: i32) {
  // expected-error@+1 {{'image.read' op has a texel of type vector<4xi32>: image2d_depth has f32 or vector<4xf32>}}
  %0 = image.read %a[%x, %x] : !image.surface<image2d_depth, readonly> -> vector<4xi32>
  func.return
}

// -----

func.func @f(%a: !image.surface<image1d_buffer, readonly>, %s: !image.sampler, %u: f32) {
  // expected-error@+1 {{'image.sample' op samples an image of type !image.surface<image1d_buffer, readonly>: expected one that is readonly, and no buffer}}
  %0 = image.sample %a[%u] with %s : !image.surface<image1d_buffer, readonly> -> vector<4xf32>
  func.return
}

// -----

func.func @f(%a: !image.surface<image2d, readwrite>, %s: !image.sampler, %u: f32) {
  // expected-error@+1 {{'image.sample' op samples an image of type !image.surface<image2d, readwrite>: expected one that is readonly, and no buffer}}
  %0 = image.sample %a[%u, %u] with %s : !image.surface<image2d, readwrite> -> vector<4xf32>
  func.return
}

// -----

func.func @f(%a: !image.surface<image3d, readonly>, %s: !image.sampler, %u: f32) {
  // expected-error@+1 {{'image.sample' op has 2 coordinates: image3d has 3}}
  %0 = image.sample %a[%u, %u] with %s : !image.surface<image3d, readonly> -> vector<4xf32>
  func.return
}

// -----

func.func @f(%a: !image.surface<image1d, readonly>, %x: i32, %t: vector<4xf32>) {
  // expected-error@+1 {{'image.write' op writes an image that is readonly}}
  image.write %t, %a[%x] : vector<4xf32>, !image.surface<image1d, readonly>
  func.return
}

// -----

func.func @f(%a: !image.surface<image1d, writeonly>, %x: i32, %t: vector<4xf32>) {
  // expected-error@+1 {{'image.write' op has 2 coordinates: image1d has 1}}
  image.write %t, %a[%x, %x] : vector<4xf32>, !image.surface<image1d, writeonly>
  func.return
}

// -----

func.func @f(%a: !image.surface<image2d, readonly>) {
  // expected-error@+1 {{'image.query' op unknown fact of image2d 'depth', expected one of width, height, num_mip_levels, channel_data_type, channel_order}}
  %0 = image.query "depth" of %a : !image.surface<image2d, readonly>
  func.return
}

// -----

// expected-error@+1 {{'image.constant_sampler' op unknown addressing 'wrap', expected one of none, clamp_edge, clamp_border, repeat, mirror}}
%0 = image.constant_sampler "wrap", "linear"

// -----

// expected-error@+1 {{'image.constant_sampler' op unknown filter 'cubic', expected one of nearest, linear}}
%0 = image.constant_sampler "none", "cubic"

// -----

// expected-error@+1 {{'image.constant_sampler' op has addressing 'mirror', which is for normalized coordinates}}
%0 = image.constant_sampler "mirror", "linear"

// -----

func.func @f(%s: !image.sampler) {
  // expected-error@+1 {{'image.state' op operand 'image' at position 0 does not verify: !image.sampler should be of base attribute image.surface}}
  %0 = "image.state"(%s) : (!image.sampler) -> !llvm.ptr<1>
  func.return
}
