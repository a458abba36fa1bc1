"""Reads what a module says about itself: its kernels, their arguments, and what it links to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from passes.frontends.spirv.declarations import Declarations
from passes.frontends.spirv.grammar import name_of
from passes.frontends.spirv.module import Function, entry_name
from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.types import AnyType, Bool, Float, Int, MatrixType, Opaque, PointerType, Type
from passes.frontends.spirv.validation import exported


class ArgumentKind(Enum):
    """Names the ways in which a kernel takes an argument."""

    VALUE = "value"
    POINTER = "pointer"
    LOCAL = "local memory"
    IMAGE = "image"
    SAMPLER = "sampler"


@dataclass(frozen=True)
class Argument:
    """An argument of a kernel.

    Attributes:
        name: Its name, empty if the module does not tell it.
        type_name: Its type in the source language, or in LLVM IR.
        kind: How the kernel takes it.
        size: Its bytes; pointers have 8.
        alignment: Its alignment.
        address_space: The address space to which a pointer points.
        access: `read_only`, `write_only` or `read_write` for images.
        attributes: Attributes of the parameter, such as `NoAlias` and `NoWrite`.
    """

    name: str
    type_name: str
    kind: ArgumentKind
    size: int
    alignment: int
    address_space: int | None
    access: str | None
    attributes: tuple[str, ...]


@dataclass(frozen=True)
class KernelInformation:
    """A kernel. `modes` holds all of its execution modes with their operands."""

    name: str
    arguments: tuple[Argument, ...]
    local_size: tuple[int, int, int] | None
    local_size_hint: tuple[int, int, int] | None
    subgroup_size: int | None
    modes: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True)
class Specialization:
    """A specialization constant: its number, the name of its type, its size in bytes, and its own value."""

    number: int
    type_name: str
    size: int
    default: bytes


@dataclass(frozen=True)
class ModuleInformation:
    """A module.

    Attributes:
        version: The version of SPIR-V.
        generator: The number of the program that made it, and its version.
        capabilities: What it uses.
        extensions: Those of SPIR-V that it uses.
        kernels: Its kernels.
        imports: The functions that its functions call and that other modules define.
        exports: The functions that others can call.
        imported_variables: The variables that other modules define.
        exported_variables: The variables that others can use.
        repeated: Those of its exports that other modules may define in the same way.
        has_variables: Whether it has variables in global memory, which its kernels share.
        printf_formats: The formats of printf, in the order of the calls.
    """

    version: tuple[int, int]
    generator: int
    capabilities: tuple[str, ...]
    extensions: tuple[str, ...]
    kernels: tuple[KernelInformation, ...]
    imports: tuple[str, ...]
    exports: tuple[str, ...]
    imported_variables: tuple[str, ...]
    exported_variables: tuple[str, ...]
    repeated: tuple[str, ...]
    has_variables: bool
    printf_formats: tuple[bytes, ...]


_ACCESS = ("read_only", "write_only", "read_write")


def kernels_of(declarations: Declarations) -> tuple[KernelInformation, ...]:
    """Returns the kernels of a module.

    Raises:
        SpirvError: A kernel has arguments that cannot be passed.
    """
    module = declarations.module
    context = _Context(declarations)
    return tuple(_kernel(context, each, module.functions[each.number(1)]) for each in module.entry_points)


class _Context:
    """The instructions about kernels, by their subject; libraries have thousands of kernels in a module."""

    def __init__(self, declarations: Declarations) -> None:
        self.declarations = declarations
        self.exports = exported(declarations.module)
        self.modes: dict[int, list[Instruction]] = defaultdict(list)
        for mode in declarations.module.modes:
            self.modes[mode.number(0)].append(mode)
        self.type_names: dict[str, list[str]] = {}
        for text in declarations.module.strings.values():
            if text.startswith(_TYPES_OF):
                kernel, _, names = text.removeprefix(_TYPES_OF).rpartition(".")
                self.type_names[kernel] = names.rstrip(",").split(",")


_TYPES_OF = "kernel_arg_type."
"""The start of the strings in which some producers write the types of a kernel's arguments."""


def _kernel(context: _Context, entry: Instruction, function: Function) -> KernelInformation:
    name = entry_name(entry)
    declarations = context.declarations
    count = len(function.parameters)
    type_names: Sequence[str | None] = context.type_names.get(name, [])
    if len(type_names) != count:
        type_names = [None] * count
    names = _names(context, name, function)
    arguments = tuple(_argument(declarations, *row) for row in zip(function.parameters, names, type_names, strict=True))
    modes: list[tuple[str, tuple[int, ...]]] = []
    for mode in context.modes[function.number]:
        operands = mode.numbers(2)
        if mode.name == "OpExecutionModeId":
            operands = tuple(_constant(declarations, each) for each in operands)
        modes.append((name_of("ExecutionMode", mode.number(1)).removesuffix("Id"), operands))
    sizes = dict(modes)
    return KernelInformation(
        name,
        arguments,
        _dimensions(sizes.get("LocalSize")),
        _dimensions(sizes.get("LocalSizeHint")),
        next(iter(sizes.get("SubgroupSize", ())), declarations.matrix_lanes),
        tuple(modes),
    )


def _constant(declarations: Declarations, number: int) -> int:
    constant = declarations.constants.get(number)
    if constant is None or constant.value is None:
        # FPFastMathDefault names a type, which is no number.
        return number
    return constant.value


def _dimensions(operands: tuple[int, ...] | None) -> tuple[int, int, int] | None:
    return (operands[0], operands[1], operands[2]) if operands and len(operands) == 3 else None


def _names(context: _Context, kernel: str, function: Function) -> list[str]:
    """Returns the names of the parameters. Some producers name those of the function that the entry point calls."""
    others = (context.exports.get(name) for name in (kernel, f"__clang_ocl_kern_imp_{kernel}"))
    for each in (function, *others):
        parameters = each.parameters if each is not None else []
        names = [context.declarations.module.names.get(parameter.result, "") for parameter in parameters]
        if any(names) and len(names) == len(function.parameters):
            return names
    return [""] * len(function.parameters)


def _argument(declarations: Declarations, parameter: Instruction, name: str, type_name: str | None) -> Argument:
    module = declarations.module
    kind = declarations.type(parameter, parameter.type)
    attributes = tuple(module.attributes(parameter.result))
    how, size, alignment = ArgumentKind.VALUE, kind.size, kind.alignment
    space = access = None
    if isinstance(kind, PointerType):
        how, space = ArgumentKind.POINTER, kind.space
        if kind.space == 3:
            how = ArgumentKind.LOCAL
        elif kind.space == 0:
            if "ByVal" not in attributes or not isinstance(kind.pointee, Type) or not kind.pointee.size:
                raise parameter.error("a kernel cannot take a pointer to Function unless it stands for a value")
            how, space = ArgumentKind.VALUE, None
            size, alignment = kind.pointee.size, kind.pointee.alignment
            kind = kind.pointee
        elif kind.space == 4:
            raise parameter.error("a kernel cannot take a pointer to Generic")
    elif isinstance(kind, Opaque):
        how = ArgumentKind.IMAGE if kind.is_image else ArgumentKind.SAMPLER
        access = None if kind.access is None else _ACCESS[kind.access]
        if kind.name not in ("ocl_sampler",) and not kind.is_image:
            raise parameter.error(f"a kernel cannot take a {kind.name}")
    elif isinstance(kind, Bool | MatrixType):
        raise parameter.error(f"a kernel cannot take a {'truth value' if isinstance(kind, Bool) else 'matrix'}")
    return Argument(name, type_name or _named(kind), how, size, alignment, space, access, attributes)


_SCALARS = {"i8": "char", "i16": "short", "i32": "int", "i64": "long"}


def _named(kind: AnyType) -> str:
    """Returns the name that OpenCL C gives a type, whose integers have no sign here."""
    if isinstance(kind, PointerType):
        inner = kind.pointee
        known = isinstance(inner, Type) and isinstance(inner.scalar, Int | Float)
        return f"{_named(inner)}*" if known and isinstance(inner, Type) else "void*"
    if isinstance(kind, Opaque):
        return kind.name.removeprefix("ocl_")
    scalar = _SCALARS.get(kind.scalar.llvm, kind.scalar.llvm)
    if isinstance(kind.scalar, Int | Float):
        return f"{scalar}{kind.count}" if kind.count > 1 else scalar
    return "struct"
