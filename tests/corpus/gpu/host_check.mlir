// The host side alone: random inputs, a reference, an early exit, prints.
module {
  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printMemrefI32(memref<*xi32>)
  func.func private @printMaxErrorF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @allcloseF32(memref<*xf32>, memref<*xf32>) -> i1
  func.func private @rtclock() -> f64
  func.func private @kernel(memref<8x32xf32> {llvm.noalias, llvm.align = 64 : i64}, index) -> (memref<8x32xf32> {llvm.noalias})
  func.func public @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %input = memref.alloca() : memref<8x32xf32>
    %expected = memref.alloc() : memref<8x32xf32>
    %count = memref.alloca() : memref<i32>
    %zero = arith.constant 0 : i32
    memref.store %zero, %count[] : memref<i32>
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %flat = arith.muli %i, %c32 : index
        %at = arith.addi %flat, %j : index
        %int = arith.index_cast %at : index to i32
        %fp = arith.sitofp %int : i32 to f32
        %root = math.sqrt %fp : f32
        %power = math.exp %root : f32
        %limit = arith.constant 1.000000e+02 : f32
        %large = arith.cmpf ogt, %power, %limit : f32
        %value = scf.if %large -> (f32) {
          %old = memref.load %count[] : memref<i32>
          %one = arith.constant 1 : i32
          %new = arith.addi %old, %one : i32
          memref.store %new, %count[] : memref<i32>
          scf.yield %limit : f32
        } else {
          scf.yield %power : f32
        }
        memref.store %value, %input[%i, %j] : memref<8x32xf32>
        memref.store %value, %expected[%i, %j] : memref<8x32xf32>
      }
    }
    %start = call @rtclock() : () -> f64
    %result = call @kernel(%input, %c8) : (memref<8x32xf32>, index) -> memref<8x32xf32>
    %stop = call @rtclock() : () -> f64
    %time = arith.subf %stop, %start : f64
    vector.print %time : f64
    %a = memref.cast %result : memref<8x32xf32> to memref<*xf32>
    %b = memref.cast %expected : memref<8x32xf32> to memref<*xf32>
    %equal = call @allcloseF32(%a, %b) : (memref<*xf32>, memref<*xf32>) -> i1
    cf.cond_br %equal, ^good(%zero : i32), ^bad
  ^good(%code: i32):
    memref.dealloc %expected : memref<8x32xf32>
    return %code : i32
  ^bad:
    call @printMaxErrorF32(%a, %b) : (memref<*xf32>, memref<*xf32>) -> ()
    %row = vector.load %result[%c0, %c0] : memref<8x32xf32>, vector<8xf32>
    vector.print %row : vector<8xf32>
    %count_any = memref.cast %count : memref<i32> to memref<*xi32>
    call @printMemrefI32(%count_any) : (memref<*xi32>) -> ()
    %one = arith.constant 1 : i32
    return %one : i32
  }
}
