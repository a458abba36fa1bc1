"""Values, types, places and instructions of a function, as text of LLVM IR."""
