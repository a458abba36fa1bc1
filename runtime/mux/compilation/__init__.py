"""The compiler behind every interface: from MLIR, LLVM IR, OpenCL C and SPIR-V to ZEBINs."""
