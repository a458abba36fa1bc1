"""Finds the kernels of a module by the attribute `mux-kernel`."""

from __future__ import annotations

import re

from passes.frontends.mux.errors import error

_GROUP = re.compile(r"^attributes (#\d+) = \{(.*)\}$", re.MULTILINE)
_HEAD = re.compile(r"^define (?P<words>[^@\n]*)@(?P<name>\"[^\"]*\"|[\w.$-]+)\([^\n]*$", re.MULTILINE)
_KERNEL = re.compile(r'"mux-kernel"(?:="(?P<value>[^"]*)")?')
_ENTRY_POINT = "entry-point"
_CONVENTION = "spir_kernel"


def mark_kernels(text: str, source: str) -> str:
    """Returns a module whose entry points have the calling convention of kernels, and no other function has it.

    A module without the attribute stays as it is: the calling convention tells its kernels.

    Args:
        text: The module as LLVM prints it.
        source: The module as its author wrote it, for errors.

    Raises:
        MuxError: A kernel returns a value.

    """
    marks = {number: found for number, body in _GROUP.findall(text) if (found := _KERNEL.search(body)) is not None}
    heads = {found["name"]: _mark(found[0], marks) for found in _HEAD.finditer(text)}
    if not any(heads.values()):
        return text
    entries = {name for name, mark in heads.items() if mark is not None and mark["value"] == _ENTRY_POINT}

    def replaced(found: re.Match[str]) -> str:
        name, words = found["name"], found["words"].split()
        if name in entries:
            if words[-1] != "void":
                raise error(f"{name} is a kernel and returns a value", source, rf"^define [^\n]*@{re.escape(name)}\(")
            return found[0].replace(found["words"], f"{_CONVENTION} void ", 1)
        return found[0].replace(f"{_CONVENTION} ", "spir_func ", 1)

    return _HEAD.sub(replaced, text)


def _mark(head: str, marks: dict[str, re.Match[str]]) -> re.Match[str] | None:
    """Returns the mark in the attributes of a definition."""
    return next((marks[number] for number in re.findall(r"#\d+", head) if number in marks), None)
