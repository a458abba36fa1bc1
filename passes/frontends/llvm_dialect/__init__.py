"""Kernels in MLIR's llvm dialect as LLVM IR, from which the front end of LLVM IR goes on.

What LLVM IR has no instruction for, as the operations of xevm, is a call there of a function that stands for it, and
becomes the operation again.

https://mlir.llvm.org/docs/Dialects/LLVM/
"""

from passes.frontends.llvm_dialect.module import (
    AnyFunction as AnyFunction,
    WrittenModule as WrittenModule,
    is_kernel as is_kernel,
    write_module as write_module,
)
from passes.frontends.llvm_dialect.writing.types import has_type as has_type
