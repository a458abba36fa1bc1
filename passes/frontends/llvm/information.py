"""Reads the properties of kernels, and the formats of their prints, from a module in LLVM IR."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import IntAttr
from xdsl.dialects.llvm import LLVMPointerType

from passes.frontends.llvm.reader import Callee, Function, Local, Module, Parameter, string_at

_SPACES = {0: "private", 1: "global", 2: "constant", 3: "local"}


@dataclass(frozen=True)
class ArgumentDetails:
    """An argument of a kernel as its source declares it; what the source does not tell is empty.

    Attributes:
        name: Its name.
        type_name: Its type, such as `float4*`.
        address_qualifier: The memory: `private` for values, or `global`, `constant` or `local` for pointers.
        access_qualifier: `read_only`, `write_only` or `read_write` for images.
        type_qualifiers: Words such as `const`, `restrict` and `volatile`.
    """

    name: str = ""
    type_name: str = ""
    address_qualifier: str = "private"
    access_qualifier: str = ""
    type_qualifiers: tuple[str, ...] = ()


@dataclass(frozen=True)
class KernelDetails:
    """A kernel: its arguments, and the sizes that it requires."""

    name: str
    arguments: tuple[ArgumentDetails, ...]
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
    def strings(kind: str) -> list[str]:
        return module.metadata.strings(function.metadata.get(kind, ""))

    def size(kind: str) -> tuple[int, int, int] | None:
        numbers = module.metadata.numbers(function.metadata.get(kind, ""))
        return (numbers[0], numbers[1], numbers[2]) if len(numbers) == len(_DIMENSIONS) else None

    names, types = strings("kernel_arg_name"), strings("kernel_arg_type")
    accesses, qualifiers = strings("kernel_arg_access_qual"), strings("kernel_arg_type_qual")
    arguments = tuple(
        ArgumentDetails(
            _at(names, number) or parameter.name.removeprefix("%").strip('"'),
            _at(types, number),
            _space(parameter),
            _at(accesses, number).replace("none", ""),
            tuple(_at(qualifiers, number).split()),
        )
        for number, parameter in enumerate(function.parameters)
    )
    subgroup = module.metadata.numbers(function.metadata.get("intel_reqd_sub_group_size", ""))
    return KernelDetails(
        function.name,
        arguments,
        size("reqd_work_group_size"),
        size("work_group_size_hint"),
        subgroup[0] if subgroup else None,
        bool(names),
    )


_DIMENSIONS = "xyz"


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
