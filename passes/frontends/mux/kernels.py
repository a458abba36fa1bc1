"""Finds the kernels of a module by the attribute `mux-kernel`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

import llvmlite.binding as llvm

from passes.frontends.mux.checks import wrong
from passes.frontends.mux.functions import DefinedFunction

_CONVENTION = "spir_kernel"
_ENTRY_POINT = "entry-point"


def entry_points(functions: Sequence[DefinedFunction], source: str) -> list[DefinedFunction] | None:
    """Returns the kernels that the runtime may launch; `None` if no function is marked as a kernel.

    Raises:
        MuxIrError: A kernel returns a value, no kernel is an entry point, or two stand for one kernel.
    """
    if not any("mux-kernel" in function.attributes for function in functions):
        return None
    entries = [function for function in functions if function.attributes.get("mux-kernel") == _ENTRY_POINT]
    if not entries:
        kernel = next(function for function in functions if "mux-kernel" in function.attributes)
        raise wrong(kernel, f'the attribute "mux-kernel", and none has "mux-kernel"="{_ENTRY_POINT}"', source)
    seen = set()
    for entry in entries:
        if entry.result != "void":
            raise wrong(entry, f'the attribute "mux-kernel" and returns {entry.result}: kernels return void', source)
        if (name := kernel_name(entry)) in seen:
            raise wrong(entry, f'"mux-orig-fn"="{name}", as another entry point has', source)
        seen.add(name)
    return entries


def kernel_name(entry: DefinedFunction) -> str:
    """Returns the name by which the runtime knows a kernel: that of the function before it was wrapped."""
    return entry.attributes.get("mux-orig-fn", entry.name)


def name_kernels(module: llvm.ModuleRef, entries: Sequence[DefinedFunction]) -> list[DefinedFunction]:
    """Gives entry points the names of their kernels. A function that has such a name gets another one."""
    for entry in entries:
        if (name := kernel_name(entry)) == entry.name:
            continue
        other = next((each for each in module.functions if each.name == name), None)
        if other is not None:
            other.name = f"{name}.original"
        module.get_function(entry.name).name = name
    return [replace(entry, name=kernel_name(entry)) for entry in entries]


def with_conventions(text: str, kernels: Collection[str]) -> str:
    """Returns a module in which kernels, and no other functions, have the calling convention of kernels.

    `text` is the module as LLVM prints it.
    """
    text = re.sub(rf"^(define [^@\n]*)\b{_CONVENTION} ", r"\1spir_func ", text, flags=re.MULTILINE)
    for name in kernels:
        text = _launched(text, name)
    return text


def _launched(text: str, name: str) -> str:
    """Returns a module with a function as a kernel. Functions that call it call a copy, since nobody calls kernels."""
    symbol = re.compile(rf'@(?:{re.escape(name)}|"{re.escape(name)}")\(')
    found = re.search(rf"^define [^@\n]*{symbol.pattern}.*?^}}$", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    head, body = re.sub(r"^define [^@\n]*@", f"define {_CONVENTION} void @", found[0]).split("\n", 1)
    before, after = text[: found.start()], text[found.end() :]
    if not any(map(symbol.search, (before, body, after))):
        return f"{before}{head}\n{body}{after}"
    called = f'@"{name}.called"('
    copy = re.sub(r",? !dbg !\d+|^ *#dbg_.*\n", "", found[0], flags=re.MULTILINE)
    before, body, after, copy = (symbol.sub(called, part) for part in (before, body, after, copy))
    return f"{before}{head}\n{body}\n\n{copy}{after}"
