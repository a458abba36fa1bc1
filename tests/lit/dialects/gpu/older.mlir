// RUN: xegpu-opt %s | filecheck %s
// RUN: xegpu-opt %s | xegpu-opt | filecheck %s

// Forms of earlier releases, and bodies without the terminator that ends them.

// CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32, "dlti.endianness" = "little">}
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 32 : i32>, #dlti.dl_entry<"dlti.endianness", "little">>} {
  // CHECK: gpu.module @m attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"L1" = 32 : i32>>}
  gpu.module @m attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" : #dlti.target_device_spec<#dlti.dl_entry<"L1", 32 : i32>>>} {
    // CHECK: gpu.func @printed
    gpu.func @printed(%i: index, %x: f32, %j: i32, %w: i32) kernel {
      // CHECK-NEXT: gpu.printf "%d %f", %i, %x : index, f32
      gpu.printf "%d %f" %i, %x : index, f32
      // CHECK-NEXT: gpu.printf "%d" {note}, %i : index
      gpu.printf "%d" {note}, %i : index
      // CHECK-NEXT: gpu.printf "none"
      gpu.printf "none"
      %a, %b = gpu.shuffle xor %x, %j, %w : f32
      // CHECK: gpu.return
    }
    // CHECK: gpu.func @empty() kernel {
    // CHECK-NEXT: gpu.return
    gpu.func @empty() kernel {
    }
    // CHECK-NOT: gpu.module_end
    gpu.module_end
  }
  // CHECK: gpu.module @x [#xevm.target<O = 3, chip = "pvc">]
  gpu.module @x [#xevm.target<O = 3, chip = "pvc">] {
  }
  // CHECK: func.func @parts
  func.func @parts(%v: vector<4x8xf32>, %k: index, %m: memref<4xf32>, %x: f32) {
    // CHECK-NEXT: vector.extract %v[0] : vector<8xf32> from vector<4x8xf32>
    %0 = vector.extract %v[0] : vector<4x8xf32>
    // CHECK-NEXT: vector.extract %v[1, %k] : f32 from vector<4x8xf32>
    %1 = vector.extract %v[1, %k] : vector<4x8xf32>
    // CHECK-NEXT: gpu.launch
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %k, %gy = %k, %gz = %k) threads(%tx, %ty, %tz) in (%sx = %k, %sy = %k, %sz = %k) {
      memref.store %x, %m[%bx] : memref<4xf32>
      // CHECK: gpu.terminator
    }
    memref.store %x, %m[%k] : memref<4xf32>
    // CHECK: return
  }
}
