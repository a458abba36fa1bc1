"""Lowerings of host operations to LLVM IR: a file per dialect, or per part of one. Importing this registers them."""

from runtime.host.lowering import (
    affine,
    arith,
    arith_casts,
    cf,
    func,
    gpu,
    linalg,
    llvm,
    math,
    memref,
    memref_views,
    scf,
    vector,
    vector_shapes,
)

__all__ = [
    "affine",
    "arith",
    "arith_casts",
    "cf",
    "func",
    "gpu",
    "linalg",
    "llvm",
    "math",
    "memref",
    "memref_views",
    "scf",
    "vector",
    "vector_shapes",
]
