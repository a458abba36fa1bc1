"""`convert-xetile-to-xegpu`: converts tiles of a subgroup to descriptors, loads, stores and products of XeGPU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, Operation, SSAValue

from passes.analysis.integers import IntegerFacts
from passes.convert_xetile_to_xegpu.blocks import DescriptorForm
from passes.convert_xetile_to_xegpu.forms import TileForm
from passes.convert_xetile_to_xegpu.positioned import PositionForm, needs_position
from passes.convert_xetile_to_xegpu.scattered import ScatteredForm
from passes.convert_xetile_to_xegpu.vectors import rewrite_vectors
from passes.kernel.target_pass import TargetPass
from passes.support.op_builder import OpBuilder
from passes.support.tiles.refusals import check_subgroup_operation
from passes.support.tiles.webs import TileWeb, tile_webs
from passes.support.value_expansion import ValueExpansion
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import MemorySpace, is_scalar
from xegpu.dialects.xetile import InitTileOp, UpdateTileOffsetOp
from xegpu.targets import Target


@dataclass(frozen=True)
class ConvertXetileToXegpuPass(TargetPass):
    """Converts all operations on tiles and on their vectors, in every kernel.

    Blocks of global memory become block descriptors, scattered tiles descriptors of one address per lane. Where a block
    descriptor does not support the access (shared local memory, atomic updates, padding other than zero), each access
    creates its own descriptors. Sizes do not change: `xetile-blocking` makes them those of the hardware.
    """

    name = "convert-xetile-to-xegpu"

    def compile(self, scope: Operation, target: Target) -> None:
        for inner in scope.walk():
            if inner.name.startswith("xetile."):
                check_subgroup_operation(inner, target)
        for function in [o for o in scope.walk() if isinstance(o, FuncOp)]:
            _Conversion(function, target).run(function.body)


class _Conversion(ValueExpansion):
    """Converts one function."""

    def __init__(self, function: FuncOp, target: Target):
        super().__init__()
        self._forms: dict[SSAValue, TileForm] = {}
        facts = IntegerFacts()
        for web in tile_webs(function):
            self._forms.update(dict.fromkeys(web.values, _form(function, web, target, facts)))

    def types(self, value: SSAValue) -> Sequence[Attribute] | None:
        form = self._forms.get(value)
        return None if form is None else form.types

    def rewrite(self, op: Operation) -> bool:
        if not op.name.startswith("xetile."):
            return False
        if rewrite_vectors(op):
            return True
        tile = next(value for value in (*op.operands, *op.results) if value in self._forms)
        form, builder = self._forms[tile], OpBuilder(op)
        if isinstance(op, InitTileOp):
            self.bind(op.tile, form.init(builder, op))
        elif isinstance(op, UpdateTileOffsetOp):
            self.bind(op.result, form.update(builder, op, self.parts(op.tile)))
        else:
            values = form.access(builder, op, self.parts(tile))
            for result, value in zip(op.results, values, strict=True):
                result.replace_all_uses_with(value)
        return True


def _form(function: FuncOp, web: TileWeb, target: Target, facts: IntegerFacts) -> TileForm:
    """Returns the form of the tiles of a web. Raises `CompileError` for tiles without a descriptor type."""
    tile = web.type
    where = web.inits[0] if web.inits else function
    if not is_scalar(tile.element_type):
        raise CompileError(where, f"makes {tile}: descriptors do not support elements of type {tile.element_type}")
    if tile.memory_space not in {space.number for space in MemorySpace}:
        raise CompileError(where, f"makes {tile}: expected global (0) or shared local memory (3)")
    if tile.sg_map is not None and tile.is_column_major:
        raise CompileError(where, f"makes {tile}: column-major tiles do not support an sg_map")
    if tile.is_scattered:
        return ScatteredForm(web, target)
    return PositionForm(web, target, facts) if needs_position(web) else DescriptorForm(web, target)
