"""An operation as a section of a page: its description, syntax, operands and rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from inspect import cleandoc

from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    OpDef,
    OperandDef,
    OptionalDef,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    RegionDef,
    ResultDef,
    SingleBlockRegionDef,
    VarConstraint,
    VariadicDef,
    VarSingleBlockRegionDef,
)
from xdsl.traits import (
    IsTerminator,
    MemoryAllocEffect,
    MemoryEffect,
    MemoryFreeEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoMemoryEffect,
    Pure,
    RecursiveMemoryEffect,
)

from xegpu.dialects.documentation.constraints import attribute_words, type_words
from xegpu.dialects.documentation.descriptions import describe_op
from xegpu.dialects.documentation.markdown import fenced, table
from xegpu.dialects.upstream.llvm import IntrinsicOp
from xegpu.dialects.xe import InstructionOp

_EFFECTS: dict[type[MemoryEffect], str] = {
    NoMemoryEffect: "none on memory, but never moved to where it would not have been run",
    MemoryReadEffect: "reads memory",
    MemoryWriteEffect: "writes memory",
    MemoryAllocEffect: "allocates memory",
    MemoryFreeEffect: "frees memory",
    RecursiveMemoryEffect: "those of the ops in its regions",
}
_SEGMENTS = {AttrSizedOperandSegments.attribute_name, AttrSizedResultSegments.attribute_name}

Values = Sequence[tuple[str, OperandDef | ResultDef]]


def operation(title: str, ops: Sequence[type[IRDLOperation]], form: type) -> Iterator[str]:
    """The section of an op, or of several that `form` describes and that differ in their names only."""
    definition = ops[0].get_irdl_definition()
    yield from heading(title, ops, form)
    operands, results = signature(definition)
    yield from table(("Operand", "Type"), operands)
    yield from table(("Attribute", "Value"), _attributes(definition))
    yield from table(("Result", "Type"), results)
    yield from table(("Region", "Holds"), [(f"`{name}`", _blocks(region)) for name, region in definition.regions])
    yield from table(("Successor",), [(f"`{name}`",) for name, _ in definition.successors])
    yield from ("", f"Effects: {' or '.join(sorted({_effects(op) for op in ops}))}.")
    if len(ops) > 1:
        yield from table(("Operation", "What it does"), [(f"`{op.name}`", cleandoc(op.__doc__ or "")) for op in ops])


def heading(title: str, ops: Sequence[type[IRDLOperation]], form: type) -> Iterator[str]:
    """The beginning of that section: the description, the syntax and the examples."""
    names, definition = [op.name for op in ops], ops[0].get_irdl_definition()
    description = describe_op(form, names)
    yield from ("", f"### {title}", "", description.text)
    if definition.assembly_format is not None:
        name = f"`{names[0]}`" if len(names) == 1 else "name"
        yield from ("", "Syntax:", *fenced(f"operation ::= {name} {definition.assembly_format}"))
    yield from description.lines()


def form_of(op: type[IRDLOperation]) -> type:
    """Returns the class whose doc string describes an op.

    Instructions of one form, and intrinsics, are made from tables, which have a line of text for each.
    """
    base = op.__bases__[0]
    return base if issubclass(op, (InstructionOp, IntrinsicOp)) and base is not InstructionOp else op


def signature(definition: OpDef) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Names and types of operands, and of results."""
    known: dict[str, str] = {}
    return _values(definition.operands, known), _values(definition.results, known)


def _values(values: Values, known: dict[str, str]) -> list[tuple[str, str]]:
    """Names and types; `known` are the values that have given a name to their type."""
    rows = []
    for name, value in values:
        variable = _variable(value.constr)
        if variable is not None and variable in known:
            type_text = f"that of `{known[variable]}`"
        else:
            type_text = type_words(value.constr)
            if variable is not None:
                known[variable] = name
        rows.append((f"`{name}`", _counted(type_text, value)))
    return rows


def _variable(constraint: RangeConstraint) -> str | None:
    """The name that a constraint gives to the type, so that others have the same one."""
    match constraint:
        case RangeLengthConstraint(constraint=RangeOf(constr=VarConstraint(name=name))):
            return name
        case RangeOf(constr=VarConstraint(name=name)):
            return name
    return None


def _counted(words: str, value: object) -> str:
    """`words` about each value, and whether there may be none or several."""
    if isinstance(value, OptionalDef):
        return f"{words}, optional"
    return f"variadic of {words}" if isinstance(value, VariadicDef) else words


def _attributes(definition: OpDef) -> Iterator[tuple[str, str]]:
    for name, attribute in sorted({**definition.properties, **definition.attributes}.items()):
        if name not in _SEGMENTS:
            words = attribute_words(attribute.constr)
            if attribute.default_value is None:
                yield f"`{name}`", _counted(words, attribute)
            else:
                yield f"`{name}`", f"{words}, default `{attribute.default_value}`"


def _blocks(region: RegionDef) -> str:
    if isinstance(region, OptionalDef):
        return "nothing, or blocks"
    if isinstance(region, VarSingleBlockRegionDef):
        return "any number of regions of one block"
    return "one block" if isinstance(region, SingleBlockRegionDef) else "blocks"


def _effects(op: type[IRDLOperation]) -> str:
    if op.has_trait(IsTerminator):
        return "ends its block"
    if op.has_trait(Pure):
        return "none"
    effects = [_EFFECTS[type(trait)] for trait in op.traits if isinstance(trait, MemoryEffect)]
    return " and ".join(effects) or "unknown, so that it is never removed or merged"
