// RUN: XEGPU_CANONICAL
module {
  func.func @f(%i: index, %j: index, %m1: memref<64xf32>, %m: memref<8x16xf32>, %mu: memref<*xf32>, %s: f32) {
    %r0 = memref.alloc() : memref<4xf32>
    %r1 = memref.alloc(%i) : memref<4x?xf32>
    %r2 = memref.alloc(%i)[%j] : memref<4x?xf32, affine_map<(d0, d1)[s0] -> ((d0 + s0), d1)>>
    %r3 = memref.alloc()[%i, %j] : memref<4xf32, strided<[?], offset: ?>>
    %r4 = memref.alloc() {alignment = 64 : i64} : memref<4xf32, #gpu.address_space<workgroup>>
    %r5 = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 3>
    %r6 = memref.alloc() : memref<4xf32, #spirv.storage_class<Workgroup>>
    %r7 = memref.alloc() : memref<4xf32, "shared">
    %r8 = memref.alloc() : memref<4xf32, affine_map<(d0) -> ((d0 * 2))>>
    %r9 = memref.alloca() {alignment = 64 : i64, foo = 1 : i32} : memref<4xf32>
    %r10 = memref.alloca(%i)[%j] : memref<?xf32, affine_map<(d0)[s0] -> ((d0 + s0))>>
    %r11 = memref.realloc %m1 : memref<64xf32> to memref<124xf32>
    %r12 = memref.realloc %m1(%i) : memref<64xf32> to memref<?xf32>
    %r13 = memref.realloc %m1 {alignment = 8 : i64} : memref<64xf32> to memref<124xf32>
    memref.dealloc %m : memref<8x16xf32>
    memref.dealloc %mu : memref<*xf32>
    memref.alloca_scope {
      %0 = memref.alloca() : memref<4xf32>
    }
    memref.alloca_scope {
    }
    %r14 = memref.alloca_scope -> (f32) {
      memref.alloca_scope.return %s : f32
    }
    %r15, %r16 = memref.alloca_scope -> (f32, index) {
      memref.alloca_scope.return %s, %i : f32, index
    }
    %r17 = memref.assume_alignment %m, 16 : memref<8x16xf32>
    %1 = memref.assume_alignment %m, 16 : memref<8x16xf32>
    %r18, %r19 = memref.distinct_objects %m, %m1 : memref<8x16xf32>, memref<64xf32>
    return
  }
}

