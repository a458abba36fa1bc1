"""Optimises LLVM IR before it is imported: calls are inlined, and variables of functions become values."""

from __future__ import annotations

import re
from functools import cache

import llvmlite.binding as llvm
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from passes.frontends.builtins import DATA_LAYOUT, TRIPLE
from xegpu.diagnostics import CompileError

_KERNEL = re.compile(r'^define .*\bspir_kernel\b[^@]*@("[^"]*"|[-\w.$]+)\(', re.MULTILINE)
_KEEPING_CALLS = re.compile(r"\b(?:noinline|optnone) ?")
_LAYOUT = re.compile(r"^target (?:datalayout|triple) = .*\n", re.MULTILINE)
_PLACE = re.compile(r"(?:<string>:)?(\d+):(\d+): (?:error: )?(.*)")
_MACHINE = "spirv64-unknown-unknown"
_CLEAN_UPS = 2


def optimise(text: str, filename: str = "<string>") -> str:
    """Returns a module in which kernels call nothing but declared functions; functions that nothing calls are gone.

    Raises `CompileError` for text that is no LLVM IR.
    """
    context = llvm.create_context()
    module = _parsed(text, filename, context)
    printed = str(module)
    kernels = {name.strip('"') for name in _KERNEL.findall(printed)}
    module = _parsed(_prepared(printed), filename, context)
    for function in module.functions:
        if not function.is_declaration and function.name not in kernels:
            function.linkage = "internal"
            function.add_function_attribute("alwaysinline")
    builder = llvm.create_pass_builder(_machine(), llvm.create_pipeline_tuning_options())
    _passes().run(module, builder)
    return str(module)


def _parsed(text: str, filename: str, context: llvm.ContextRef) -> llvm.ModuleRef:
    try:
        module = llvm.parse_assembly(text, context)
        module.verify()
    except RuntimeError as error:
        raise _located(str(error), filename) from error
    return module


def _located(message: str, filename: str) -> CompileError:
    """Returns an error of LLVM at the place that it names."""
    found = _PLACE.search(message)
    line, column, reason = found.groups() if found is not None else ("1", "1", " ".join(message.split()))
    place = FileLineColLoc(StringAttr(filename), IntAttr(int(line)), IntAttr(int(column)))
    return CompileError(place, f"is no LLVM IR: {reason}")


def _prepared(text: str) -> str:
    """Returns a module for our target, in which nothing keeps functions from being inlined."""
    lines = _LAYOUT.sub("", text).split("\n")
    plain = [
        _KEEPING_CALLS.sub("", line) if line.startswith(("attributes ", "define ", "declare ")) else line
        for line in lines
    ]
    return "\n".join([f'target datalayout = "{DATA_LAYOUT}"', f'target triple = "{TRIPLE}"', *plain])


@cache
def _machine() -> llvm.TargetMachine:
    llvm.initialize_all_targets()
    return llvm.Target.from_triple(_MACHINE).create_target_machine()


def _passes() -> llvm.ModulePassManager:
    """Returns the passes: fewer than those of -O2, which vectorise, and make integers that no kernel has."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_global_dead_code_eliminate_pass()
    for _ in range(_CLEAN_UPS):
        passes.add_sroa_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
    passes.add_new_gvn_pass()
    passes.add_sccp_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.add_aggressive_dce_pass()
    return passes
