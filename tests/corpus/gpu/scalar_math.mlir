// Integers and floats of all widths through the operations that kernels use.
func.func @integers(%a: i32, %b: i32, %v: vector<16xi16>, %w: vector<16xi16>, %i: index, %j: index) -> (i32, vector<16xi16>, index) {
  %0 = arith.divsi %a, %b : i32
  %1 = arith.remui %0, %b : i32
  %2 = arith.shli %1, %b overflow<nsw> : i32
  %3 = arith.shrsi %2, %b exact : i32
  %4 = arith.ceildivsi %3, %b : i32
  %5 = arith.floordivsi %4, %b : i32
  %low, %high = arith.mului_extended %5, %b : i32
  %sum, %carry = arith.addui_extended %low, %high : i32, i1
  %6 = arith.xori %sum, %a : i32
  %7 = arith.extui %carry : i1 to i32
  %8 = arith.minsi %6, %7 : i32
  %9 = arith.maxui %v, %w : vector<16xi16>
  %10 = arith.cmpi sle, %9, %w : vector<16xi16>
  %11 = arith.select %10, %v, %w : vector<16xi1>, vector<16xi16>
  %12 = index.add %i, %j
  %13 = index.floordivs %12, %j
  %14 = index.and %13, %i
  %15 = index.cmp ult(%14, %j)
  %16 = arith.select %15, %i, %j : index
  %17 = index.castu %8 : i32 to index
  %18 = index.maxu %16, %17
  %19 = math.ctpop %8 : i32
  %20 = math.absi %19 : i32
  return %20, %11, %18 : i32, vector<16xi16>, index
}
func.func @floats(%x: f32, %h: f16, %b: bf16, %d: f64, %v: vector<8x16xf32>) -> (f32, vector<8x16xbf16>) {
  %0 = arith.extf %h : f16 to f32
  %1 = arith.extf %b : bf16 to f32
  %2 = arith.truncf %d : f64 to f32
  %3 = arith.negf %0 fastmath<nnan> : f32
  %4 = arith.remf %3, %1 : f32
  %5 = arith.minnumf %4, %2 : f32
  %6 = arith.fptosi %5 : f32 to i32
  %7 = arith.bitcast %6 : i32 to f32
  %8 = arith.cmpf une, %7, %x fastmath<ninf> : f32
  %9 = arith.select %8, %x, %7 : f32
  %10 = math.tanh %9 : f32
  %11 = math.floor %10 : f32
  %12 = math.ceil %11 : f32
  %13 = math.fma %12, %x, %9 : f32
  %14 = math.erf %13 : f32
  %15 = math.copysign %14, %x : f32
  %16 = math.log2 %15 : f32
  %17 = math.exp2 %v : vector<8x16xf32>
  %18 = math.absf %17 fastmath<fast> : vector<8x16xf32>
  %19 = arith.truncf %18 to_nearest_even : vector<8x16xf32> to vector<8x16xbf16>
  return %16, %19 : f32, vector<8x16xbf16>
}
