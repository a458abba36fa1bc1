"""Rewrites the operations of XeGPU as operations of one subgroup."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence

from xdsl.dialects.arith import AddiOp
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, NoneAttr, VectorType, i64
from xdsl.dialects.utils import split_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue

from passes.support.op_builder import Index, OpBuilder
from passes.support.op_table import OpTable
from passes.support.webs.descriptors import descriptor_webs
from passes.support.work_groups.distribution import SubgroupDistribution
from passes.support.work_groups.exchange import Exchange
from passes.support.work_groups.exchange_memory import ExchangeMemory
from passes.support.work_groups.sharing import Sharing
from passes.support.work_groups.subgroups import Subgroups
from passes.xegpu.wg_to_sg_distribute.layout_rules import ElementAccess, LayoutRules, lanes_of
from passes.xegpu.wg_to_sg_distribute.layouts import kept_attributes, subgroups_at, without_subgroups
from passes.xegpu.wg_to_sg_distribute.matrix_accesses import reduced_part
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.vector import BroadcastOp, vector_type
from xegpu.dialects.xegpu import (
    AtomicRMWOp,
    ConvertLayoutOp,
    CreateDescOp,
    CreateNdDescOp,
    DistributionAttr,
    LoadMatrixOp,
    LoadNdOp,
    LoadOp,
    PrefetchNdOp,
    PrefetchOp,
    StoreMatrixOp,
    StoreNdOp,
    StoreOp,
    TensorDescType,
    UpdateNdOffsetOp,
    UpdateOffsetOp,
    distribution_obstacle,
)

_Block = LoadNdOp | StoreNdOp | PrefetchNdOp
_Shape = tuple[int, ...]


_REWRITES = OpTable["LayoutDistribution", None]()
"""The operations of XeGPU that are rewritten in ways of their own."""


class LayoutDistribution(SubgroupDistribution):
    """Replaces each vector by the parts that a subgroup owns.

    A descriptor of blocks is replaced by one for each shape of part that is accessed through it; the offsets of the
    accesses tell the parts.
    """

    def __init__(
        self,
        function: FuncOp,
        sharings: MutableMapping[SSAValue, Sharing],
        rules: LayoutRules,
        subgroups: Subgroups,
        memory: ExchangeMemory,
    ):
        super().__init__(sharings, rules, subgroups, memory, reduced_part)
        self._layout_rules = rules
        self._of_accesses: dict[_Block, Sharing] = {}
        self._shapes: dict[SSAValue, Sequence[_Shape]] = {}
        for web in descriptor_webs(function):
            accesses = [op for op in dict.fromkeys(web.users) if isinstance(op, LoadNdOp | StoreNdOp | PrefetchNdOp)]
            if any(lanes_of(value) is not None for value in web.values):
                continue
            self._of_accesses.update((op, self._sharing_of_access(op)) for op in accesses)
            shapes = list(dict.fromkeys(self._block(op) for op in accesses))
            self._shapes.update((value, shapes) for value in web.values)

    def types(self, value: SSAValue) -> Sequence[Attribute] | None:
        if (shapes := self._shapes.get(value)) is None:
            return super().types(value)
        assert isinstance(value.type, TensorDescType)
        return [_part_of_descriptor(value.type, shape) for shape in shapes]

    def part_type(self, type_: Attribute, sharing: Sharing) -> Attribute:
        if isinstance(type_, TensorDescType):
            return _part_of_descriptor(type_, (*sharing.part_shape, *type_.get_shape()[1:]))
        return super().part_type(type_, sharing)

    def kept(self, attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
        return kept_attributes(attributes)

    def rewrite_access(self, op: Operation) -> bool:
        handler = _REWRITES.get(op)
        if handler is None or not any(v in self._sharings or v in self._shapes for v in (*op.operands, *op.results)):
            return False
        handler(self, op)
        return True

    # Blocks ----------------------------------------------------------------------------------------------------------

    def _sharing_of_access(self, op: _Block) -> Sharing:
        if isinstance(op, PrefetchNdOp):
            return self._layout_rules.accessed(op) or self._layout_rules.default(op, op.desc.get_shape())
        return self._sharings[op.value]

    def _block(self, op: _Block) -> _Shape:
        """Returns the shape of the blocks of memory that a part of an access covers."""
        sharing, shape = self._of_accesses[op], op.desc.get_shape()
        if sharing.is_whole:
            return shape
        if sharing.shape != shape or (isinstance(op, LoadNdOp) and (op.is_transposed or op.is_packed)):
            value = op.results[0] if op.results else op.operands[0]
            raise CompileError(
                op,
                f"cannot be distributed over subgroups: expected a value like the block {op.desc}, neither packed nor "
                f"transposed, got {value.type}",
            )
        return sharing.part_shape

    @_REWRITES.register(CreateNdDescOp)
    def _create(self, op: CreateNdDescOp) -> None:
        self._for_each_shape(op, op.tensor_desc, op.operands)

    @_REWRITES.register(UpdateNdOffsetOp)
    def _update(self, op: UpdateNdOffsetOp) -> None:
        self._for_each_shape(op, op.result, op.operands)

    def _for_each_shape(self, op: Operation, result: SSAValue, operands: Sequence[SSAValue]) -> None:
        parts: list[SSAValue] = []
        for i, type_ in enumerate(self.types(result) or ()):
            new = type(op).create(
                operands=[self.parts(value)[i] if value in self._shapes else value for value in operands],
                result_types=[type_],
                properties=op.properties,
                attributes=self.kept(op.attributes),
            )
            OpBuilder(op).insert(new)
            parts.append(new.results[0])
        self.bind(result, parts)

    @_REWRITES.register(LoadNdOp, StoreNdOp, PrefetchNdOp)
    def _access_block(self, op: _Block) -> None:
        sharing = self._of_accesses[op]
        shapes = self._shapes[op.tensor_desc]
        desc = self.parts(op.tensor_desc)[shapes.index(self._block(op))]
        offsets = op.mixed_offsets or [0] * op.desc.get_num_dims()
        self._at_offsets(op, sharing, desc, offsets, is_optional=op.mixed_offsets is None)

    # Matrices --------------------------------------------------------------------------------------------------------

    @_REWRITES.register(LoadMatrixOp, StoreMatrixOp)
    def _access_matrix(self, op: LoadMatrixOp | StoreMatrixOp) -> None:
        rank = vector_type(op.value).get_num_dims()
        if rank != op.desc.get_num_dims():
            raise CompileError(
                op,
                f"cannot be distributed over subgroups: expected a vector of rank {op.desc.get_num_dims()}, got "
                f"{op.value.type}",
            )
        self._at_offsets(op, self._sharings[op.value], op.mem_desc, op.mixed_offsets)

    def _at_offsets(
        self,
        op: _Block | LoadMatrixOp | StoreMatrixOp,
        sharing: Sharing,
        memory: SSAValue,
        start: Sequence[Index],
        *,
        is_optional: bool = False,
    ) -> None:
        """Accesses each part at its own offsets; a list of zeros may be left out."""
        builder = OpBuilder(op)
        made: list[Operation] = []
        for i, position in enumerate(sharing.positions()):
            own = self._subgroups.offsets(sharing, position)
            offsets = [builder.plus(a, b) for a, b in zip(start, own, strict=True)] if own else list(start)
            static, dynamic = split_dynamic_index_list(offsets, DYNAMIC_INDEX)
            properties = self.kept(op.properties)
            if not is_optional or any(offset != 0 for offset in offsets):
                properties["const_offsets"] = DenseArrayBase.from_list(i64, static)
            value = [self.part(op.operands[0], i)] if isinstance(op, StoreNdOp | StoreMatrixOp) else []
            made.append(
                type(op).create(
                    operands=[*value, memory, *dynamic],
                    result_types=[(self.types(result) or [result.type])[i] for result in op.results],
                    properties=properties,
                    attributes=self.kept(op.attributes),
                )
            )
        self._insert(op, sharing, made)

    def _insert(self, op: Operation, sharing: Sharing, made: Sequence[Operation]) -> None:
        """Inserts the accesses of all parts; one owner of each part stores it."""
        builder = OpBuilder(op)
        if isinstance(op, StoreNdOp | StoreMatrixOp | StoreOp):
            among = subgroups_at(op, self._subgroups.count)
            self._subgroups.store(sharing, made, builder, among)
            return
        for new in made:
            builder.insert(new)
        for i, result in enumerate(op.results):
            self.bind(result, [new.results[i] for new in made])

    # Elements with an address each -----------------------------------------------------------------------------------

    @_REWRITES.register(LoadOp, StoreOp, PrefetchOp)
    def _access_elements(self, op: LoadOp | StoreOp | PrefetchOp) -> None:
        sharing = self._layout_rules.elements(op, self._sharings)
        if sharing is None:
            raise CompileError(op, "cannot be distributed over subgroups: nothing tells who owns its elements")
        made = [
            type(op).create(
                operands=[self._addressed(op, value, sharing, i, position) for value in op.operands],
                result_types=[(self.types(result) or [result.type])[i] for result in op.results],
                properties=self._properties_of_elements(op, sharing),
                attributes=self.kept(op.attributes),
            )
            for i, position in enumerate(sharing.positions())
        ]
        self._insert(op, sharing, made)

    def _properties_of_elements(self, op: LoadOp | StoreOp | PrefetchOp, sharing: Sharing) -> dict[str, Attribute]:
        properties = self.kept(op.properties)
        if not isinstance(op, PrefetchOp) and op.chunk_size is not None and op.chunk_size.value.data > 1:
            properties["chunk_size"] = type(op.chunk_size)(sharing.part_shape[-1], op.chunk_size.type)
        return properties

    def _addressed(
        self, op: ElementAccess, value: SSAValue, sharing: Sharing, index: int, position: Sequence[int]
    ) -> SSAValue:
        """Returns the part of an operand for a part of the elements: one of its own, or one that chunks share."""
        own = self._sharings.get(value)
        if own is None:
            return value
        rank = len(own.dims)
        part = self.parts(value)[own.index(position[:rank])]
        if isinstance(op, AtomicRMWOp) or value is not op.offsets or rank == len(sharing.dims):
            return part
        # The part of a chunk begins at an offset of its own.
        builder = OpBuilder(op)
        start = self._subgroups.offsets(sharing, position)[-1]
        if start == 0:
            return part
        type_ = VectorType(IndexType(), own.part_shape)
        return builder.add(AddiOp(part, builder.add(BroadcastOp(builder.value(start), type_))))

    @_REWRITES.register(AtomicRMWOp)
    def _atomic(self, op: AtomicRMWOp) -> None:
        """Rewrites an update so that one owner executes it, and tells the others the old value."""
        sharing = self._layout_rules.elements(op, self._sharings)
        if sharing is None:
            raise CompileError(op, "cannot be distributed over subgroups: nothing tells who owns its elements")
        among = subgroups_at(op, self._subgroups.count)
        builder = OpBuilder(op)
        made = [self.remade(op, [self.part(v, i) for v in op.operands], i) for i in range(sharing.part_count)]
        if self._subgroups.owns_alone(sharing, among, is_repeatable=False):
            for new in made:
                builder.insert(new)
            self.bind(op.result, [new.results[0] for new in made])
            return
        results = self._subgroups.only_first_owner(sharing, made, builder, among)
        if op.result.uses:
            whole = self._sharings[op.result]
            results = Exchange(op, self._subgroups, self._memory).spread(results, whole, whole)
        self.bind(op.result, results)

    @_REWRITES.register(ConvertLayoutOp)
    def _convert(self, op: ConvertLayoutOp) -> None:
        self.move(op, op.source, op.result)


def _part_of_descriptor(desc: TensorDescType, shape: Sequence[int]) -> TensorDescType:
    """Returns the descriptor of a part, with the layout within subgroups if that fits."""
    encoding = None if isinstance(desc.encoding, NoneAttr) else desc.encoding
    rest = without_subgroups(desc.map) if isinstance(desc.map, DistributionAttr) else None
    if not isinstance(rest, DistributionAttr) or distribution_obstacle(rest, shape) is not None:
        rest = None
    return TensorDescType(shape, desc.element_type, encoding, rest)


_REWRITES.register(CreateDescOp, UpdateOffsetOp)(LayoutDistribution.part_by_part)
