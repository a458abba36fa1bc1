// The kind may be quoted; generic form numbers it.
// RUN: XEGPU_ROUNDTRIP
// RUN: xegpu-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @f
func.func @f(%x: vector<8x16xf32>, %t: !xetile.tile<8x16xf32>) {
  // CHECK: xetile.atomic_rmw maximumf %x, %t :
  // GENERIC: "xetile.atomic_rmw"(%x, %t) <{kind = 3 : i64}> :
  %0 = xetile.atomic_rmw "maximumf" %x, %t : vector<8x16xf32>, !xetile.tile<8x16xf32> -> vector<8x16xf32>
  // CHECK: xetile.atomic_rmw minnumf %x, %t :
  // GENERIC: "xetile.atomic_rmw"(%x, %t) <{kind = 14 : i64}> :
  %1 = "xetile.atomic_rmw"(%x, %t) {kind = 14} : (vector<8x16xf32>, !xetile.tile<8x16xf32>) -> vector<8x16xf32>
  return
}
