"""Attributes and types of other generations: names that mean the same are read, the others refused with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.parser import AttrParser

from xegpu.dialects.xegpu.attributes import MemorySpaceAttr

_LOCAL_MEMORY = "local memory is described by a tensor_desc with memory_space = slm"

_REFUSED: dict[str, tuple[type[Attribute], str]] = {
    "xegpu.slice": (ParametrizedAttribute, "an sg_map is for whole tiles, not for what is left after a reduction"),
    "xegpu.range": (ParametrizedAttribute, "every subgroup of a work-group runs the whole kernel"),
    "xegpu.mem_layout": (ParametrizedAttribute, _LOCAL_MEMORY),
    "xegpu.mem_desc": (TypeAttribute, _LOCAL_MEMORY),
}


def _refused(name: str, kind: type[Attribute], reason: str) -> type[ParametrizedAttribute]:
    """An attribute that cannot be read."""

    def parse_parameters(parser: AttrParser) -> NoReturn:
        sigil = "!" if kind is TypeAttribute else "#"
        parser.raise_error(f"{sigil}{name} has no counterpart in the dialect with sg_map: {reason}")

    bases = (ParametrizedAttribute,) if kind is ParametrizedAttribute else (ParametrizedAttribute, kind)
    members = {"name": name, "parse_parameters": staticmethod(parse_parameters), "__doc__": f"Refused: {reason}."}
    result = type("RefusedAttr", bases, members)
    assert issubclass(result, ParametrizedAttribute)
    return result


def _memory_scope() -> type[ParametrizedAttribute]:
    """Reads LLVM 19's `#xegpu<memory_scope slm>` as `#xegpu<memory_space slm>`."""

    def parse_parameters(parser: AttrParser) -> Sequence[Attribute]:
        return [MemorySpaceAttr(MemorySpaceAttr.parse_parameter(parser))]

    def new(parameters: Sequence[Attribute]) -> Attribute:
        (space,) = parameters
        return space

    members = {
        "name": "xegpu.memory_scope",
        "parse_parameters": staticmethod(parse_parameters),
        "new": staticmethod(new),
        "__doc__": "The name that LLVM 19 has for `xegpu.memory_space`: `#xegpu<memory_scope slm>`.",
    }
    result = type("MemoryScopeAttr", (ParametrizedAttribute,), members)
    assert issubclass(result, ParametrizedAttribute)
    return result


OTHER_ATTRIBUTES = [_memory_scope(), *(_refused(name, *why) for name, why in _REFUSED.items())]
