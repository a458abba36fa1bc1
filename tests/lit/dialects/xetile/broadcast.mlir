// RUN: XEGPU_CANONICAL
module {
  func.func @f(%a: vector<1x64xf32>, %b: vector<32x1xi1>, %c: vector<1x1xf16>) {
    %0 = xetile.broadcast %a [0] : vector<1x64xf32> -> vector<32x64xf32>
    %1 = xetile.broadcast %b [1] {note} : vector<32x1xi1> -> vector<32x64xi1>
    %2 = xetile.broadcast %c [0, 1] : vector<1x1xf16> -> vector<32x64xf16>
    %3 = xetile.broadcast %c [0] : vector<1x1xf16> -> vector<32x1xf16>
    return
  }
}

