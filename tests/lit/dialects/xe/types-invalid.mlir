// RUN: XEGPU_INVALID

// expected-error@+1 {{a register block of 0 bytes aligned to 64: expected 1 to 262144 bytes and a power of two}}
func.func private @f(!xe.grf<0, 64>)

// -----

// expected-error@+1 {{a register block of -64 bytes aligned to 64: expected 1 to 262144 bytes and a power of two}}
func.func private @f(!xe.grf<-64, 64>)

// -----

// expected-error@+1 {{a register block of 262145 bytes aligned to 64: expected 1 to 262144 bytes and a power of two}}
func.func private @f(!xe.grf<262145, 64>)

// -----

// expected-error@+1 {{a register block of 64 bytes aligned to 48: expected 1 to 262144 bytes and a power of two}}
func.func private @f(!xe.grf<64, 48>)

// -----

// expected-error@+1 {{a register block of 64 bytes aligned to 0: expected 1 to 262144 bytes and a power of two}}
func.func private @f(!xe.grf<64, 0>)

// -----

// expected-error@+1 {{a register block of 64 bytes aligned to 524288: expected 1 to 262144 bytes and a power of two}}
func.func private @f(!xe.grf<64, 524288>)

// -----

// expected-error@+1 {{register address 32: expected a multiple of 64 up to 262144}}
func.func private @f(!xe.grf<64, 64 at 32>)

// -----

// expected-error@+1 {{register address -64: expected a multiple of 64 up to 262144}}
func.func private @f(!xe.grf<64, 64 at -64>)

// -----

// expected-error@+1 {{register address 262208: expected a multiple of 64 up to 262144}}
func.func private @f(!xe.grf<64, 64 at 262208>)

// -----

// expected-error@+1 {{flag 8: expected 0 to 7}}
func.func private @f(!xe.flag<8>)

// -----

// expected-error@+1 {{flag -1: expected 0 to 7}}
func.func private @f(!xe.flag<-1>)
