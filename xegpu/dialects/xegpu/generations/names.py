"""Names that other generations have: for the same operation, for the same attribute, and for what is not supported."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import IRDLOperation
from xdsl.parser import AttrParser

from xegpu.dialects.xegpu.attributes import MemorySpaceAttr
from xegpu.mlir import refused

_LATER_GPUS = "the 8- and 4-bit floats that it handles are those of later GPUs (Xe3p)"

_REASONS = {
    "xegpu.dpas_mx": _LATER_GPUS,
    "xegpu.lane_shuffle": "it arranges lanes for products of 8- and 4-bit floats, which are those of later GPUs (Xe3p)",
    "xegpu.truncf": _LATER_GPUS,
}


def spelling(name: str, op: type[IRDLOperation]) -> type[Operation]:
    """Returns the class that a dialect registers so that `name` is read as `op`, in custom and in generic form."""
    members = {
        "name": name,
        "__doc__": f"Another name of `{op.name}`.",
        "parse": op.parse,
        "create": op.create,
        "get_irdl_definition": op.get_irdl_definition,
    }
    result = type(f"{op.__name__}Spelling", (IRDLOperation,), members)
    assert issubclass(result, Operation)
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


NEWER_OPS = list(refused(_REASONS))
"""Operations for later GPUs: each is refused by name, with the reason."""

OTHER_ATTRIBUTES = [_memory_scope()]
"""Attributes that other generations name differently."""
