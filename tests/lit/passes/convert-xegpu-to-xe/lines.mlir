// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// Accesses of one dimension: block messages of dwords or qwords, longest first.
#unchecked = #xegpu.block_tdesc_attr<boundary_check = false>
gpu.module @m {
  // CHECK-LABEL: xe.kernel @dwords
  // CHECK: xe.load into %{{.*}}size = d32, vector = 64, transposed>{{.*}} -> !xe.grf<448, 64>
  // CHECK: xe.load into %{{.*}}size = d32, vector = 32, transposed, offset = 256>{{.*}}result_offset = 256 : i32} -> !xe.grf<448, 64>
  // CHECK: xe.load[{{.*}}size = d32, vector = 4, transposed, offset = 384>
  // CHECK: xe.store[{{.*}}size = d32, vector = 64, transposed>
  // CHECK: xe.store[{{.*}}size = d32, vector = 32, transposed, offset = 256>
  // CHECK: xe.store[{{.*}}size = d32, vector = 4, transposed, offset = 384>
  // CHECK: xe.eot
  gpu.func @dwords(%m: memref<128xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0] : memref<128xf32> -> !xegpu.tensor_desc<100xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<100xf32> -> vector<100xf32>
    xegpu.store_nd %v, %t : vector<100xf32>, !xegpu.tensor_desc<100xf32>
    gpu.return
  }

  // The place is an address: offsets in bytes, steps of a moving descriptor too.
  // CHECK-LABEL: xe.kernel @place
  // CHECK: %[[OFFSET:.*]] = xe.mul(%{{.*}}reads = [#xe.read<uq, 8, [0, 1, 0]>, #xe.imm<uq, 8>], {{.*}} -> !xe.grf<8, 8>
  // CHECK: %[[ADDRESS:.*]] = xe.add({{.*}}%[[OFFSET]] : {{.*}}write = #xe.write<uq>
  // CHECK: %[[MOVED:.*]] = xe.add(%[[ADDRESS]] : {{.*}}reads = [#xe.read<uq, [0, 1, 0]>, #xe.imm<uq, 128>]
  // CHECK: xe.load into %{{.*}}size = d64, vector = 16, transposed>{{.*}} -> !xe.grf<128, 64>
  gpu.func @place(%m: memref<64xf64>, %i: index) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[%i] : memref<64xf64> -> !xegpu.tensor_desc<16xf64, #unchecked>
    %u = xegpu.update_nd_offset %t, [16] : !xegpu.tensor_desc<16xf64, #unchecked>
    %v = xegpu.load_nd %u : !xegpu.tensor_desc<16xf64, #unchecked> -> vector<16xf64>
    xegpu.store_nd %v, %t : vector<16xf64>, !xegpu.tensor_desc<16xf64, #unchecked>
    gpu.return
  }

  // Bytes that are no whole dword go by themselves.
  // CHECK-LABEL: xe.kernel @rest
  // CHECK: xe.load{{.*}}size = d32, transposed>
  // CHECK: xe.load[{{.*}}size = d16u32, offset = 4>
  // CHECK: xe.load[{{.*}}size = d8u32, offset = 6>
  // CHECK: xe.store[{{.*}}size = d32, transposed>
  // CHECK: xe.store[{{.*}}size = d16u32, offset = 4>
  // CHECK: xe.store[{{.*}}size = d8u32, offset = 6>
  gpu.func @rest(%m: memref<64xi8>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0] : memref<64xi8> -> !xegpu.tensor_desc<7xi8>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<7xi8> -> vector<7xi8>
    xegpu.store_nd %v, %t : vector<7xi8>, !xegpu.tensor_desc<7xi8>
    gpu.return
  }

  // Narrow elements at an odd place go one a lane; where only the running kernel knows, there are both forms.
  // CHECK-LABEL: xe.kernel @odd
  // CHECK: xe.and({{.*}}#xe.imm<uq, 3>]
  // CHECK: xe.cond_br %{{.*}}, ^[[FAST:.*]], ^[[SLOW:.*]] : !xe.flag
  // CHECK: ^[[FAST]]:
  // CHECK: xe.load{{.*}}size = d32, vector = 8, transposed>
  // CHECK: ^[[SLOW]]:
  // CHECK: xe.load[{{.*}}exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d16u32>
  gpu.func @odd(%m: memref<64xf16>, %i: index) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[%i] : memref<64xf16> -> !xegpu.tensor_desc<16xf16, #unchecked>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xf16, #unchecked> -> vector<16xf16>
    xegpu.store_nd %v, %t : vector<16xf16>, !xegpu.tensor_desc<16xf16, #unchecked>
    gpu.return
  }

  // A block that may leave its line is loaded by block message if it is inside, else by the lanes that are.
  // CHECK-LABEL: xe.kernel @anywhere
  // CHECK: xe.cmp({{.*}}condition = "le"{{.*}}#xe.imm<uq, 192>]
  // CHECK: xe.cond_br %{{.*}}, ^[[FAST:.*]], ^[[SLOW:.*]] : !xe.flag
  // CHECK: ^[[FAST]]:
  // CHECK: xe.load into{{.*}}size = d32, vector = 16, transposed>
  // CHECK: ^[[SLOW]]:
  // CHECK: xe.cmp({{.*}}condition = "lt"{{.*}}#xe.imm<uq, 256>]
  // CHECK: xe.load into %{{.*}} if %{{.*}}exec_size = 16{{.*}}size = d32>
  gpu.func @anywhere(%m: memref<64xf32>, %i: index) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[%i] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    %o = xegpu.create_nd_tdesc %m[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    xegpu.store_nd %v, %o : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }

  // One that is inside or outside as a whole needs a flag.
  // CHECK-LABEL: xe.kernel @whole
  // CHECK-NOT: xe.cond_br
  // CHECK: xe.load into %{{.*}} if %{{.*}}size = d32, vector = 16, transposed>
  // CHECK: xe.store if %{{.*}}size = d32, vector = 16, transposed>
  // CHECK: xe.eot
  gpu.func @whole(%m: memref<64xf32>, %i: index) kernel attributes {VectorComputeFunctionINTEL} {
    %c16 = arith.constant 16 : index
    %start = arith.muli %i, %c16 : index
    %t = xegpu.create_nd_tdesc %m[%start] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    xegpu.store_nd %v, %t : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }

  // CHECK-LABEL: xe.kernel @prefetch
  // CHECK: xe.prefetch[{{.*}}size = d32, vector = 16, transposed, cache = ca_ca>
  gpu.func @prefetch(%m: memref<64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    xegpu.prefetch_nd %t <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<16xf32>
    gpu.return
  }
}
