"""Structured operations on memrefs: loops over their indexing maps, whatever the operation is called."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from runtime.host.data.types import memory_type
from runtime.host.emission.affine_maps import map_values
from runtime.host.emission.emitter import FunctionEmitter, lowers
from runtime.host.emission.memref_descriptors import (
    MemRefDescriptor,
    check_positions,
    descriptor,
    element_address,
    load_element,
    memref_of,
    store_element,
)
from runtime.host.lowering.memref import each_element
from runtime.llvm import Value


@lowers(LinalgStructuredOperation)
def structured(emitter: FunctionEmitter, op: LinalgStructuredOperation) -> None:
    for operand in (*op.inputs, *op.outputs):
        emitter.types(op, operand.type)
    maps = [attribute.data for attribute in op.get_indexing_maps()]
    operands = [*op.inputs, *op.outputs]
    memrefs = [descriptor(emitter, op, v) if isinstance(v.type, MemRefType) else None for v in operands]
    sizes = _loop_sizes(emitter, op, maps, memrefs)
    region = op.regions[0]
    results = range(len(op.inputs), len(operands))

    def body(loops: Sequence[Value]) -> None:
        addresses = {
            number: _address(emitter, op, memref, operands[number], maps[number], loops)
            for number, memref in enumerate(memrefs)
            if memref is not None
        }
        block = region.block
        for number, argument in enumerate(block.args):
            if number not in addresses:
                emitter.values[argument] = emitter.parts(operands[number])
            elif argument.uses:  # nothing reads values that are only overwritten
                emitter.give(argument, load_element(emitter, op, addresses[number], argument.type))

        def leave(last: Operation) -> None:
            for number, value in zip(results, last.operands, strict=True):
                store_element(emitter, emitter.one(value), addresses[number], value.type)

        emitter.loops.append(tuple(loops))
        emitter.region(region, leave)
        emitter.loops.pop()

    each_element(emitter, op, sizes, body)


@lowers(IndexOp)
def index(emitter: FunctionEmitter, op: IndexOp) -> None:
    emitter.give(op.result, emitter.loops[-1][op.dim.value.data])


def _loop_sizes(
    emitter: FunctionEmitter, op: Operation, maps: Sequence[AffineMap], memrefs: Sequence[MemRefDescriptor | None]
) -> list[Value]:
    """Returns the number of iterations of each loop: the size of the dimension that it runs over."""
    found: dict[int, Value] = {}
    for map, memref in zip(maps, memrefs, strict=True):
        if memref is None:
            continue
        for result, size in zip(map.results, memref.sizes, strict=True):
            if isinstance(result, AffineDimExpr) and found.setdefault(result.position, size) != size:
                differ = emitter.code.compare("icmp ne", found[result.position], size)
                text = f"has operands that disagree on loop {result.position}: {{0}} and {{1}} iterations"
                emitter.fail_if(differ, op, text, found[result.position], size)
    count = maps[0].num_dims if maps else 0
    if len(found) != count:
        emitter.refuse(op, "has a loop that runs over no dimension of an operand alone, which is not supported")
    return [found[number] for number in range(count)]


def _address(
    emitter: FunctionEmitter,
    op: Operation,
    memref: MemRefDescriptor | None,
    operand: SSAValue,
    map: AffineMap,
    loops: Sequence[Value],
) -> Value:
    assert memref is not None
    indices = map_values(emitter, op, map, loops)
    if not all(isinstance(result, AffineDimExpr) for result in map.results):
        check_positions(emitter, op, memref, indices)
    return element_address(emitter, memref, indices, memory_type(memref_of(operand.type).element_type))
