"""Passes that compile for a GPU: how they are told which one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from passes.support.target_option import TargetOption
from xegpu import targets
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import ModuleOp as GpuModuleOp
from xegpu.dialects.upstream.xevm import MmaOp, chips_of
from xegpu.dialects.xe import kernels_of
from xegpu.dialects.xegpu import DpasOp
from xegpu.dialects.xetile import TileMMAOp
from xegpu.targets import Feature, Target

_PRODUCTS = (DpasOp, MmaOp, TileMMAOp)
"""The operations that only a matrix engine executes."""


class TargetPass(TargetOption):
    """A pass whose result depends on the GPU: that of its option, else the one that a `gpu.module` names."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for scope, target in self._scopes(op):
            _check_features(scope, target)
            self.compile(scope, target)

    @abstractmethod
    def compile(self, scope: Operation, target: Target) -> None:
        """Applies the pass to what a module, or one of several `gpu.module`s in it, holds for a GPU."""

    def _scopes(self, module: ModuleOp) -> Iterator[tuple[Operation, Target]]:
        """Yields the parts of a module with their GPUs; it is one part unless they differ."""
        if self.target:
            try:
                yield module, targets.get(self.target)
            except ValueError as error:
                raise CompileError(module, str(error)) from None
            return
        named = {holder: self._named(holder) for holder in module.walk() if isinstance(holder, GpuModuleOp)}
        if len({*named.values()}) == 1:
            yield module, next(iter(named.values()))
        else:
            yield from named.items()

    def _named(self, holder: GpuModuleOp) -> Target:
        found = target_of(holder)
        if found is None:
            raise CompileError(
                holder,
                f"names no GPU to compile for: expected the option target={targets.DEFAULT_TARGET} of the pass or "
                f'pipeline, or gpu.module @{holder.sym_name.data} [#xevm.target<chip = "{targets.chips()[0]}">]',
            )
        return found


def target_of(holder: GpuModuleOp) -> Target | None:
    """Returns the GPU that a module is for, by its `#xevm.target` or its compiled kernels; None if it names none.

    Raises `CompileError` for a chip that is not simulated, and for several GPUs.
    """
    named = [_of_chip(holder, chip) for chip in chips_of(holder.targets or ())]
    named += [target for kernel in kernels_of(holder) if (target := targets.TARGETS.get(kernel.target.data))]
    distinct = list(dict.fromkeys(named))
    if len(distinct) > 1:
        names = ", ".join(target.name for target in distinct)
        raise CompileError(holder, f"is for several GPUs: {names}; expected one, by the option target")
    return distinct[0] if distinct else None


def _of_chip(holder: GpuModuleOp, chip: str) -> Target:
    found = targets.of_chip(chip)
    if found is None:
        known = ", ".join(targets.chips())
        raise CompileError(holder, f"is for chip '{chip}', which is not simulated: expected one of {known}")
    return found


def _check_features(scope: Operation, target: Target) -> None:
    """Raises `CompileError` for products of matrices if the GPU has no engine for them, whatever pass meets them."""
    if target.platform.has(Feature.DPAS):
        return
    for op in scope.walk():
        if isinstance(op, _PRODUCTS):
            raise CompileError(op, f"multiplies matrices, {target.name} has no {Feature.DPAS.value}")
