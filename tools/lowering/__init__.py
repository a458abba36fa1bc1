"""Lowers structured operations on tensors and buffers to vectors and XeGPU, by the user's mlir-opt."""

from tools.lowering.mlir_opt import lowered as lowered
