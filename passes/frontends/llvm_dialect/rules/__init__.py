"""Rules that write operations as LLVM IR; the modules of this folder register themselves."""
