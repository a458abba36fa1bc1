"""Attributes that other generations name differently."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.parser import AttrParser

from xegpu.dialects.xegpu.attributes import MemorySpaceAttr


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


OTHER_ATTRIBUTES = [_memory_scope()]
