"""Front ends: what brings kernels in other languages to MLIR."""
