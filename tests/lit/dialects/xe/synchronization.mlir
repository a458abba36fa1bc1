// RUN: XEGPU_CANONICAL
// RUN: xegpu-opt %s -t xe-asm | filecheck %s
//
// Fences, and barriers of the work-group: that of the whole group, and named ones.
module {
  xe.kernel @meet attributes {arguments = [], grf_count = 128 : i32, implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, target = "pvc"} {
  ^bb0(%0: !xe.grf<64, 64 at 0>):
    // CHECK: (W) fence.slm.none.group (1|M0)
    xe.barrier
    %1 = xe.undef : !xe.grf<64, 64>
    xe.fence {flush = "none", scope = "group", unit = "slm"}
    // CHECK: (W) fence.ugm.evict.gpu (1|M0)
    xe.fence {flush = "evict", scope = "gpu", unit = "ugm"}
    // CHECK: (W) barrier
    xe.barrier
    // CHECK: (W) sbarrier.signal
    xe.sbarrier.signal
    // CHECK: (W) sbarrier.wait
    xe.sbarrier.wait
    // CHECK: (W) nbarrier.signal 0x4040001:ud
    xe.nbarrier.signal {read = #xe.imm<ud, 67371009>}
    // CHECK: (W) nbarrier.wait r0.8<0;1,0>:ub
    xe.nbarrier.wait[%0 : !xe.grf<64, 64 at 0>] {read = #xe.read<ub, 8, [0, 1, 0]>}
    xe.eot
  }
}

