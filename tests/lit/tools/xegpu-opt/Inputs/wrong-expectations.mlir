// expected-error@+1 {{something else}}
foo.bar

// -----

// expected-warning@+1 {{unknown operation}}
foo.bar

// -----

// expected-error-re@+1 {{a{{(}}b}}
foo.bar
