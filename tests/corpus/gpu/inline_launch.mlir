// A kernel written in place, with its own group memory, behind copies that run asynchronously.
func.func @fill(%x: memref<64x64xf32>, %value: f32) -> memref<64x64xf32> {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %shared_bytes = arith.constant 0 : i32
  %start = gpu.wait async
  %device, %allocated = gpu.alloc async [%start] () : memref<64x64xf32>
  %copied = gpu.memcpy async [%allocated] %device, %x : memref<64x64xf32>, memref<64x64xf32>
  %set = gpu.memset async [%copied] %device, %value : memref<64x64xf32>, f32
  gpu.wait [%set]
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c8, %gy = %c8, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c8, %sz = %c1) {
    %r = arith.muli %bx, %sx : index
    %i = arith.addi %r, %tx : index
    %q = arith.muli %by, %sy : index
    %j = arith.addi %q, %ty : index
    %old = memref.load %device[%i, %j] : memref<64x64xf32>
    %new = math.powf %old, %value : f32
    memref.store %new, %device[%i, %j] : memref<64x64xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) dynamic_shared_memory_size %shared_bytes {
    %memory = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.printf "thread %lld\n", %tx : index
    gpu.terminator
  }
  gpu.memcpy %x, %device : memref<64x64xf32>, memref<64x64xf32>
  gpu.dealloc %device : memref<64x64xf32>
  return %x : memref<64x64xf32>
}
