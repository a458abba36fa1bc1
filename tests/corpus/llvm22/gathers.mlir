gpu.module @m {
  gpu.func @gather(%a: memref<4096xf32>, %c: memref<4096xf32>, %p: i64) kernel {
    %m = arith.constant dense<true> : vector<4x16xi1>
    %off = arith.constant dense<[[0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30],[1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31],[100,99,98,97,96,95,94,93,92,91,90,89,88,87,86,85],[200,202,204,206,208,210,212,214,216,218,220,222,224,226,228,230]]> : vector<4x16xindex>
    %v = xegpu.load %a[%off], %m : memref<4096xf32>, vector<4x16xindex>, vector<4x16xi1> -> vector<4x16xf32>
    %w = arith.addf %v, %v : vector<4x16xf32>
    xegpu.store %w, %c[%off], %m : vector<4x16xf32>, memref<4096xf32>, vector<4x16xindex>, vector<4x16xi1>
    %m1 = arith.constant dense<true> : vector<16xi1>
    %o1 = arith.constant dense<[1000,1008,1016,1024,1032,1040,1048,1056,1064,1072,1080,1088,1096,1104,1112,1120]> : vector<16xindex>
    xegpu.prefetch %p[%o1] <{offset_align_byte = 4 : i64}> : i64, vector<16xindex>
    %x = xegpu.load %p[%o1], %m1 <{chunk_size = 5 : i64}> : i64, vector<16xindex>, vector<16xi1> -> vector<16x5xf32>
    gpu.return
  }
}
