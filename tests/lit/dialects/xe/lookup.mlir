// RUN: XEGPU_CANONICAL
// RUN: xegpu-opt %s -t xe-asm | filecheck %s
//
// Each channel reads the element that its own offset names: the address register takes the addresses.
module {
  xe.kernel @lookup attributes {arguments = [], grf_count = 128 : i32, implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, spill_size = 0 : i32, target = "pvc"} {
  ^bb0(%0: !xe.grf<64, 64 at 0>, %1: !xe.grf<128, 64 at 128>):
    // CHECK: (W) add (16|M0) a0.0<1>:uw r0.0<1;1,0>:uw 0x80:uw
    // CHECK-NEXT: (W) mov (16|M0) r4.0<1>:ud r[a0.0, 0]<1,0>:ud
    %2 = xe.lookup %1[%0] {exec_size = 16 : i32, offsets_at = 0 : i32, write = #xe.write<ud>} : !xe.grf<128, 64 at 128>, !xe.grf<64, 64 at 0> -> !xe.grf<64, 64 at 256>
    // CHECK: (W) add (8|M0) a0.0<1>:uw r0.8<1;1,0>:uw 0x80:uw
    // CHECK-NEXT: (W) mov (8|M0) r4.8<1>:ud r[a0.0, 0]<1,0>:ud
    %3 = xe.lookup into %2 : !xe.grf<64, 64 at 256> %1[%0] {exec_size = 8 : i32, offsets_at = 16 : i32, write = #xe.write<ud, 32>} : !xe.grf<128, 64 at 128>, !xe.grf<64, 64 at 0> -> !xe.grf<64, 64 at 256>
    xe.eot
  }
}

