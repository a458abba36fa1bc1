"""Reads the properties of kernels, and the formats of their prints, from a module in LLVM IR."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import IntAttr
from xdsl.dialects.llvm import LLVMPointerType

from passes.frontends.llvm.reader import Callee, Function, Local, Module, Parameter, string_at
from xegpu.isa.model import SourceArgument

_SPACES = {0: "private", 1: "global", 2: "constant", 3: "local"}


@dataclass(frozen=True)
class KernelDetails:
    """A kernel: its arguments, and the sizes that it requires."""

    name: str
    arguments: tuple[SourceArgument, ...]
    required_work_group_size: tuple[int, int, int] | None = None
    work_group_size_hint: tuple[int, int, int] | None = None
    required_subgroup_size: int | None = None
    has_argument_info: bool = False


@dataclass(frozen=True)
class PrintfCall:
    """A print: its format, the types of the values, and the strings among them, which are constants."""

    format: str
    types: tuple[str, ...]
    strings: tuple[str, ...]


def kernels_of(module: Module) -> tuple[KernelDetails, ...]:
    """Returns the kernels of a module."""
    return tuple(_kernel(module, function) for function in module.functions if function.is_kernel)


def _kernel(module: Module, function: Function) -> KernelDetails:
    def size(kind: str) -> tuple[int, int, int] | None:
        numbers = module.metadata.numbers(function.metadata.get(kind, ""))
        return (numbers[0], numbers[1], numbers[2]) if len(numbers) == len(_DIMENSIONS) else None

    subgroup = module.metadata.numbers(function.metadata.get("intel_reqd_sub_group_size", ""))
    return KernelDetails(
        function.name,
        source_arguments(module, function),
        size("reqd_work_group_size"),
        size("work_group_size_hint"),
        subgroup[0] if subgroup else None,
        "kernel_arg_name" in function.metadata,
    )


_DIMENSIONS = "xyz"


def source_arguments(module: Module, function: Function) -> tuple[SourceArgument, ...]:
    """Returns the arguments of a kernel as metadata says that its source declares them."""

    def strings(kind: str) -> list[str]:
        return module.metadata.strings(function.metadata.get(kind, ""))

    names, types = strings("kernel_arg_name"), strings("kernel_arg_type")
    accesses, qualifiers = strings("kernel_arg_access_qual"), strings("kernel_arg_type_qual")
    return tuple(
        SourceArgument(
            _at(names, number) or parameter.name.removeprefix("%").strip('"'),
            _at(types, number),
            _space(parameter),
            _at(accesses, number).replace("none", ""),
            _at(qualifiers, number),
        )
        for number, parameter in enumerate(function.parameters)
    )


_HINT = re.compile(r"(?:<(\d+) x )?(i8|i16|i32|i64|half|float|double)>? (?:undef|poison), i32 ([01])")
_NUMBERS = {"i8": "char", "i16": "short", "i32": "int", "i64": "long"}


def vec_type_hint(module: Module, function: Function) -> str:
    """Returns the type that the source of a kernel hints at; empty if it hints at none."""
    found = _HINT.search(module.metadata.text(function.metadata.get("vec_type_hint", "")))
    if found is None:
        return ""
    count, element, is_signed = found.groups()
    unsigned = "u" * (element in _NUMBERS and is_signed == "0")
    return f"{unsigned}{_NUMBERS.get(element, element)}{count or ''}"


def _at(words: list[str], number: int) -> str:
    return words[number] if number < len(words) else ""


def _space(parameter: Parameter) -> str:
    if parameter.by_value is not None or not isinstance(parameter.type, LLVMPointerType):
        return "private"
    space = parameter.type.addr_space
    return _SPACES.get(space.data if isinstance(space, IntAttr) else 0, "global")


def prints_of(module: Module) -> Iterator[PrintfCall]:
    """Yields the calls of printf in a module whose calls are inlined, in their order."""
    for function in module.functions:
        for block in function.blocks:
            for instruction in block.instructions:
                if isinstance(instruction.detail, Callee) and instruction.detail.name == "printf":
                    text, *values = instruction.operands
                    strings = (None if isinstance(value, Local) else string_at(module, value) for value in values)
                    yield PrintfCall(
                        string_at(module, text) or "",
                        tuple(str(value.type) for value in values),
                        tuple(string for string in strings if string is not None),
                    )
