"""Replaces values of a subgroup by the elements of a lane."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IndexType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from passes.support.control_flow import CARRIERS
from passes.support.matrix_operands import fragment_maps
from passes.support.op_builder import Index, OpBuilder
from passes.support.value_expansion import ValueExpansion
from passes.support.value_layouts.dropping import drop_level, without_level
from passes.support.value_layouts.inference import ValueLayouts
from passes.support.vectors.constants import splat_constant, vector_constant
from passes.support.vectors.elementwise import has_one_shape, is_elementwise
from passes.xegpu.convert_generation.lanes import implied_map
from passes.xegpu.subgroup_distribute.reductions import reduced
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import LaneIdOp
from xegpu.dialects.upstream.vector import (
    BitcastOp,
    BroadcastOp,
    ExtractOp,
    ExtractStridedSliceOp,
    FromElementsOp,
    InsertStridedSliceOp,
    MultiDimReductionOp,
    ShapeCastOp,
    StepOp,
    TransposeOp,
    vector_type,
)
from xegpu.dialects.xegpu import (
    LLVM22_LANES,
    ConvertLayoutOp,
    CreateNdDescOp,
    DistributionAttr,
    DpasOp,
    LayoutAttr,
    LoadMatrixOp,
    LoadNdOp,
    LoadOp,
    OwnerGrid,
    PrefetchNdOp,
    PrefetchOp,
    StoreMatrixOp,
    StoreNdOp,
    StoreOp,
    TensorDescType,
    UpdateNdOffsetOp,
    lane_grid,
)
from xegpu.targets import Target

Shape = tuple[int, ...]
_LEVEL = "lane_layout"


class LaneDistribution(ValueExpansion):
    """Replaces vectors that have a layout over lanes by fragments, and descriptors by those without a layout."""

    def __init__(self, layouts: ValueLayouts, target: Target):
        super().__init__()
        self._layouts = layouts
        self._target = target

    # Fragments -------------------------------------------------------------------------------------------------------

    def grid(self, value: SSAValue) -> OwnerGrid | None:
        """Returns the distribution of a vector over lanes; None for a value that all lanes have whole."""
        layout = self._layouts.of(value)
        if layout is None or not isa(value.type, VectorType):
            return None
        grid = lane_grid(layout, value.type.get_shape()) if layout.rank == value.type.get_num_dims() else None
        if grid is None or not _divides(grid):
            place = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
            assert place is not None
            raise CompileError(place, f"cannot distribute {value.type} over lanes using {layout}")
        return grid

    def types(self, value: SSAValue) -> Sequence[Attribute] | None:
        if isinstance(value.type, TensorDescType):
            changed = without_level(value.type, _LEVEL)
            return None if changed == value.type or changed is None else [changed]
        grid = self.grid(value)
        return None if grid is None else [VectorType(vector_type(value).element_type, fragment_shape(grid))]

    def _fragment(self, value: SSAValue) -> SSAValue:
        (part,) = self.parts(value)
        return part

    def _flat(self, builder: OpBuilder, value: SSAValue) -> SSAValue:
        """Returns the elements of a lane in one dimension."""
        part = self._fragment(value)
        return _shaped(builder, part, (vector_type(part).element_count(),))

    def _give(self, builder: OpBuilder, value: SSAValue, made: SSAValue) -> None:
        """Makes the elements of a vector those of a lane of a value."""
        (type_,) = self.types(value) or ()
        assert isa(type_, VectorType)
        self.bind(value, [_shaped(builder, made, type_.get_shape())])

    # Operations ------------------------------------------------------------------------------------------------------

    def rewrite(self, op: Operation) -> bool:
        if type(op) in CARRIERS:
            op.attributes = drop_level(op.attributes, _LEVEL)
            return False
        for number, layout in self._layouts.wanted(op):
            self._check_same_owners(op, op.operands[number], layout)
        builder = OpBuilder(op)
        match op:
            case CreateNdDescOp() | UpdateNdOffsetOp() if self.types(op.results[0]) is not None:
                operands = [self._fragment(operand) for operand in op.operands]
                self.bind(op.results[0], [builder.add(_clone(op, operands, self.types(op.results[0]) or ()))])
            case LoadNdOp() | StoreNdOp() | PrefetchNdOp():
                self._access(builder, op)
            case DpasOp() if self.grid(op.result) is not None:
                self._multiply(builder, op)
            case LoadOp() | StoreOp() | PrefetchOp() if not op.has_descriptor:
                return self._gather(builder, op)
            case LoadMatrixOp() | StoreMatrixOp() if self.grid(op.value) is not None:
                self._access_matrix(builder, op)
            case _:
                return self._compute(builder, op)
        return True

    def _compute(self, builder: OpBuilder, op: Operation) -> bool:
        """Distributes an operation on vectors; returns False for one that all lanes execute as it is."""
        if all(self.types(result) is None for result in op.results) and all(
            self.parts(operand) == (operand,) for operand in op.operands
        ):
            op.properties, op.attributes = drop_level(op.properties, _LEVEL), drop_level(op.attributes, _LEVEL)
            return False
        match op:
            case ConstantOp() if isinstance(op.value, DenseIntOrFPElementsAttr):
                self._constant(builder, op, list(op.value.get_values()), is_splat=op.value.is_splat())
            case StepOp():
                self._constant(builder, op, list(range(vector_type(op.results[0]).element_count())), is_splat=False)
            case ConvertLayoutOp():
                layout = self._layouts.of(op.result)
                if layout is not None:
                    self._check_same_owners(op, op.source, layout)
                self._give(builder, op.result, self._fragment(op.source))
            case ShapeCastOp() | BitcastOp() | TransposeOp():
                self._replace(builder, op)
            case BroadcastOp():
                self._broadcast(builder, op)
            case MultiDimReductionOp() if (grid := self.grid(op.source)) is not None:
                result = reduced(builder, op, self._fragment(op.source), self._fragment(op.acc), grid)
                if self.types(op.dest) is None:
                    op.dest.replace_all_uses_with(result)
                else:
                    self._give(builder, op.dest, result)
            case InsertStridedSliceOp() | ExtractStridedSliceOp():
                self._slice(builder, op)
            case _ if is_elementwise(op) and has_one_shape(op):
                if any(self.types(o) is None for o in (*op.operands, *op.results) if isa(o.type, VectorType)):
                    raise CompileError(op, "computes on fragments of lanes and on whole values: give it a layout")
                self._replace(builder, op)
            case _:
                raise CompileError(op, "cannot be distributed over lanes")
        return True

    def _replace(self, builder: OpBuilder, op: Operation) -> None:
        """Executes an operation on fragments instead of whole values."""
        types = [(self.types(result) or (result.type,))[0] for result in op.results]
        new = _clone(op, [self._fragment(operand) for operand in op.operands], types)
        builder.insert(new)
        for old, result in zip(op.results, new.results, strict=True):
            if self.types(old) is None:
                old.replace_all_uses_with(result)
            else:
                self.bind(old, [result])

    def _check_same_owners(self, op: Operation, value: SSAValue, layout: DistributionAttr) -> None:
        """Raises `CompileError` if a layout gives lanes other elements than they own, or in another order."""
        own, grid = self.grid(value), lane_grid(layout, vector_type(value).get_shape())
        if (
            own is None
            or grid is None
            or any(elements(own, lane) != elements(grid, lane) for lane in range(LLVM22_LANES))
        ):
            raise CompileError(
                op, f"needs {value.type} by {layout}, which moves elements between lanes: this is not supported"
            )

    # Accesses --------------------------------------------------------------------------------------------------------

    def _access(self, builder: OpBuilder, op: LoadNdOp | StoreNdOp | PrefetchNdOp) -> None:
        desc, offsets = self._fragment(op.tensor_desc), op.mixed_offsets
        if isinstance(op, PrefetchNdOp):
            builder.insert(PrefetchNdOp(desc, op.hints, offsets))
            return
        grid, layout = self.grid(op.value), self._layouts.of(op.value)
        if grid is None:
            raise CompileError(op, "has a value that nothing distributes over lanes: give it a layout")
        plain = op.desc.with_map(None)
        if plain.get_num_dims() > 2:
            raise CompileError(op, "cannot be distributed over lanes: no block of a lane has batch dimensions")
        packed = isinstance(op, LoadNdOp) and isinstance(layout, LayoutAttr) and self._is_packed(layout, plain)
        lanes = implied_map(plain, packed=packed).as_layout(plain.get_num_dims())
        expected = lane_grid(lanes, plain.get_shape())
        if plain.array_length > 1 or (isinstance(op, LoadNdOp) and (op.is_transposed or op.is_packed)):
            raise CompileError(op, "cannot be distributed over lanes: it rearranges the elements of blocks")
        if expected is None or any(elements(grid, lane) != elements(expected, lane) for lane in range(LLVM22_LANES)):
            raise CompileError(op, f"has layout {layout}, but block messages give lanes the elements of {lanes}")
        if isinstance(op, StoreNdOp):
            builder.insert(StoreNdOp(self._flat(builder, op.value), desc, op.hints, offsets))
            return
        type_ = VectorType(plain.element_type, [prod(fragment_shape(grid))])
        load = LoadNdOp(desc, type_, packed=packed, hints=op.hints, offsets=offsets)
        self._give(builder, op.value, builder.add(load))

    def _is_packed(self, layout: LayoutAttr, desc: TensorDescType) -> bool:
        """Returns whether a load packs elements of 32 bits, as the B operand of a product has them."""
        data = layout.given.get("lane_data")
        return desc.get_num_dims() > 1 and data is not None and data[-2] > 1

    def _multiply(self, builder: OpBuilder, op: DpasOp) -> None:
        maps = fragment_maps(vector_type(op.lhs).element_type, self._target)
        for value, map_ in zip((op.lhs, op.rhs, op.result), maps, strict=True):
            self._check_same_owners(op, value, map_.as_layout())
        operands = [self._flat(builder, operand) for operand in op.operands]
        (fragment,) = self.types(op.result) or ()
        assert isa(fragment, VectorType)
        type_ = VectorType(fragment.element_type, [fragment.element_count()])
        acc = operands[2] if op.acc is not None else None
        self._give(builder, op.result, builder.add(DpasOp(operands[0], operands[1], acc, type_)))

    def _gather(self, builder: OpBuilder, op: LoadOp | StoreOp | PrefetchOp) -> bool:
        """Distributes an access with one address for each lane; returns False for one that stays as it is."""
        assert op.offsets is not None
        grid = self.grid(op.offsets)
        if grid is None:
            return self._compute(builder, op)
        if prod(fragment_shape(grid)) != 1:
            raise CompileError(op, f"has {op.offsets.type} as offsets: expected one for each of {LLVM22_LANES} lanes")
        operands = [self._flat(builder, v) if self.types(v) is not None else self._fragment(v) for v in op.operands]
        if isinstance(op, LoadOp):
            (fragment,) = self.types(op.value) or ()
            assert isa(fragment, VectorType)
            type_ = VectorType(fragment.element_type, [fragment.element_count()])
            self._give(builder, op.value, builder.add(_clone(op, operands, [type_])))
        else:
            builder.insert(_clone(op, operands, []))
        return True

    def _access_matrix(self, builder: OpBuilder, op: LoadMatrixOp | StoreMatrixOp) -> None:
        """Accesses the elements of a lane one by one, wherever the layout of the matrix puts them."""
        grid = self.grid(op.value)
        assert grid is not None
        fragment = fragment_shape(grid)
        lead = len(op.mixed_offsets) - len(fragment)
        lane = builder.add(LaneIdOp.build(result_types=[IndexType()]))
        own: list[Index] = []
        for stride, dim, block, size in zip(grid.strides(), grid.dims, grid.block, grid.shape, strict=True):
            coordinate = builder.remainder(builder.quotient(lane, stride), grid.counts[dim]) if size > 1 else 0
            own.append(builder.times(coordinate, block))
        loaded: list[SSAValue] = []
        for position in product(*map(range, fragment)):
            offsets = list(op.mixed_offsets)
            for number, inner in enumerate(position):
                dim, block = grid.dims[number], grid.block[number]
                start = inner // block * block * grid.counts[dim] + inner % block
                moved = builder.plus(own[number], start)
                offsets[lead + number] = builder.plus(offsets[lead + number], moved)
            if isinstance(op, LoadMatrixOp):
                element = vector_type(op.value).element_type
                loaded.append(builder.add(LoadMatrixOp(op.mem_desc, offsets, element)))
            else:
                value = builder.add(ExtractOp(self._fragment(op.value), position))
                builder.insert(StoreMatrixOp(value, op.mem_desc, offsets))
        if isinstance(op, LoadMatrixOp):
            type_ = VectorType(vector_type(op.value).element_type, fragment)
            self._give(builder, op.value, builder.add(FromElementsOp(loaded, type_)))

    # Values ----------------------------------------------------------------------------------------------------------

    def _constant(self, builder: OpBuilder, op: Operation, numbers: list[int] | list[float], *, is_splat: bool) -> None:
        """Gives each lane its elements of a constant, which are selected by the number of the lane if they differ."""
        (result,) = op.results
        grid, (fragment,) = self.grid(result), self.types(result) or ()
        assert grid is not None and isa(fragment, VectorType)
        if is_splat:
            self.bind(result, [builder.add(splat_constant(fragment, numbers[0]))])
            return
        lane = builder.add(LaneIdOp.build(result_types=[IndexType()]))
        shape = vector_type(result).get_shape()
        owned = [[numbers[_row_major(place, shape)] for place in elements(grid, lane)] for lane in range(LLVM22_LANES)]
        own: list[SSAValue] = []
        for place in range(fragment.element_count()):
            table = VectorType(fragment.element_type, [LLVM22_LANES])
            constant = builder.add(vector_constant(table, [own_numbers[place] for own_numbers in owned]))
            own.append(builder.add(ExtractOp(constant, [lane])))
        self._give(builder, result, builder.add(FromElementsOp(own, fragment)))

    def _broadcast(self, builder: OpBuilder, op: BroadcastOp) -> None:
        (type_,) = self.types(op.vector) or ()
        source = self._fragment(op.source)
        assert isa(type_, VectorType)
        self.bind(op.vector, [source if source.type == type_ else builder.add(BroadcastOp(source, type_))])

    def _slice(self, builder: OpBuilder, op: InsertStridedSliceOp | ExtractStridedSliceOp) -> None:
        """Slices fragments at the places that belong to those of whole values."""
        whole, part = (op.dest, op.source) if isinstance(op, InsertStridedSliceOp) else (op.vector, op.result)
        grid, own = self.grid(whole), self.grid(part)
        offsets = [int(number.value.data) for number in op.offsets]
        if grid is None or own is None:
            raise CompileError(op, "cannot be distributed over lanes: give its values layouts")
        start: list[int] = []
        shape, lead = fragment_shape(own), len(grid.shape) - len(own.shape)
        for number, (offset, dim, block) in enumerate(zip(offsets, grid.dims, grid.block, strict=True)):
            unit = grid.counts[dim] * block
            size = 1 if number < lead else own.shape[number - lead]
            if (offset % unit or size % unit) and grid.counts[dim] > 1 < grid.shape[number]:
                raise CompileError(op, f"cannot be distributed over lanes: {offset} divides a unit of {unit} elements")
            start.append(offset // grid.counts[dim])
        if isinstance(op, InsertStridedSliceOp):
            made: Operation = InsertStridedSliceOp(self._fragment(op.source), self._fragment(op.dest), start)
        else:
            made = ExtractStridedSliceOp(self._fragment(op.vector), start, shape)
        self.bind(op.results[0], [builder.add(made)])


def _divides(grid: OwnerGrid) -> bool:
    """Returns whether all lanes have equally many elements; all of them have what is one element along a dimension."""
    sizes = zip(grid.shape, grid.dims, grid.block, strict=True)
    return all(size == 1 or size % (grid.counts[dim] * block) == 0 for size, dim, block in sizes)


def fragment_shape(grid: OwnerGrid) -> Shape:
    """Returns the shape of one lane's part."""
    return tuple(max(1, size // grid.counts[dim]) for size, dim in zip(grid.shape, grid.dims, strict=True))


def elements(grid: OwnerGrid, lane: int) -> list[Shape]:
    """Returns the elements that a lane has, in the order of its fragment."""
    own = grid.coordinate(lane)
    found: list[Shape] = []
    for position in product(*map(range, fragment_shape(grid))):
        place = []
        for inner, coordinate, dim, block, size in zip(position, own, grid.dims, grid.block, grid.shape, strict=True):
            place.append((inner // block * block * grid.counts[dim] + coordinate * block + inner % block) % size)
        found.append(tuple(place))
    return found


def _row_major(place: Shape, shape: Shape) -> int:
    index = 0
    for position, size in zip(place, shape, strict=True):
        index = index * size + position
    return index


def _shaped(builder: OpBuilder, value: SSAValue, shape: Shape) -> SSAValue:
    type_ = vector_type(value)
    return (
        value if type_.get_shape() == shape else builder.add(ShapeCastOp(value, VectorType(type_.element_type, shape)))
    )


def _clone(op: Operation, operands: Sequence[SSAValue], result_types: Sequence[Attribute]) -> Operation:
    """Returns an operation on fragments, without layouts over lanes."""
    return type(op).create(
        operands=operands,
        result_types=result_types,
        properties=drop_level(op.properties, _LEVEL),
        attributes=drop_level(op.attributes, _LEVEL),
    )
