// RUN: XEGPU_INVALID

func.func @number() {
  // expected-error@+1 {{'xegpu.alloc_nbarrier' op expected a number of named barriers of at least 0, got -1}}
  xegpu.alloc_nbarrier -1
  return
}

// -----

func.func @overflow() {
  // expected-error@+1 {{'xegpu.alloc_nbarrier' op}}
  xegpu.alloc_nbarrier 9223372036854775808
  return
}

// -----

func.func @operand(%n: i8) {
  // expected-error@+1 {{Expected integer literal}}
  xegpu.alloc_nbarrier %n
  return
}

// -----

func.func @id(%id: i32, %n: i8) {
  // expected-error@+1 {{'xegpu.init_nbarrier' op operand 'nbarrier_id'}}
  %0 = xegpu.init_nbarrier %id, %n : i32, i8 -> !xegpu.nbarrier
  return
}

// -----

func.func @participants(%id: i8, %n: index) {
  // expected-error@+1 {{'xegpu.init_nbarrier' op operand 'participant_thread_num'}}
  %0 = xegpu.init_nbarrier %id, %n : i8, index -> !xegpu.nbarrier
  return
}

// -----

func.func @arrive(%id: i8) {
  // expected-error@+1 {{'xegpu.nbarrier_arrive' op operand 'nbarrier'}}
  xegpu.nbarrier_arrive %id : i8
  return
}

// -----

func.func @wait(%id: i8) {
  // expected-error@+1 {{'xegpu.nbarrier_wait' op operand 'nbarrier'}}
  xegpu.nbarrier_wait %id : i8
  return
}
