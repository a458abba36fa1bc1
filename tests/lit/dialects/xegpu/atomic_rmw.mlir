// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

!floats = !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
!integers = !xegpu.tensor_desc<16xi32, #xegpu.scatter_tdesc_attr<>>
!chunks = !xegpu.tensor_desc<16x2xi32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>
!mapped = !xegpu.tensor_desc<16xi32, #xegpu.scatter_tdesc_attr<>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>

// CHECK-LABEL: func.func @atomic
func.func @atomic(%f: !floats, %i: !integers, %c: !chunks, %d: !mapped, %mask: vector<16xi1>, %masks: vector<16x2xi1>,
                  %own: vector<1xi1>, %x: vector<16xf32>, %y: vector<16xi32>, %z: vector<16x2xi32>, %w: vector<1xi32>) {
  // CHECK: xegpu.atomic_rmw addf %f, %mask, %x : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xf32> -> vector<16xf32>
  %0 = xegpu.atomic_rmw addf %f, %mask, %x : !floats, vector<16xi1>, vector<16xf32> -> vector<16xf32>
  // CHECK: xegpu.atomic_rmw maxnumf %f
  %1 = xegpu.atomic_rmw "maxnumf" %f, %mask, %x : !floats, vector<16xi1>, vector<16xf32> -> vector<16xf32>
  // CHECK: xegpu.atomic_rmw assign %f
  %2 = xegpu.atomic_rmw assign %f, %mask, %x : !floats, vector<16xi1>, vector<16xf32> -> vector<16xf32>
  // CHECK: xegpu.atomic_rmw andi %i, %mask, %y {note}
  %3 = xegpu.atomic_rmw andi %i, %mask, %y {note} : !integers, vector<16xi1>, vector<16xi32> -> vector<16xi32>
  // Chunks are not transposed; the mask is that of lanes or of elements.
  // CHECK: xegpu.atomic_rmw addi %c, %mask, %z : {{.*}}, vector<16xi1>, vector<16x2xi32> -> vector<16x2xi32>
  %4 = xegpu.atomic_rmw addi %c, %mask, %z : !chunks, vector<16xi1>, vector<16x2xi32> -> vector<16x2xi32>
  // CHECK: xegpu.atomic_rmw addi %c, %masks, %z : {{.*}}, vector<16x2xi1>, vector<16x2xi32> -> vector<16x2xi32>
  %5 = xegpu.atomic_rmw addi %c, %masks, %z : !chunks, vector<16x2xi1>, vector<16x2xi32> -> vector<16x2xi32>
  // CHECK: xegpu.atomic_rmw minu %i
  %6 = "xegpu.atomic_rmw"(%i, %mask, %y) <{kind = 8 : i64}> : (!integers, vector<16xi1>, vector<16xi32>) -> vector<16xi32>
  // CHECK: xegpu.atomic_rmw ori %d, %own, %w : {{.*}}, vector<1xi1>, vector<1xi32> -> vector<1xi32>
  %7 = xegpu.atomic_rmw ori %d, %own, %w : !mapped, vector<1xi1>, vector<1xi32> -> vector<1xi32>
  return
}
