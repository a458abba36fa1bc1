// RUN: XEGPU_CANONICAL
module {
  func.func @f(%a: vector<32x64xf32>, %b: vector<32x64xi8>, %c: vector<32x64xindex>) {
    %0 = xetile.reduction <add>, %a [1] : vector<32x64xf32> -> vector<32x1xf32>
    %1 = xetile.reduction <mul>, %a [0] : vector<32x64xf32> -> vector<1x64xf32>
    %2 = xetile.reduction <maxnumf>, %a [0, 1] {note} : vector<32x64xf32> -> vector<1x1xf32>
    %3 = xetile.reduction <minnumf>, %a [0] : vector<32x64xf32> -> vector<1x64xf32>
    %4 = xetile.reduction <maximumf>, %a [0] : vector<32x64xf32> -> vector<1x64xf32>
    %5 = xetile.reduction <minimumf>, %a [0] : vector<32x64xf32> -> vector<1x64xf32>
    %6 = xetile.reduction <add>, %b [0] : vector<32x64xi8> -> vector<1x64xi8>
    %7 = xetile.reduction <minui>, %b [0] : vector<32x64xi8> -> vector<1x64xi8>
    %8 = xetile.reduction <minsi>, %b [0] : vector<32x64xi8> -> vector<1x64xi8>
    %9 = xetile.reduction <maxui>, %b [0] : vector<32x64xi8> -> vector<1x64xi8>
    %10 = xetile.reduction <maxsi>, %c [0] : vector<32x64xindex> -> vector<1x64xindex>
    %11 = xetile.reduction <and>, %b [0] : vector<32x64xi8> -> vector<1x64xi8>
    %12 = xetile.reduction <or>, %b [0] : vector<32x64xi8> -> vector<1x64xi8>
    %13 = xetile.reduction <xor>, %b [0] : vector<32x64xi8> -> vector<1x64xi8>
    return
  }
}

