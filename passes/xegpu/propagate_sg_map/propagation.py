"""Finds the maps of the descriptors of a function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

from passes.support.fragments import Assignment, Ownership
from passes.support.fragments.anchors import (
    Accesses,
    accessed,
    check_product,
    is_whole,
    is_whole_product,
    ownership_under,
)
from passes.support.fragments.ownership import MOST_ELEMENTS
from passes.support.matrix_operands import matrix_maps
from passes.support.webs.descriptors import descriptor_webs
from passes.xegpu.propagate_sg_map.candidates import possible_maps
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import DpasOp, LoadNdOp, LoadOp, SgMapAttr, TensorDescType, element_bits, packing_factor
from xegpu.dialects.xegpu.ops import SG_MAPS
from xegpu.targets import Target


@dataclass(eq=False)
class MappedWeb:
    """Descriptors that flow into one another, which get a map together, and the accesses through them."""

    type: TensorDescType
    values: Sequence[SSAValue]
    accesses: Sequence[Accesses]

    def set_map(self, sg_map: SgMapAttr) -> None:
        """Sets the map of all descriptors."""
        self.type = self.type.with_map(sg_map)
        self.values = [Rewriter.replace_value_with_new_type(value, self.type) for value in self.values]


def propagate(function: FuncOp, target: Target) -> None:
    """Sets the maps of the descriptors and products of a function.

    Raises `CompileError` for products that cannot be distributed and for maps of another target.
    """
    webs = [web for web in _mapped_webs(function) if web.type.lane_map is None and _is_shared(web)]
    webs = _set_wanted(function, target, webs)
    for choose in (_loads, _all):
        for web in filter(choose, webs):
            if (usual := next(_usual_maps(web, target), None)) is not None:
                web.set_map(usual)
        webs = _set_wanted(function, target, [web for web in webs if not choose(web)])
    for op in function.walk():
        if isinstance(op, DpasOp) and is_whole_product(op):
            check_product(op, target)
            op.properties |= dict(zip(SG_MAPS, matrix_maps(op, target), strict=True))


def _mapped_webs(function: FuncOp) -> list[MappedWeb]:
    """Returns the webs of a function, in program order."""
    found = []
    for web in descriptor_webs(function):
        type = web.values[0].type
        assert isinstance(type, TensorDescType)
        accesses = [op for op in web.users if isinstance(op, Accesses) and op.tensor_desc in web.values]
        found.append(MappedWeb(type, web.values, accesses))
    return found


def _is_shared(web: MappedWeb) -> bool:
    if web.type.array_length * web.type.element_count() > MOST_ELEMENTS:
        return False
    return bool(web.accesses) and all(is_whole(accessed(op).type, web.type) for op in web.accesses)


def _loads(web: MappedWeb) -> bool:
    return any(isinstance(op, LoadNdOp | LoadOp) for op in web.accesses)


def _all(_: MappedWeb) -> bool:
    return True


def _set_wanted(function: FuncOp, target: Target, webs: list[MappedWeb]) -> list[MappedWeb]:
    """Sets the maps of webs whose tiles have a known distribution. Returns the other webs."""
    while webs:
        owned = Assignment(function, target, all_products=True).owned
        rest: list[MappedWeb] = []
        for web in webs:
            votes = {op: owned[accessed(op)] for op in web.accesses if accessed(op) in owned}
            if not votes:
                rest.append(web)
                continue
            if (suiting := _suiting_map(web, target, votes)) is not None:
                web.set_map(suiting)
        if len(rest) == len(webs):
            break
        webs = rest
    return webs


def _suiting_map(web: MappedWeb, target: Target, votes: Mapping[Accesses, Ownership]) -> SgMapAttr | None:
    """Returns the map under which most accesses get the distribution that they need."""
    best, most = None, -1
    for sg_map in _usual_maps(web, target):
        type = web.type.with_map(sg_map)
        suited = sum(ownership_under(op, type) == wanted for op, wanted in votes.items())
        if suited > most:
            best, most = sg_map, suited
        if suited == len(votes):
            break
    return best


def _usual_maps(web: MappedWeb, target: Target) -> Iterator[SgMapAttr]:
    """Yields the maps to use where nothing else is known, the best first."""
    lanes, type = target.platform.subgroup_size, web.type
    rows, columns = SgMapAttr([1, lanes], [1, 1]), SgMapAttr([lanes, 1], [1, 1])
    if type.is_scattered:
        chunks = SgMapAttr([lanes, 1], [1, packing_factor(type.element_type)])
        yield from _checked(web, chunks if type.get_num_dims() == 2 else rows)
        return
    for op in web.accesses:
        if isinstance(op, LoadNdOp) and op.is_transposed:
            yield from _checked(web, SgMapAttr([lanes, 1], [1, _transposed_unit(op)]))
        elif isinstance(op, LoadNdOp) and op.is_packed:
            yield from _checked(web, SgMapAttr([1, lanes], [packing_factor(type.element_type), 1]))
    yield from _checked(web, rows)
    yield from _checked(web, columns)
    for possible in possible_maps(target):
        yield from _checked(web, possible)


def _transposed_unit(op: LoadNdOp) -> int:
    width = op.transpose_bit_width
    return 1 if width is None else width.value.data // element_bits(op.desc.element_type)


def _checked(web: MappedWeb, sg_map: SgMapAttr) -> Iterator[SgMapAttr]:
    """Yields the map if the descriptors can have it."""
    try:
        type = web.type.with_map(sg_map)
    except VerifyException:
        return
    if type.is_scattered:
        if type.get_shape()[0] != sg_map.lane_map.lanes:
            return
    elif not sg_map.lane_map.tiles(type.tile):
        return
    yield sg_map
