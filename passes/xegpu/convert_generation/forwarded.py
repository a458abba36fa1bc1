"""Descriptors that loops and branches forward to accesses of lanes, as their offsets.

A lane's part of a block depends on the access: a matrix that is loaded packed lies in registers otherwise than one
that is not. Each access therefore gets a descriptor of its own, which takes the source at hand and the offsets.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Operation, SSAValue

from passes.support.op_builder import OpBuilder
from passes.support.value_expansion import ValueExpansion
from passes.support.webs.descriptors import DescriptorWeb, descriptor_webs
from passes.xegpu.convert_generation.lanes import is_access_of_lane
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import CreateNdDescOp, LoadNdOp, PrefetchNdOp, StoreNdOp, UpdateNdOffsetOp


def expand_forwarded_descriptors(function: FuncOp) -> None:
    """Replaces forwarded descriptors of lanes' accesses by offsets, where all of them are for the same memory."""
    sources: dict[SSAValue, CreateNdDescOp] = {}
    for web in descriptor_webs(function):
        source = _common_source(web)
        if source is not None and _is_forwarded(web) and any(map(is_access_of_lane, web.users)):
            sources |= dict.fromkeys(web.values, source)
    if sources:
        _Offsets(sources).run(function.body)


def _is_forwarded(web: DescriptorWeb) -> bool:
    return any(not isinstance(value.owner, CreateNdDescOp) for value in web.values)


def _common_source(web: DescriptorWeb) -> CreateNdDescOp | None:
    """Returns one of the operations that create descriptors of a web; None if they are for different memory."""
    creates = [value.owner for value in web.values if isinstance(value.owner, CreateNdDescOp)]
    described = [(op.source, op.mixed_shape, op.mixed_strides, op.rank, op.tensor_desc.type) for op in creates]
    return creates[0] if creates and all(other == described[0] for other in described) else None


class _Offsets(ValueExpansion):
    """Replaces descriptors by the offsets of their blocks, one for each dimension of the memory."""

    def __init__(self, sources: dict[SSAValue, CreateNdDescOp]):
        super().__init__()
        self._sources = sources

    def types(self, value: SSAValue) -> Sequence[Attribute] | None:
        source = self._sources.get(value)
        return None if source is None else [IndexType()] * source.rank

    def rewrite(self, op: Operation) -> bool:
        builder = OpBuilder(op)
        match op:
            case CreateNdDescOp() if op.tensor_desc in self._sources:
                self.bind(op.tensor_desc, [builder.value(offset) for offset in op.mixed_offsets])
            case UpdateNdOffsetOp() if op.tensor_desc in self._sources:
                parts = list(self.parts(op.tensor_desc))
                distances = op.mixed_offsets
                moved = parts[: -len(distances)]
                for part, distance in zip(parts[-len(distances) :], distances, strict=True):
                    moved.append(builder.value(builder.plus(part, distance)))
                self.bind(op.result, moved)
            case LoadNdOp() | StoreNdOp() | PrefetchNdOp() if op.tensor_desc in self._sources:
                source = self._sources[op.tensor_desc]
                offsets = self.parts(op.tensor_desc)
                lists = source.mixed_shape, source.mixed_strides
                desc = builder.add(CreateNdDescOp(source.source, offsets, source.tensor_desc.type, *lists))
                operands = [desc if value is op.tensor_desc else value for value in op.operands]
                access = type(op).create(
                    operands=operands, result_types=op.result_types, properties=op.properties, attributes=op.attributes
                )
                builder.insert(access)
                for old, new in zip(op.results, access.results, strict=True):
                    old.replace_all_uses_with(new)
            case _:
                return False
        return True
