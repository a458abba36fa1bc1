// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

#a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
#a_tf32 = #xegpu.sg_map<wi_layout = [2, 8], wi_data = [1, 1]>
#a_i8 = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 2]>
#b_i8 = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [4, 1]>

// CHECK-LABEL: func.func @subgroup
func.func @subgroup(%a: vector<8x16xf16>, %a3: vector<8x8x2xf16>, %b: vector<16x16xf16>, %b3: vector<8x16x2xf16>, %c: vector<8x16xf32>,
                    %h: vector<8x16xf16>) {
  // CHECK: xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
  %0 = xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
  // CHECK: xegpu.dpas %a, %b3, %c {note} : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
  %1 = xegpu.dpas %a, %b3, %c {note} : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
  // CHECK: xegpu.dpas %a3, %b3, %c : vector<8x8x2xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
  %2 = xegpu.dpas %a3, %b3, %c : vector<8x8x2xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
  // CHECK: xegpu.dpas %a, %b, %h : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf16> -> vector<8x16xf16>
  %3 = xegpu.dpas %a, %b, %h : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf16> -> vector<8x16xf16>
  return
}

// CHECK-LABEL: func.func @types
func.func @types(%0: vector<8x16xbf16>, %1: vector<16x16xbf16>, %2: vector<8x8xtf32>, %3: vector<8x16xtf32>,
                 %4: vector<8x32xi8>, %5: vector<32x16xi8>, %6: vector<3x32xui8>, %7: vector<8x16x4xui8>) {
  // CHECK-COUNT-5: xegpu.dpas
  %8 = xegpu.dpas %0, %1 : vector<8x16xbf16>, vector<16x16xbf16> -> vector<8x16xf32>
  %9 = xegpu.dpas %0, %1 : vector<8x16xbf16>, vector<16x16xbf16> -> vector<8x16xbf16>
  %10 = xegpu.dpas %2, %3 : vector<8x8xtf32>, vector<8x16xtf32> -> vector<8x16xf32>
  %11 = xegpu.dpas %4, %5 : vector<8x32xi8>, vector<32x16xi8> -> vector<8x16xi32>
  %12 = xegpu.dpas %6, %7 : vector<3x32xui8>, vector<8x16x4xui8> -> vector<3x16xui32>
  return
}

// CHECK-LABEL: func.func @lanes
func.func @lanes(%a: vector<8x1xf16>, %b: vector<8x2xf16>, %c: vector<8x1xf32>, %wa: vector<8x16xf16>, %wb: vector<8x16x2xf16>,
                 %ta: vector<4x1xtf32>, %tb: vector<8x1xtf32>, %ia: vector<8x2xi8>, %ib: vector<8x4xi8>) {
  // CHECK: xegpu.dpas %a, %b, %c {sg_map_a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>, sg_map_b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>, sg_map_c = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>} : vector<8x1xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
  %0 = xegpu.dpas %a, %b, %c {sg_map_a = #a, sg_map_b = #b, sg_map_c = #a} : vector<8x1xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
  // Not distributed yet.
  // CHECK: xegpu.dpas %wa, %wb {sg_map_a = {{.*}}} : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
  %1 = xegpu.dpas %wa, %wb {sg_map_a = #a, sg_map_b = #b, sg_map_c = #a} : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
  // CHECK: xegpu.dpas %ta, %tb {{.*}} : vector<4x1xtf32>, vector<8x1xtf32> -> vector<8x1xf32>
  %2 = xegpu.dpas %ta, %tb {sg_map_a = #a_tf32, sg_map_b = #a, sg_map_c = #a} : vector<4x1xtf32>, vector<8x1xtf32> -> vector<8x1xf32>
  // CHECK: xegpu.dpas %ia, %ib {{.*}} : vector<8x2xi8>, vector<8x4xi8> -> vector<8x1xi32>
  %3 = xegpu.dpas %ia, %ib {sg_map_a = #a_i8, sg_map_b = #b_i8, sg_map_c = #a} : vector<8x2xi8>, vector<8x4xi8> -> vector<8x1xi32>
  return
}
