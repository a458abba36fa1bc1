"""The functions that kernels call, as operations of MLIR; modules here register themselves when they are imported."""
