"""Passes on the text of modules of ComputeMux: checks, kernels, and default definitions of builtins."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from passes.frontends.mux.checks import check_barriers, check_calls, check_functions, check_module
from passes.frontends.mux.definitions import with_definitions
from passes.frontends.mux.degenerate import check_sub_groups, with_degenerate_sub_groups
from passes.frontends.mux.functions import functions_of
from passes.frontends.mux.kernels import entry_points, name_kernels, with_conventions
from passes.frontends.mux.signatures import check_signatures, declared_builtins
from passes.frontends.mux.table import PREFIX, BuiltinKind
from passes.frontends.optimisation import parsed

_USES = re.compile(rf'@{PREFIX}|"mux-kernel"')


def uses_builtins(text: str) -> bool:
    """Returns whether a module in LLVM IR is one of ComputeMux: it names a builtin, or marks its kernels."""
    return _USES.search(text) is not None


def check_mux_ir(text: str) -> str:
    """Returns a module as it is, if it follows the rules of ComputeMux.

    Raises:
        MuxIrError: A builtin does not exist or is used with other types, or attributes or metadata are wrong.
        IrError: The module is not valid.
    """
    module = parsed(text)
    printed = str(module)
    functions = functions_of(module, printed)
    check_signatures(declared_builtins(module), text)
    check_calls(module, text)
    check_barriers(text)
    check_functions(functions, text)
    check_sub_groups(functions, printed, text)
    check_module(printed, text)
    entry_points(functions, text)
    return text


def mark_kernels(text: str) -> str:
    """Returns a module whose entry points have the calling convention of kernels and the names of what they wrap.

    In kernels with degenerate sub-groups, what works in sub-groups works in the work-group then.

    Raises:
        MuxIrError: A kernel returns a value, no kernel is an entry point, or two stand for one kernel.
        IrError: The module is not valid.
    """
    module = parsed(text)
    functions = functions_of(module, str(module))
    entries = entry_points(functions, text)
    if entries is None:
        return with_degenerate_sub_groups(str(module), functions)
    kernels = name_kernels(module, entries)
    marked = with_conventions(str(module), [kernel.name for kernel in kernels])
    return with_degenerate_sub_groups(marked, kernels)


def define_dma(text: str) -> str:
    """Returns a module in which copies between memories have definitions: all work-items of a work-group copy.

    Raises:
        MuxIrError: A builtin does not exist, or has other types.
        IrError: The module is not valid.
    """
    check_signatures(declared_builtins(parsed(text)), text)
    return with_definitions(text, (BuiltinKind.DMA,))


def define_builtins(text: str) -> str:
    """Returns a module whose builtins have definitions and whose kernels are marked, after it has been checked.

    Raises:
        MuxIrError: The module breaks a rule of ComputeMux.
        IrError: The module is not valid.
    """
    return with_definitions(mark_kernels(check_mux_ir(text)))


PASSES: Mapping[str, Callable[[str], str]] = {
    "check-mux-ir": check_mux_ir,
    "mark-mux-kernels": mark_kernels,
    "define-mux-dma": define_dma,
    "define-mux-builtins": define_builtins,
}
"""The passes by their names. The last one does what all others do."""
