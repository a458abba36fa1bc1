"""Messages in the interpreter: loads, stores, atomics, 2-D blocks and images."""
