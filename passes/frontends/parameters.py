"""Parameters of kernels in the text of LLVM IR; structures that are passed by value become values.

Kernels take a structure as a pointer to a copy of their own. LLVM makes values of memory that a function allocates
itself, so the kernel takes the value instead, and allocates the copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NAME = r'(?:"[^"]*"|[\w.$-]+)'
_KERNEL = re.compile(rf"^define [^@\n]*\bspir_kernel [^@\n]*(@{_NAME})\(", re.MULTILINE)
_NAMED = re.compile(rf"(.*\S)\s+(%{_NAME})", re.DOTALL)
_MARKS = re.compile(r'"[^"]*"|[][(){}<>,]')
_ALIGNMENT = re.compile(r"\balign \d+")
_LABEL = re.compile(rf"{_NAME}:[^\n]*\n")


@dataclass(frozen=True)
class TextParameter:
    """A parameter as text: its type with attributes, its name, and whether the text has the name."""

    text: str
    name: str
    is_named: bool

    @property
    def type(self) -> str:
        """The type that the text begins with."""
        return self.text[: _end_of_type(self.text, 0)]

    @property
    def by_value(self) -> str | None:
        """The type behind a pointer that passes it by value; None for other parameters."""
        found = re.search(r"\bbyval\(", self.text)
        return None if found is None else self.text[found.end() : _end_of_type(self.text, found.end())]


def _end_of_type(text: str, start: int) -> int:
    """Returns the place behind a type, which ends at a space or a bracket that is not its own."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] in "([{<") - (text[place] in ")]}>")
        if depth < 0 or (depth == 0 and text[place] == " "):
            return place
    return len(text)


@dataclass(frozen=True)
class KernelText:
    """A kernel in the text of a module: its name, its parameters between two places, and its body between two more."""

    name: str
    parameters: tuple[TextParameter, ...]
    start: int
    end: int
    body_start: int
    body_end: int


def kernel_texts(text: str) -> Iterator[KernelText]:
    """Yields the kernels of a module that LLVM can read, in their order."""
    for found in _KERNEL.finditer(text):
        parts, end = _split(text, found.end())
        body_start = text.index("\n", end) + 1
        body_end = text.index("\n}", body_start - 1) + 1
        yield KernelText(found[1], tuple(_named(parts)), found.end(), end, body_start, body_end)


def _split(text: str, start: int) -> tuple[list[str], int]:
    """Returns the texts between commas in a list that starts somewhere, and where it ends."""
    parts: list[str] = []
    depth, begin = 1, start
    for found in _MARKS.finditer(text, start):
        mark, place = found[0], found.start()
        depth += (mark in "([{<") - (mark in ")]}>")
        if depth == 0 or (depth == 1 and mark == ","):
            parts.append(text[begin:place].strip())
            begin = place + 1
        if depth == 0:
            return [part for part in parts if part], place
    raise AssertionError("LLVM has read the list")


def _named(parts: list[str]) -> Iterator[TextParameter]:
    count = 0
    for part in parts:
        if named := _NAMED.fullmatch(part):
            yield TextParameter(named[1], named[2], is_named=True)
        else:
            yield TextParameter(part, f"%{count}", is_named=False)
            count += 1


def replaced(body: str, name: str, value: str) -> str:
    """Returns the body of a function in which a value stands for a local name."""
    return value.join(re.split(rf"{re.escape(name)}(?![\w.$-])", body))


def with_entry(body: str, lines: list[str]) -> str:
    """Returns the body of a function that begins with more instructions."""
    label = _LABEL.match(body)
    place = label.end() if label else 0
    return body[:place] + "".join(f"  {line}\n" for line in lines) + body[place:]


def take_values(text: str) -> str:
    """Returns a module whose kernels take structures as values; not those that other functions call."""
    if "byval(" not in text:
        return text
    for kernel in reversed(list(kernel_texts(text))):
        if any(p.by_value for p in kernel.parameters) and text.count(f"{kernel.name}(") == 1:
            parameters, body = _taking_values(kernel, text[kernel.body_start : kernel.body_end])
            between = text[kernel.end : kernel.body_start]
            text = text[: kernel.start] + parameters + between + body + text[kernel.body_end :]
    return text


def _taking_values(kernel: KernelText, body: str) -> tuple[str, str]:
    """Returns the parameters and the body of a kernel that allocates the copies of structures."""
    parameters: list[str] = []
    first: list[str] = []
    for number, parameter in enumerate(kernel.parameters):
        type = parameter.by_value
        parameters.append(f"{type or parameter.text} {parameter.name if parameter.is_named else ''}")
        if type is not None:
            copy, alignment = f'%"copy {number}"', _ALIGNMENT.search(parameter.text)
            aligned = f", {alignment[0]}" if alignment else ""
            body = replaced(body, parameter.name, copy)
            first += [f"{copy} = alloca {type}{aligned}", f"store {type} {parameter.name}, ptr {copy}{aligned}"]
    return ", ".join(parameters), with_entry(body, first)
