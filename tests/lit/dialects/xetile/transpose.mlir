// RUN: XEGPU_CANONICAL
module {
  func.func @f(%a: vector<32x64xf16>, %b: vector<8x8xindex>) {
    %0 = xetile.transpose %a, [1, 0] : vector<32x64xf16> -> vector<64x32xf16>
    %1 = xetile.transpose %a, [0, 1] : vector<32x64xf16> -> vector<32x64xf16>
    %2 = xetile.transpose %b, [1, 0] {map = #xetile.wg_map<sg_layout = [2, 2], sg_data = [4, 4]>} : vector<8x8xindex> -> vector<8x8xindex>
    return
  }
}

