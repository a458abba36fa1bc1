// The GEMM of gemm.mlir for work-items: sg_map says which lane holds what, xegpu-distribute-sg-map makes the fragments.
#a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
#c = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
!a_desc = !xegpu.tensor_desc<8x16xbf16, #a>
!b_desc = !xegpu.tensor_desc<16x16xbf16, #b>
!c_desc = !xegpu.tensor_desc<8x16xf32, #c>
gpu.module @kernels {
  gpu.func @gemm_sg_map(%a: memref<256x256xbf16>, %b: memref<256x256xbf16>, %c: memref<256x256xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c256 = arith.constant 256 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %ta = xegpu.create_nd_tdesc %a[%m, %c0] : memref<256x256xbf16> -> !a_desc
    %tb = xegpu.create_nd_tdesc %b[%c0, %n] : memref<256x256xbf16> -> !b_desc
    %tc = xegpu.create_nd_tdesc %c[%m, %n] : memref<256x256xf32> -> !c_desc
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %result:3 = scf.for %k = %c0 to %c256 step %c16 iter_args(%acc = %zero, %na = %ta, %nb = %tb)
        -> (vector<8x16xf32>, !a_desc, !b_desc) {
      %va = xegpu.load_nd %na : !a_desc -> vector<8x16xbf16>
      %vb = xegpu.load_nd %nb <{packed}> : !b_desc -> vector<8x16x2xbf16>
      %next = xegpu.dpas %va, %vb, %acc : vector<8x16xbf16>, vector<8x16x2xbf16>, vector<8x16xf32> -> vector<8x16xf32>
      %ma = xegpu.update_nd_offset %na, [0, 16] : !a_desc
      %mb = xegpu.update_nd_offset %nb, [16, 0] : !b_desc
      scf.yield %next, %ma, %mb : vector<8x16xf32>, !a_desc, !b_desc
    }
    xegpu.store_nd %result#0, %tc : vector<8x16xf32>, !c_desc
    gpu.return
  }
}
