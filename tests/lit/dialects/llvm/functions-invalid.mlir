// RUN: XEGPU_INVALID

// expected-error@+1 {{expected a number from 0 to 2, got 7 : i64}}
"llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<"external">, sym_name = "f", visibility_ = 7 : i64}> ({}) : () -> ()

// -----

// expected-error@+1 {{expected a first block with the arguments of !llvm.func<void (i32)>}}
"llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<"external">, sym_name = "f", visibility_ = 0 : i64}> ({
  llvm.return
}) : () -> ()

// -----

// expected-error@+1 {{expected no argument behind '...'}}
llvm.func @f(i32, ..., i32)
