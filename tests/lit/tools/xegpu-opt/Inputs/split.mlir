func.func private @first()

// -----

  %0 = arith.foo

// -----

func.func private @third()
