// Allocated kernels become native code, which loads the payload, waits for what it depends on, and ends with the header of the thread.

// RUN: xegpu-opt %s -p 'xe-pipeline{target=pvc code=native}' -t xe-asm | filecheck %s
// CHECK:      // kernel copy
// CHECK:      (W) and (1|M0) r127.0<1>:ud r0.0<0;1,0>:ud 0xFFFFFFC0:ud
// CHECK-NEXT: (W) send.ugm (1|M0) r1 r127 null:0 0xFF000000 0x6210C500 {I@1,$0}
// CHECK:      (W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x4C0:uw
// CHECK-NEXT: (W) mov (16|M0) r127.0<1>:ud r0.0<1;1,0>:ud {I@1}
// CHECK:      (W) shl (1|M0) [[OFFSET:r[0-9.]+]]<1>:uq {{.*}} 0x8:uw {I@1}
// CHECK:      (W) send.ugm (1|M0) [[DATA:r[0-9]+]] {{r[0-9]+}} null:0 0x0 0x0240F580 {I@2,$1}
// CHECK-NEXT: sync.nop null {$1.dst}
// CHECK-NEXT: (W) send.ugm (1|M0) null {{r[0-9]+}} [[DATA]]:4 0x0 0x0200F584 {I@1,$2}
// CHECK:      (W) send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT}

// The virtual code of a kernel can be had again.

// RUN: xegpu-opt %s -p 'xe-pipeline{target=pvc code=native},xe-select-code{code=virtual}' -t xe-asm | filecheck %s --check-prefix=VIRTUAL
// VIRTUAL: .isa 2.0

!block = !xegpu.tensor_desc<64xf32, #xegpu.block_tdesc_attr<boundary_check = false>>

gpu.module @m {
  gpu.func @copy(%a: memref<4096xf32>, %b: memref<4096xf32>) kernel {
    %block = gpu.block_id x
    %size = arith.constant 64 : index
    %start = arith.muli %block, %size : index
    %ta = xegpu.create_nd_tdesc %a[%start] : memref<4096xf32> -> !block
    %tb = xegpu.create_nd_tdesc %b[%start] : memref<4096xf32> -> !block
    %v = xegpu.load_nd %ta : !block -> vector<64xf32>
    xegpu.store_nd %v, %tb : vector<64xf32>, !block
    gpu.return
  }
}
