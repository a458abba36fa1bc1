"""`xegpu-distribute-sg-map`: from whole-subgroup vectors to the fragments that one work-item holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import AnyDenseElement, BytesAttr, DenseIntOrFPElementsAttr, ModuleOp, VectorType
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from passes.control_flow import branch_operands
from passes.matrix_operands import Shape2D, matrices, matrix_maps, matrix_step, multiplies_whole_matrices
from passes.target_option import target_of
from xegpu.diagnostics import CompileError, definition_of, note
from xegpu.dialects.upstream.gpu.kernel import FuncOp
from xegpu.dialects.xegpu import DpasOp, LayoutAttr, LoadNdOp, SgMapAttr, StoreNdOp, TensorDescType
from xegpu.targets import Target

_WANTS_SG_MAP = "expected an sg_map: xegpu-convert-layout-to-sg-map makes one"


@dataclass(frozen=True)
class Fragmentation:
    """How a value is shared by lanes: two values may meet in an elementwise operation only when these are equal."""

    sg_map: SgMapAttr
    tile: Shape2D
    fragment: tuple[int, ...]
    transposed: bool = False

    def __str__(self) -> str:
        form = "transposed " if self.transposed else ""
        return f"{form}{self.tile[0]}x{self.tile[1]} under {self.sg_map}"


@dataclass(frozen=True)
class XegpuDistributeSgMapPass(ModulePass):
    """Distributes kernels whose descriptors carry `sg_map`.

    Loads, stores and `dpas` fix how the values around them are shared; loop-carried values, elementwise operations and
    constants follow. Values without such an anchor, descriptors and scalars are the same in all lanes and stay.
    Operations that are distributed already are left as they are, and so are functions that ask to work on whole
    subgroups (`VectorComputeFunctionINTEL`).
    """

    name = "xegpu-distribute-sg-map"

    target: str = "pvc"
    """The GPU whose matrix operands and subgroup size maps are checked against."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op, self.target)
        for function in [o for o in op.walk() if isinstance(o, FuncOp)]:
            if "VectorComputeFunctionINTEL" in function.attributes:
                continue
            _Distributor(function, target).run()


class _Distributor:
    """Finds the fragmentation of every value of one function, then rewrites types."""

    def __init__(self, function: FuncOp, target: Target):
        self.function, self.target = function, target
        self.known: dict[SSAValue, Fragmentation] = {}

    def run(self) -> None:
        for op in self.function.walk():
            self._anchor(op)
        self._propagate(list(self.known))
        self._anchor_products()
        for argument in self.function.body.blocks[0].args:
            if argument in self.known:
                raise CompileError(self.function, f"argument #{argument.index} cannot be distributed to work-items")
        for op in list(self.function.walk()):
            self._check_and_complete(op)
        for value, fragmentation in list(self.known.items()):
            _retype(value, fragmentation)

    # Anchors ---------------------------------------------------------------------------------------------------------

    def _anchor(self, op: Operation) -> None:
        if isinstance(op, LoadNdOp):
            self._anchor_access(op, op.desc, op.value, op.is_transposed)
        elif isinstance(op, StoreNdOp):
            self._anchor_access(op, op.desc, op.value, False)
        elif isinstance(op, DpasOp) and op.layouts is not None:
            raise CompileError(op, f"has layouts, {_WANTS_SG_MAP}")
        elif isinstance(op, DpasOp) and op.sg_maps is not None and multiplies_whole_matrices(op):
            for value, sg_map, tile in zip((op.lhs, op.rhs, op.result), op.sg_maps, matrices(op), strict=True):
                self._set(op, value, _fragmentation(sg_map, tile, 1, False))

    def _anchor_access(self, op: Operation, desc: Attribute, value: SSAValue, transposed: bool) -> None:
        if isinstance(desc, TensorDescType) and isinstance(desc.map, LayoutAttr):
            raise CompileError(op, f"goes through a descriptor with {desc.map}, {_WANTS_SG_MAP}")
        if not isinstance(desc, TensorDescType) or not isinstance(desc.map, SgMapAttr):
            return
        lanes = desc.map.lane_map.lanes
        if lanes != self.target.subgroup_size:
            raise CompileError(
                op,
                f"{desc.map} arranges {lanes} work-items, a subgroup of {self.target.name} has "
                f"{self.target.subgroup_size}",
            )
        rows, columns = desc.tile
        if _is_whole(value.type, (rows, columns * desc.array_length)):
            self._set(op, value, _fragmentation(desc.map, desc.tile, desc.array_length, transposed))

    def _set(self, op: Operation, value: SSAValue, fragmentation: Fragmentation) -> bool:
        """Records a fact; refuses one that contradicts another. Returns whether it is new."""
        present = self.known.get(value)
        if present is None:
            if not fragmentation.sg_map.lane_map.tiles(fragmentation.tile):
                raise CompileError(op, f"cannot share a value as {fragmentation}: the map does not divide it")
            self.known[value] = fragmentation
            return True
        if present != fragmentation:
            raise CompileError(
                op,
                f"needs a value as {fragmentation}, which is shared as {present}: "
                "conversion between maps is not supported",
                [note(definition_of(value), "the value is defined here")],
            )
        return False

    # Propagation -----------------------------------------------------------------------------------------------------

    def _anchor_products(self) -> None:
        """Results of products that nothing else fixes are shared as the matrix engine leaves them."""
        products = [op for op in self.function.walk() if isinstance(op, DpasOp)]
        changed = True
        while changed:
            changed = False
            for op in products:
                if op.result not in self.known and (op.lhs in self.known or op.rhs in self.known):
                    self._set(op, op.result, _fragmentation(matrix_maps(op, self.target)[2], matrices(op)[2], 1, False))
                    self._propagate([op.result])
                    changed = True

    def _propagate(self, pending: list[SSAValue]) -> None:
        while pending:
            value = pending.pop()
            fragmentation = self.known[value]
            for op, other in _related(value):
                if isinstance(other.type, VectorType) and self._set(op, other, fragmentation):
                    pending.append(other)

    # Rewriting -------------------------------------------------------------------------------------------------------

    def _check_and_complete(self, op: Operation) -> None:
        """Refuses what cannot be distributed, and gives `dpas` and constants their distributed attributes."""
        involved = [v for v in (*op.operands, *op.results) if v in self.known]
        if not involved:
            return
        if isinstance(op, DpasOp):
            self._complete_dpas(op)
        elif op.name == "arith.constant":
            value = op.properties["value"]
            if not isinstance(value, DenseIntOrFPElementsAttr) or not value.is_splat():
                raise CompileError(op, "only constants with equal elements can be distributed")
            fragmentation = self.known[op.results[0]]
            type = _fragment_type(op.results[0].type, fragmentation)
            op.properties["value"] = _splat(value, type)
        elif isinstance(op, LoadNdOp | StoreNdOp):
            if op.desc.lane_map is None:
                raise CompileError(
                    op, f"goes through a descriptor without sg_map, but the value is {self.known[op.value]}"
                )
        elif op.name in _BROADCASTS:
            if isinstance(op.operands[0].type, VectorType):
                raise CompileError(op, "of a vector cannot be distributed to work-items")
        elif not (op.name in _STRUCTURE or _is_elementwise(op)):
            raise CompileError(op, "cannot be distributed to work-items")

    def _complete_dpas(self, op: DpasOp) -> None:
        maps: list[SgMapAttr] = []
        tiles = (a, b, _) = matrices(op)
        step, width = matrix_step(op, self.target), self.target.dpas.execution_size
        if a[1] != step or b[1] != width:
            raise CompileError(
                op,
                f"multiplies {a[0]}x{a[1]} by {b[0]}x{b[1]}: work-items of {self.target.name} share products of "
                f"{step} along K and {width} along N",
            )
        expected = matrix_maps(op, self.target)
        for name, value, tile, wanted in zip("ABC", (op.lhs, op.rhs, op.result), tiles, expected, strict=True):
            fragmentation = self.known.get(value)
            if fragmentation is None:
                raise CompileError(op, f"operand {name} has no sg_map, while others have")
            if not _serves(fragmentation, wanted, tile):
                raise CompileError(
                    op,
                    f"{self.target.name} needs {name} as {tile[0]}x{tile[1]} under {wanted}, got {fragmentation}",
                    [note(definition_of(value), "the operand is defined here")],
                )
            maps.append(wanted)
        if op.acc is not None and op.acc not in self.known:
            raise CompileError(op, "the accumulator has no sg_map, while others have")
        for attribute, sg_map in zip(("sg_map_a", "sg_map_b", "sg_map_c"), maps, strict=True):
            op.properties[attribute] = sg_map


_STRUCTURE = frozenset({"scf.for", "scf.if", "scf.yield", "cf.br", "cf.cond_br"})
_BROADCASTS = frozenset({"vector.broadcast", "vector.splat"})
_NOT_ELEMENTWISE = frozenset({"arith.constant"})


def _is_elementwise(op: Operation) -> bool:
    return op.name.partition(".")[0] in ("arith", "math") and op.name not in _NOT_ELEMENTWISE


def _related(value: SSAValue) -> Iterator[tuple[Operation, SSAValue]]:
    """Values that must be shared like `value`, each with the operation that ties them."""
    for use in value.uses:
        op, index = use.operation, use.index
        if _is_elementwise(op):
            yield from ((op, other) for other in (*op.operands, *op.results) if other is not value)
        elif isinstance(op, DpasOp) and value is op.acc:
            yield op, op.result
        elif op.name == "scf.for" and index >= 3:
            yield op, op.regions[0].block.args[index - 2]
            yield op, op.results[index - 3]
        elif op.name == "scf.yield":
            parent = op.parent_op()
            if parent is not None and parent.name in ("scf.for", "scf.if"):
                yield op, parent.results[index]
                if parent.name == "scf.for":
                    yield op, parent.regions[0].block.args[index + 1]
        elif op.name in ("cf.br", "cf.cond_br"):
            yield from ((op, argument) for argument, operand in branch_operands(op) if operand is value)
    if isinstance(value, BlockArgument):
        yield from _related_argument(value)
    elif isinstance(value, OpResult):
        yield from _related_result(value)


def _related_argument(value: BlockArgument) -> Iterator[tuple[Operation, SSAValue]]:
    parent = value.block.parent_op()
    if parent is None:
        return
    if parent.name == "scf.for" and value.index > 0:
        yield parent, parent.operands[value.index + 2]
        yield parent, parent.results[value.index - 1]
        yield from _yielded(parent, value.index - 1)
    region = value.block.parent
    for block in region.blocks if region is not None else ():
        if block.last_op is not None and block.last_op.name in ("cf.br", "cf.cond_br"):
            op = block.last_op
            yield from ((op, operand) for argument, operand in branch_operands(op) if argument is value)


def _related_result(value: OpResult) -> Iterator[tuple[Operation, SSAValue]]:
    op = value.op
    if _is_elementwise(op):
        yield from ((op, other) for other in op.operands)
    elif isinstance(op, DpasOp) and op.acc is not None:
        yield op, op.acc
    elif op.name == "scf.for":
        yield op, op.operands[value.index + 3]
        yield op, op.regions[0].block.args[value.index + 1]
        yield from _yielded(op, value.index)
    elif op.name == "scf.if":
        yield from _yielded(op, value.index)


def _yielded(op: Operation, index: int) -> Iterator[tuple[Operation, SSAValue]]:
    for region in op.regions:
        for block in region.blocks:
            if block.last_op is not None and block.last_op.name == "scf.yield":
                yield block.last_op, block.last_op.operands[index]


def _is_whole(type: Attribute, tile: Shape2D) -> bool:
    return isinstance(type, VectorType) and type.element_count() == tile[0] * tile[1]


def _fragmentation(sg_map: SgMapAttr, tile: Shape2D, blocks: int, transposed: bool) -> Fragmentation:
    lanes = sg_map.lane_map
    rows = blocks * tile[0] * tile[1] // (lanes.lanes * lanes.data_size)
    return Fragmentation(sg_map, tile, (rows, lanes.data_size), transposed)


def _serves(fragmentation: Fragmentation, wanted: SgMapAttr, tile: Shape2D) -> bool:
    """Whether a value shared that way is the operand: straight, or transposed on its way to registers."""
    if not fragmentation.transposed:
        return fragmentation.sg_map == wanted and fragmentation.tile == tile
    (l0, l1), (d0, d1) = wanted.lane_map.layout, wanted.lane_map.data
    return fragmentation.sg_map == SgMapAttr([l1, l0], [d1, d0]) and fragmentation.tile == (tile[1], tile[0])


def _fragment_type(type: Attribute, fragmentation: Fragmentation) -> VectorType[Attribute]:
    assert isinstance(type, VectorType)
    return VectorType(type.element_type, fragmentation.fragment)


def _retype(value: SSAValue, fragmentation: Fragmentation) -> None:
    Rewriter.replace_value_with_new_type(value, _fragment_type(value.type, fragmentation))


def _splat(value: DenseIntOrFPElementsAttr, type: VectorType[Attribute]) -> DenseIntOrFPElementsAttr:
    """The first element in every place of a vector of another shape."""
    element = value.data.data[: len(value.data.data) // len(value)]
    assert isa(type, VectorType[AnyDenseElement])
    return DenseIntOrFPElementsAttr(type, BytesAttr(element * type.element_count()))
