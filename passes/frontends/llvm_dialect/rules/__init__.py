"""How operations are written as LLVM IR. The modules of this folder register themselves."""
