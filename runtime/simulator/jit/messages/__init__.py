"""Messages as LLVM IR: loads, stores, atomics, 2-D blocks and images."""
