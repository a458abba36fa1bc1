"""Links modules in LLVM IR: functions that one imports get the bodies that another exports."""

from __future__ import annotations

import re
from collections.abc import Sequence

import llvmlite.binding as llvm

from passes.frontends.optimisation import IrError, parsed

_GLOBAL = "addrspace(1)"
_LOCAL = frozenset({llvm.Linkage.internal, llvm.Linkage.private})
_KERNEL = re.compile(r"^define spir_kernel (?P<result>void) ", re.MULTILINE)


def link(modules: Sequence[str], libraries: Sequence[str] = ()) -> str:
    """Returns one module of several.

    Args:
        modules: Those that become one, with their kernels and variables.
        libraries: Those of which only functions are taken. Their variables stay theirs.

    Raises:
        IrError: A module is not valid, or two define one name.
    """
    whole = parsed(modules[0])
    for text in modules[1:]:
        _add(whole, parsed(text))
    for text in libraries:
        library = parsed(_KERNEL.sub("define internal spir_func void ", text))
        for variable in library.global_variables:
            if variable.linkage not in _LOCAL and not variable.is_declaration and _GLOBAL in str(variable):
                variable.linkage = llvm.Linkage.available_externally
        _add(whole, library)
    return str(whole)


def _add(whole: llvm.ModuleRef, part: llvm.ModuleRef) -> None:
    try:
        whole.link_in(part)
    except RuntimeError as error:
        raise IrError(" ".join(str(error).split())) from error
