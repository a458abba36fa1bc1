// RUN: XEGPU_CANONICAL
// RUN: xegpu-opt %s -t xe-asm | filecheck %s
//
// Matrix products of each type: B stands before A, an accumulator may be missing or updated in place.
module {
  xe.kernel @products attributes {arguments = [], grf_count = 128 : i32, implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, spill_size = 0 : i32, target = "pvc"} {
  ^bb0(%0: !xe.grf<512, 64 at 1024>, %1: !xe.grf<256, 64 at 2048>):
    // CHECK: (W) dpas.8x8 (16|M0) r64.0:f null:f r16.0:bf r32.0:bf
    %2 = xe.dpas(%0, %1 : !xe.grf<512, 64 at 1024>, !xe.grf<256, 64 at 2048>) {exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<bf>, #xe.read<bf>], repeat = 8 : i32, write = #xe.write<f>} -> !xe.grf<512, 64 at 4096>
    // CHECK: (W) dpas.8x8 (16|M0) r64.0:f r64.0:f r16.0:hf r32.0:hf
    %3 = xe.dpas into %2 : !xe.grf<512, 64 at 4096> acc %2 : !xe.grf<512, 64 at 4096>(%0, %1 : !xe.grf<512, 64 at 1024>, !xe.grf<256, 64 at 2048>) {exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<hf>, #xe.read<hf>], repeat = 8 : i32, write = #xe.write<f>} -> !xe.grf<512, 64 at 4096>
    // CHECK: (W) dpas.8x1 (16|M0) r72.0:f r67.0:f r16.0:tf32 r33.0:tf32
    %4 = xe.dpas acc %3 : !xe.grf<512, 64 at 4096>(%0, %1 : !xe.grf<512, 64 at 1024>, !xe.grf<256, 64 at 2048>) {exec_size = 16 : i32, reads = [#xe.read<f, 192>, #xe.read<tf32>, #xe.read<tf32, 64>], repeat = 1 : i32, write = #xe.write<f>} -> !xe.grf<64, 64 at 4608>
    // CHECK: (W) dpas.8x4 (16|M0) r72.0:d null:d r16.0:ub r32.0:b
    %5 = xe.dpas(%0, %1 : !xe.grf<512, 64 at 1024>, !xe.grf<256, 64 at 2048>) {exec_size = 16 : i32, reads = [#xe.read<d>, #xe.read<ub>, #xe.read<b>], repeat = 4 : i32, write = #xe.write<d>} -> !xe.grf<256, 64 at 4608>
    // CHECK: (W) dpas.8x2 (16|M0) r72.0:ud null:ud r16.0:u4 r32.0:s2
    %6 = xe.dpas(%0, %1 : !xe.grf<512, 64 at 1024>, !xe.grf<256, 64 at 2048>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<u4>, #xe.read<s2>], repeat = 2 : i32, write = #xe.write<ud>} -> !xe.grf<128, 64 at 4608>
    // CHECK: (W) dpas.8x8 (16|M0) r72.0:bf null:bf r16.0:bf r32.0:bf
    %7 = xe.dpas(%0, %1 : !xe.grf<512, 64 at 1024>, !xe.grf<256, 64 at 2048>) {exec_size = 16 : i32, reads = [#xe.read<bf>, #xe.read<bf>, #xe.read<bf>], repeat = 8 : i32, write = #xe.write<bf>} -> !xe.grf<256, 64 at 4608>
    xe.eot
  }
}

