"""The properties of `xe.kernel`: one for each field of `KernelFacts`, in the form that the field's type has in IR."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar, get_type_hints

from xdsl.dialects.builtin import I32, ArrayAttr, DenseArrayBase, IntegerAttr, StringAttr, UnitAttr, i32
from xdsl.ir import Attribute, Data
from xdsl.irdl import IRDLOperation, irdl_attr_definition, irdl_to_attr_constraint, opt_prop_def, prop_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from xegpu.isa.model import (
    ADDRESSING_WORDS,
    FILTER_WORDS,
    ArgumentKind,
    Dim3,
    ImplicitArgument,
    KernelArgument,
    KernelFacts,
    KernelSampler,
    SourceArgument,
)

_POINTERS = {kind.value: kind for kind in ArgumentKind if kind is not ArgumentKind.VALUE}


@irdl_attr_definition
class ArgumentAttr(Data[KernelArgument]):
    """`#xe.argument<"a" : "memref<4xf32>", at 0, 8 bytes, pointer global readonly>`: an explicit kernel argument.

    In place of `pointer ...`, `address` marks a number that the kernel uses as an address, and `structure` a value with
    members.
    """

    name = "xe.argument"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> KernelArgument:
        kind, access, form = ArgumentKind.VALUE, "", ""
        with parser.in_angle_brackets():
            name = parser.parse_str_literal()
            parser.parse_punctuation(":")
            type_name = parser.parse_str_literal()
            parser.parse_punctuation(",")
            offset, size = _parse_extent(parser)
            if parser.parse_optional_punctuation(",") is not None:
                form = parser.parse_keyword_in(("pointer", "address", "structure"))
                if form == "pointer":
                    kind = _POINTERS[parser.parse_keyword_in(tuple(_POINTERS))]
                    if kind is not ArgumentKind.SAMPLER:
                        access = parser.parse_keyword_in(("readonly", "writeonly", "readwrite"))
        is_address, is_structure = form == "address", form == "structure"
        return KernelArgument.at(
            offset, size, name, type_name, kind, access, is_address=is_address, is_structure=is_structure
        )

    def print_parameter(self, printer: Printer) -> None:
        argument = self.data
        (slot,) = argument.slots
        with printer.in_angle_brackets():
            printer.print_string_literal(argument.name)
            printer.print_string(" : ")
            printer.print_string_literal(argument.type_name)
            printer.print_string(f", at {slot.offset}, {slot.size} bytes")
            if argument.kind is not ArgumentKind.VALUE:
                printer.print_string(f", pointer {argument.kind.value} {argument.access}".rstrip())
            elif argument.is_address:
                printer.print_string(", address")
            elif argument.is_structure:
                printer.print_string(", structure")


@irdl_attr_definition
class ImplicitArgumentAttr(Data[ImplicitArgument]):
    """`#xe.implicit_argument<local_size, at 0, 12 bytes>`: a value that the runtime supplies.

    A value that describes the object of an explicit argument names the argument: `<image_width, at 0, 4 bytes, of 1>`.
    """

    name = "xe.implicit_argument"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ImplicitArgument:
        argument = None
        with parser.in_angle_brackets():
            kind = parser.parse_identifier()
            parser.parse_punctuation(",")
            offset, size = _parse_extent(parser)
            if parser.parse_optional_punctuation(",") is not None:
                parser.parse_keyword("of")
                argument = parser.parse_integer(allow_negative=False)
        return ImplicitArgument(kind, offset, size, argument)

    def print_parameter(self, printer: Printer) -> None:
        implicit = self.data
        with printer.in_angle_brackets():
            printer.print_string(f"{implicit.kind}, at {implicit.offset}, {implicit.size} bytes")
            if implicit.argument is not None:
                printer.print_string(f", of {implicit.argument}")


@irdl_attr_definition
class SamplerAttr(Data[KernelSampler]):
    """`#xe.sampler<repeat, linear, normalized, at 16>`: a sampler that a kernel brings along."""

    name = "xe.sampler"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> KernelSampler:
        with parser.in_angle_brackets():
            addressing = parser.parse_keyword_in(tuple(ADDRESSING_WORDS))
            parser.parse_punctuation(",")
            filter_word = parser.parse_keyword_in(tuple(FILTER_WORDS))
            parser.parse_punctuation(",")
            normalized = parser.parse_optional_keyword("normalized") is not None
            if normalized:
                parser.parse_punctuation(",")
            parser.parse_keyword("at")
            return KernelSampler(addressing, filter_word, normalized, parser.parse_integer())

    def print_parameter(self, printer: Printer) -> None:
        sampler = self.data
        words = [sampler.addressing, sampler.filter, *(["normalized"] if sampler.normalized else [])]
        with printer.in_angle_brackets():
            printer.print_string(f"{', '.join(words)}, at {sampler.offset}")


def _parse_extent(parser: AttrParser) -> tuple[int, int]:
    """Parses `at 8, 4 bytes`: an offset and a size."""
    parser.parse_keyword("at")
    offset = parser.parse_integer()
    parser.parse_punctuation(",")
    size = parser.parse_integer()
    parser.parse_keyword("bytes")
    return offset, size


_FORMS: dict[object, type[Attribute]] = {
    int: IntegerAttr[I32],
    str: StringAttr,
    bool: UnitAttr,
    Dim3: DenseArrayBase,
    Dim3 | None: DenseArrayBase,
    tuple[str, ...]: ArrayAttr[StringAttr],
    tuple[SourceArgument, ...]: ArrayAttr[ArrayAttr[StringAttr]],
    tuple[KernelArgument, ...]: ArrayAttr[ArgumentAttr],
    tuple[ImplicitArgument, ...]: ArrayAttr[ImplicitArgumentAttr],
    tuple[KernelSampler, ...]: ArrayAttr[SamplerAttr],
}
"""The type of a fact, and the attribute that holds it."""

_REQUIRED = ("simd_size", "arguments", "implicit_arguments", "local_id_dimensions")
"""The facts that every kernel states; others are left out where they have their default."""

_NATIVE = ("bindings",)
"""The facts of native code, which kernels of the virtual ISA do not have."""

_Op = TypeVar("_Op", bound=IRDLOperation)


def with_fact_properties(op: type[_Op]) -> type[_Op]:
    """Gives the definition of an operation a property for each fact of a kernel."""
    for name, type in get_type_hints(KernelFacts).items():
        if name in _NATIVE:
            continue
        constraint = irdl_to_attr_constraint(_FORMS[type])
        setattr(op, name, prop_def(constraint) if name in _REQUIRED else opt_prop_def(constraint))
    return op


def fact_properties(facts: KernelFacts) -> dict[str, Attribute]:
    """Returns the properties that state the facts."""
    return {
        field.name: fact_attribute(value)
        for field in fields(facts)
        if field.name not in _NATIVE
        and ((value := getattr(facts, field.name)) != field.default or field.name in _REQUIRED)
    }


def facts_of(properties: Mapping[str, Attribute]) -> KernelFacts:
    """Returns the facts that the properties of a verified kernel state."""
    facts = KernelFacts(**{f.name: _value(properties[f.name]) for f in fields(KernelFacts) if f.name in properties})
    return replace(facts, source_arguments=tuple(map(SourceArgument._make, facts.source_arguments)))


def fact_attribute(value: object) -> Attribute:
    """Returns the attribute that holds a fact."""
    match value:
        case True:
            return UnitAttr()
        case int():
            return IntegerAttr(value, i32)
        case (int(), int(), int()):
            return DenseArrayBase.from_list(i32, value)
        case str():
            return StringAttr(value)
        case KernelArgument():
            return ArgumentAttr(value)
        case ImplicitArgument():
            return ImplicitArgumentAttr(value)
        case KernelSampler():
            return SamplerAttr(value)
        case tuple():
            return ArrayAttr(map(fact_attribute, value))
    raise TypeError(f"no attribute holds {value!r}")


def _value(attribute: Attribute) -> Any:
    """Returns the fact that an attribute holds: of any of the types in `_FORMS`."""
    match attribute:
        case UnitAttr():
            return True
        case IntegerAttr():
            return attribute.value.data
        case DenseArrayBase():
            return attribute.get_values()
        case ArrayAttr():
            return tuple(map(_value, attribute))
        case StringAttr() | ArgumentAttr() | ImplicitArgumentAttr() | SamplerAttr():
            return attribute.data
    raise TypeError(f"{attribute} holds no fact")
