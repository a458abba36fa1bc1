"""How ops of host programs are compiled: one file a dialect, or a part of one. Importing this registers all of them."""

from runtime.host.lowering import (
    affine,
    arith,
    arith_casts,
    cf,
    func,
    gpu,
    linalg,
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
    "math",
    "memref",
    "memref_views",
    "scf",
    "vector",
    "vector_shapes",
]
