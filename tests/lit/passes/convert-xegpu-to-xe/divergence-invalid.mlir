// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} --split-input-file --verify-diagnostics

// What all work-items of a subgroup do together, where some of them may be left out.
gpu.module @m {
  gpu.func @choice(%m: memref<16x16xf32>) kernel {
    %t = gpu.lane_id
    %zero = arith.constant 0 : index
    %tile = xegpu.create_nd_tdesc %m[%zero, %zero] : memref<16x16xf32> -> !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
    %c = arith.constant 3 : index
    %p = arith.cmpi ult, %t, %c : index
    // expected-note@+1 {{the condition here differs between the work-items}}
    scf.if %p {
      // expected-error@+1 {{'xegpu.prefetch_nd' op is done by all work-items of a subgroup together, but here some of them may be left out}}
      xegpu.prefetch_nd %tile : !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
    }
    gpu.return
  }
}

// -----

// A loop that work-items leave in different rounds makes values differ that it changes.
gpu.module @m {
  gpu.func @loop(%m: memref<16x16xf32>) kernel {
    %t = gpu.lane_id
    %zero = arith.constant 0 : index
    %tile = xegpu.create_nd_tdesc %m[%zero, %zero] : memref<16x16xf32> -> !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = scf.for %i = %c0 to %t step %c1 iter_args(%k = %c0) -> (index) {
      scf.yield %i : index
    }
    %p = arith.cmpi ult, %n, %c1 : index
    scf.if %p {
      // expected-note@+1 {{the condition here differs between the work-items}}
      scf.if %p {
        // expected-error@+1 {{'xegpu.prefetch_nd' op is done by all work-items of a subgroup together, but here some of them may be left out}}
        xegpu.prefetch_nd %tile : !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
      }
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @tiles(%m: memref<16x16xf32>) kernel {
    %t = gpu.lane_id
    %c = arith.constant 3 : index
    %n = arith.constant 0 : index
    %p = arith.cmpi ult, %t, %c : index
    %d = xegpu.create_nd_tdesc %m[%n, %n] : memref<16x16xf32> -> !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
    // expected-note@+1 {{the condition here differs between the work-items}}
    scf.while () : () -> () {
      scf.condition(%p)
    } do {
      // expected-error@+1 {{'xegpu.prefetch_nd' op is done by all work-items of a subgroup together, but here some of them may be left out}}
      xegpu.prefetch_nd %d : !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
      scf.yield
    }
    gpu.return
  }
}

// -----

// Only values of registers can differ.
gpu.module @m {
  gpu.func @buffers(%a: memref<16xf32>, %b: memref<16xf32>, %s: f32) kernel {
    %t = gpu.thread_id x
    %c = arith.constant 3 : index
    %p = arith.cmpi ult, %t, %c : index
    // expected-error@+1 {{'scf.if' op gives a value of type memref<16xf32> by a condition that differs between the work-items of a subgroup: only scalars and vectors can differ}}
    %m = scf.if %p -> (memref<16xf32>) {
      scf.yield %a : memref<16xf32>
    } else {
      scf.yield %b : memref<16xf32>
    }
    memref.store %s, %m[%t] : memref<16xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @swapped_buffers(%a: memref<16xf32>, %b: memref<16xf32>, %s: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{'scf.for' op gives a value of type memref<16xf32> by a condition that differs}}
    %m:2 = scf.for %i = %c0 to %t step %c1 iter_args(%x = %a, %y = %b) -> (memref<16xf32>, memref<16xf32>) {
      scf.yield %y, %x : memref<16xf32>, memref<16xf32>
    }
    memref.store %s, %m#0[%t] : memref<16xf32>
    gpu.return
  }
}
