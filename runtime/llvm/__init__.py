"""LLVM for whoever makes code for the CPU: IR as text, conversions between number formats, and machine code from it."""
