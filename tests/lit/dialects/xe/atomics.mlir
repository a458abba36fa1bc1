// RUN: XEGPU_CANONICAL
// RUN: xegpu-opt %s -t xe-asm | filecheck %s
//
// Atomic messages: operands behind each other in the data, the value before in the result, if anyone wants it.
module {
  xe.kernel @atomics attributes {arguments = [], grf_count = 128 : i32, implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, spill_size = 0 : i32, target = "pvc"} {
  ^bb0(%0: !xe.grf<128, 64 at 0>, %1: !xe.grf<128, 64 at 128>):
    // CHECK: atomic_iinc.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2{{$}}
    %2 = xe.atomic_iinc[%0 : !xe.grf<128, 64 at 0>] {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_idec.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2{{$}}
    %3 = xe.atomic_idec[%0 : !xe.grf<128, 64 at 0>] {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_load.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2{{$}}
    %4 = xe.atomic_load[%0 : !xe.grf<128, 64 at 0>] {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_store.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2 r2:1{{$}}
    %5 = xe.atomic_store[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_iadd.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2 r2:1{{$}}
    %6 = xe.atomic_iadd[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_isub.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2 r2:1{{$}}
    %7 = xe.atomic_isub[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_smin.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2 r2:1{{$}}
    %8 = xe.atomic_smin[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_smax.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2 r2:1{{$}}
    %9 = xe.atomic_smax[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_umin.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2 r2:1{{$}}
    %10 = xe.atomic_umin[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_umax.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2 r2:1{{$}}
    %11 = xe.atomic_umax[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_icas.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2 r2:2{{$}}
    %12 = xe.atomic_icas[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_fadd.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2 r2:1{{$}}
    %13 = xe.atomic_fadd[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_fsub.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2 r2:1{{$}}
    %14 = xe.atomic_fsub[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_fmin.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2 r2:1{{$}}
    %15 = xe.atomic_fmin[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_fmax.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2 r2:1{{$}}
    %16 = xe.atomic_fmax[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_fcas.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2 r2:2{{$}}
    %17 = xe.atomic_fcas[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_and.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2 r2:1{{$}}
    %18 = xe.atomic_and[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_or.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2 r2:1{{$}}
    %19 = xe.atomic_or[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_xor.ugm.d32.a64 (16|M0) r4:1 flat[r0]:2 r2:1{{$}}
    %20 = xe.atomic_xor[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64 at 256>
    // CHECK: atomic_iadd.slm.d32.a32 (16|M0) null flat[r0]:1 r2:1
    xe.atomic_iadd[%0 : !xe.grf<128, 64 at 0>] data %1 : !xe.grf<128, 64 at 128> {exec_size = 16 : i32, message = #xe.message<unit = slm, size = d32, address = a32>}
    xe.eot
  }
}

