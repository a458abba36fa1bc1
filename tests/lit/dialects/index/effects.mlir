// RUN: xegpu-opt %s -p licm | filecheck %s

// A division stays in a loop that may not run at all: its divisor may be zero. A sum moves out.

// CHECK-LABEL: func.func @loop
func.func @loop(%n: index, %a: index, %b: index) {
  %c0 = index.constant 0
  %c1 = index.constant 1
  // CHECK: index.add
  // CHECK: scf.for
  // CHECK: index.divs
  // CHECK: index.remu
  // CHECK: memref.store
  %m = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %q = index.divs %a, %b
    %r = index.remu %a, %b
    %s = index.add %a, %b
    %t = index.add %q, %r
    %u = index.add %s, %t
    memref.store %u, %m[%i] : memref<?xindex>
  }
  return
}
