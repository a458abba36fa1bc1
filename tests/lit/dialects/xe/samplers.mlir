// RUN: XEGPU_CANONICAL
// RUN: xegpu-opt %s -t zebin -o - | zebin-dump - | filecheck %s
//
// Samplers that a kernel brings along, beside one that is an argument.
// CHECK: arg_type             offset  size  arg_index  addrmode  addrspace  access_type  sampler_index  image_type
// CHECK-NEXT: arg_bypointer             0     8          0  bindless  image      readonly                    image_buffer
// CHECK-NEXT: arg_bypointer             8     8          1  bindless  sampler                             2
// CHECK-NEXT: inline_sampler           16     8             bindless  sampler                             0
// CHECK-NEXT: inline_sampler           24     8             bindless  sampler                             1
// CHECK: sampler_index  addrmode      filtermode  normalized
// CHECK-NEXT: 0  repeat        linear      true
// CHECK-NEXT: 1  clamp_border  nearest
module {
  xe.kernel @samplers attributes {arguments = [#xe.argument<"a" : "image1d_buffer_t", at 0, 8 bytes, pointer image readonly>, #xe.argument<"s" : "sampler_t", at 8, 8 bytes, pointer sampler>], grf_count = 128 : i32, implicit_arguments = [], local_id_dimensions = 0 : i32, samplers = [#xe.sampler<repeat, linear, normalized, at 16>, #xe.sampler<clamp_border, nearest, at 24>], simd_size = 16 : i32, target = "arc"} {
  ^bb0(%0: !xe.grf<32, 32 at 0>):
    xe.eot
  }
}

