// Counting by atomic additions; the kinds for floats and for signed and unsigned integers follow.
!counters = !xegpu.tensor_desc<16xi32, #xegpu.scatter_tdesc_attr<>>
!floats = !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
gpu.module @kernels {
  gpu.func @histogram(%keys: memref<1024xi32>, %bins: memref<256xi32>, %peak: memref<16xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %c16 = arith.constant 16 : index
    %mask = arith.constant dense<true> : vector<16xi1>
    %one = arith.constant dense<1> : vector<16xi32>
    %low_byte = arith.constant dense<255> : vector<16xi32>
    %block = gpu.block_id x
    %at = arith.muli %block, %c16 : index
    %t = xegpu.create_nd_tdesc %keys[%at] : memref<1024xi32> -> !xegpu.tensor_desc<16xi32>
    %key = xegpu.load_nd %t : !xegpu.tensor_desc<16xi32> -> vector<16xi32>
    %small = arith.andi %key, %low_byte : vector<16xi32>
    %bin = arith.index_castui %small : vector<16xi32> to vector<16xindex>
    %places = xegpu.create_tdesc %bins, %bin : memref<256xi32>, vector<16xindex> -> !counters
    %old = xegpu.atomic_rmw addi %places, %mask, %one : !counters, vector<16xi1>, vector<16xi32> -> vector<16xi32>
    %smallest = xegpu.atomic_rmw minu %places, %mask, %old : !counters, vector<16xi1>, vector<16xi32> -> vector<16xi32>
    %largest = xegpu.atomic_rmw maxs %places, %mask, %smallest : !counters, vector<16xi1>, vector<16xi32> -> vector<16xi32>
    %bits = xegpu.atomic_rmw ori %places, %mask, %largest : !counters, vector<16xi1>, vector<16xi32> -> vector<16xi32>
    %f = arith.uitofp %bits : vector<16xi32> to vector<16xf32>
    %lanes = vector.step : vector<16xindex>
    %tops = xegpu.create_tdesc %peak, %lanes : memref<16xf32>, vector<16xindex> -> !floats
    %sum = xegpu.atomic_rmw addf %tops, %mask, %f : !floats, vector<16xi1>, vector<16xf32> -> vector<16xf32>
    %top = xegpu.atomic_rmw maximumf %tops, %mask, %sum : !floats, vector<16xi1>, vector<16xf32> -> vector<16xf32>
    %swapped = xegpu.atomic_rmw assign %tops, %mask, %top : !floats, vector<16xi1>, vector<16xf32> -> vector<16xf32>
    gpu.return
  }
}
