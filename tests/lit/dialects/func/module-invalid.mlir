// RUN: XEGPU_INVALID

// expected-error@+1 {{can only contain attributes with dialect-prefixed names, found: 'in'}}
module attributes {in} {
}
