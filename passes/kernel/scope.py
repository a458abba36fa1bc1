"""The operations of kernels among those of a module, which may hold host code as well."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation

from xegpu.dialects.upstream.gpu import ModuleOp as GpuModuleOp


def kernel_operations(scope: Operation) -> Iterator[Operation]:
    """Yields what `gpu.module`s hold, with themselves; all operations of a scope that has none."""
    holders = [op for op in scope.walk() if isinstance(op, GpuModuleOp)]
    for holder in holders or (scope,):
        yield from holder.walk()
