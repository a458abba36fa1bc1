// RUN: not xegpu-opt %s -p 'convert-xetile-to-xegpu{target=x}' 2>&1 | filecheck %s
// RUN: xegpu-opt %s -p 'convert-xetile-to-xegpu{target=arc}' | filecheck %s --check-prefix=ARC

// CHECK: error: {{.*}}unknown target 'x', expected one of: pvc, arc

// Lanes that access elements at once: as many as an instruction of the target has.
// ARC: !xegpu.tensor_desc<8xf32, #xegpu.scatter_tdesc_attr<>>
// ARC: !xegpu.tensor_desc<8xf32, #xegpu.scatter_tdesc_attr<>>
gpu.module @m {
  gpu.func @k(%a: memref<1024xf32>, %i: vector<16xindex>) kernel {
    %t = xetile.init_tile %a, %i : memref<1024xf32>, vector<16xindex> -> !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>
    gpu.return
  }
}
