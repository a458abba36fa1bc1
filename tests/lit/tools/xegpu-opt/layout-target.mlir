// RUN: xegpu-opt %s -t layout | filecheck %s

// One picture for each type of a tile with a map; blocks of an array stand side by side.
// CHECK: <h2><code>!xetile.tile
// CHECK: <p>64x64 elements; each box shows its subgroup.</p>
// CHECK: rows 32 to 63, columns 32 to 63, subgroup 3, row 0 of its fragment
// CHECK: <h2><code>!xegpu.tensor_desc
// CHECK: <p>8x32 elements; each box shows its work-item.</p>
// CHECK: row 7, column 31, work-item 15, row 15 of its fragment
// CHECK-NOT: <h2>
func.func @tiles(%m: memref<64x64xf16>, %t: !xetile.tile<64x64xf16, #xetile.tile_attr<wg_map = <sg_layout = [2, 2], sg_data = [32, 32]>>>, %u: !xegpu.tensor_desc<8x16xf16>) {
  %d = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
  return
}
