// RUN: XEGPU_CANONICAL
module {
  func.func @f(%a: vector<16xi32>, %b: vector<16xi32>, %x: vector<16xf32>, %m: vector<16xi1>, %i: index, %iv: vector<16xindex>, %s: i32, %c: i1, %h: vector<16xbf16>, %z: vector<16xi8>) {
    %0 = arith.cmpi slt, %a, %b : vector<16xi32>
    %1 = arith.cmpf olt, %x, %x : vector<16xf32>
    %x1b = arith.cmpf olt, %x, %x fastmath<fast> : vector<16xf32>
    %2 = arith.select %m, %x, %x : vector<16xi1>, vector<16xf32>
    %3 = arith.select %c, %x, %x : vector<16xf32>
    %4 = arith.index_cast %iv : vector<16xindex> to vector<16xi32>
    %5 = arith.index_castui %i : index to i32
    %6 = arith.extsi %z : vector<16xi8> to vector<16xi32>
    %7 = arith.extui %z : vector<16xi8> to vector<16xi32>
    %8 = arith.trunci %a : vector<16xi32> to vector<16xi8>
    %9 = arith.sitofp %a : vector<16xi32> to vector<16xf32>
    %10 = arith.uitofp %a : vector<16xi32> to vector<16xf32>
    %11 = arith.fptosi %x : vector<16xf32> to vector<16xi32>
    %12 = arith.fptoui %x : vector<16xf32> to vector<16xi32>
    %13 = arith.extf %h : vector<16xbf16> to vector<16xf32>
    %14 = arith.truncf %x : vector<16xf32> to vector<16xbf16>
    %x14b = arith.truncf %x to_nearest_even : vector<16xf32> to vector<16xbf16>
    %15 = arith.bitcast %x : vector<16xf32> to vector<16xi32>
    %16 = arith.remf %x, %x : vector<16xf32>
    %17 = arith.select %m, %a, %b {foo} : vector<16xi1>, vector<16xi32>
    return
  }
}

