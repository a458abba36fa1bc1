"""Rewrites the operations of a kernel as operations of one subgroup."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from passes.support.control_flow import CARRIERS
from passes.support.op_builder import OpBuilder
from passes.support.op_table import OpTable
from passes.support.value_expansion import ValueExpansion
from passes.support.vectors.combining import combine
from passes.support.work_groups.exchange import Exchange, reshaped
from passes.support.work_groups.exchange_memory import ExchangeMemory
from passes.support.work_groups.leaves import leaf_parts
from passes.support.work_groups.reconciliation import RedistributeOp
from passes.support.work_groups.reductions import Combine, SharedReduction, combined
from passes.support.work_groups.rules import Product, Rules, is_distributable_elementwise, is_leaf
from passes.support.work_groups.sharing import Sharing
from passes.support.work_groups.subgroups import Subgroups
from xegpu.diagnostics import CompileError, definition_of
from xegpu.dialects.upstream import BroadcastInterface, TransposeInterface
from xegpu.dialects.upstream.vector import ExtractOp, MultiDimReductionOp, ShapeCastOp

MAX_PARTS = 1024
"""The maximum number of parts of one value in one subgroup; each becomes an operation."""


_REWRITES = OpTable["SubgroupDistribution", None]()
"""The operations that are rewritten in ways of their own."""


class SubgroupDistribution(ValueExpansion):
    """Replaces each shared value by the parts that a subgroup owns.

    Operands must already be shared as their operations need them. A subclass distributes the operations of a dialect.
    """

    def __init__(
        self,
        sharings: Mapping[SSAValue, Sharing],
        rules: Rules,
        subgroups: Subgroups,
        memory: ExchangeMemory,
        combine_part: Combine,
    ):
        super().__init__()
        self._sharings, self._rules, self._subgroups, self._memory = sharings, rules, subgroups, memory
        self._combine_part = combine_part

    @abstractmethod
    def rewrite_access(self, op: Operation) -> bool:
        """Rewrites an operation that belongs to the dialect. Returns False for others."""

    @abstractmethod
    def kept(self, attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
        """Returns the properties or attributes of an operation that hold for its parts, too."""

    def types(self, value: SSAValue) -> Sequence[Attribute] | None:
        sharing = self._sharings.get(value)
        if sharing is None:
            return None
        if sharing.part_count > MAX_PARTS:
            raise CompileError(
                definition_of(value),
                f"gives each subgroup {sharing.part_count} parts, expected at most {MAX_PARTS}: {sharing}",
            )
        return [self.part_type(value.type, sharing)] * sharing.part_count

    def part_type(self, type_: Attribute, sharing: Sharing) -> Attribute:
        """Returns the type of the parts of a value."""
        assert isa(type_, VectorType)
        return VectorType(type_.element_type, sharing.part_shape)

    def rewrite(self, op: Operation) -> bool:
        if type(op) in CARRIERS:
            op.attributes = self.kept(op.attributes)
            return False
        if self.rewrite_access(op):
            return True
        if not any(value in self._sharings for value in (*op.operands, *op.results)):
            op.attributes = self.kept(op.attributes)
            return False
        for result in op.results:
            self.types(result)
        if is_leaf(op):
            self.bind(op.results[0], leaf_parts(op, self._sharings[op.results[0]], self._subgroups))
        elif is_distributable_elementwise(op):
            self.part_by_part(op)
        elif (product := self._rules.product(op)) is not None:
            self._product(op, product)
        elif isinstance(op, TransposeInterface):
            self._transpose(op)
        elif isinstance(op, BroadcastInterface):
            self._broadcast(op)
        elif (handler := _REWRITES.get(op)) is not None:
            handler(self, op)
        else:
            self._as_a_whole(op)
        return True

    # Part by part ----------------------------------------------------------------------------------------------------

    def part_by_part(self, op: Operation) -> None:
        """Rewrites an operation for each part; values that are not shared are operands of all of them."""
        sharing = self._sharings[next(value for value in (*op.results, *op.operands) if value in self._sharings)]
        results: list[list[SSAValue]] = [[] for _ in op.results]
        for i in range(sharing.part_count):
            new = self.remade(op, [self.part(value, i) for value in op.operands], i)
            OpBuilder(op).insert(new)
            for parts, part in zip(results, new.results, strict=True):
                parts.append(part)
        for result, parts in zip(op.results, results, strict=True):
            self.bind(result, parts)

    def part(self, value: SSAValue, index: int) -> SSAValue:
        """Returns a part of a value: the value itself if it is not shared."""
        return self.parts(value)[index] if value in self._sharings else value

    def remade(self, op: Operation, operands: Sequence[SSAValue], index: int) -> Operation:
        """Returns the operation on the parts `operands`, for the parts numbered `index` of its results."""
        types: list[Attribute] = []
        for result in op.results:
            expanded = self.types(result)
            types.append(result.type if expanded is None else expanded[index])
        return type(op).create(
            operands=operands,
            result_types=types,
            properties=self.kept(op.properties),
            attributes=self.kept(op.attributes),
        )

    def _as_a_whole(self, op: Operation) -> None:
        """Rewrites an operation that needs whole values, which every subgroup must own."""
        for value in (*op.operands, *op.results):
            sharing = self._sharings.get(value)
            if sharing is not None and not sharing.is_whole:
                raise CompileError(
                    op,
                    f"cannot be distributed over the subgroups of a work-group, which share {value.type} as {sharing}",
                )
        if op.regions or any(not isa(value.type, VectorType) for value in op.operands if value in self._sharings):
            raise CompileError(op, "cannot be distributed over the subgroups of a work-group")
        new = self.remade(op, [self.part(value, 0) for value in op.operands], 0)
        OpBuilder(op).insert(new)
        for old, made in zip(op.results, new.results, strict=True):
            if old in self._sharings:
                self.bind(old, [made])
            else:
                old.replace_all_uses_with(made)

    # Vectors ---------------------------------------------------------------------------------------------------------

    def _product(self, op: Operation, product: Product) -> None:
        """Rewrites a product: each block is that of a row of blocks of A and a column of blocks of B."""
        lhs, rhs = self._sharings[product.lhs], self._sharings[product.rhs]
        parts: list[SSAValue] = []
        for i, (*batch, row, column) in enumerate(self._sharings[product.result].positions()):
            packed = [0] * (len(rhs.dims) - len(batch) - 2)
            operands = [
                self.parts(product.lhs)[lhs.index((*batch, row, 0))],
                self.parts(product.rhs)[rhs.index((*batch, 0, column, *packed))],
            ]
            if product.acc is not None:
                operands.append(self.parts(product.acc)[i])
            new = self.remade(op, operands, i)
            OpBuilder(op).insert(new)
            parts.append(new.results[0])
        self.bind(product.result, parts)

    def _transpose(self, op: TransposeInterface) -> None:
        sharing, source = self._sharings[op.results[0]], self._sharings[op.operands[0]]
        permutation = op.permuted_dims
        parts: list[SSAValue] = []
        for i, position in enumerate(sharing.positions()):
            permuted = [position[permutation.index(dim)] for dim in range(len(permutation))]
            new = self.remade(op, [self.parts(op.operands[0])[source.index(permuted)]], i)
            OpBuilder(op).insert(new)
            parts.append(new.results[0])
        self.bind(op.results[0], parts)

    def _broadcast(self, op: Operation) -> None:
        sharing, source = self._sharings[op.results[0]], self._sharings[op.operands[0]]
        missing = len(sharing.dims) - len(source.dims)
        parts: list[SSAValue] = []
        made: dict[int, SSAValue] = {}
        for i, position in enumerate(sharing.positions()):
            origin = source.index(
                [p if dim.parts > 1 else 0 for p, dim in zip(position[missing:], source.dims, strict=True)]
            )
            if origin not in made:
                new = self.remade(op, [self.parts(op.operands[0])[origin]], i)
                OpBuilder(op).insert(new)
                made[origin] = new.results[0]
            parts.append(made[origin])
        self.bind(op.results[0], parts)

    @_REWRITES.register(ShapeCastOp)
    def _shape_cast(self, op: ShapeCastOp) -> None:
        if op.result not in self._sharings or op.source not in self._sharings:
            value = op.source if op.source in self._sharings else op.result
            raise CompileError(
                op,
                f"cannot be distributed over subgroups: {self._sharings[value]} has no corresponding parts as "
                f"{op.result.type if value is op.source else op.source.type}",
            )
        shape = self._sharings[op.result].part_shape
        self.bind(op.result, [reshaped(part, shape, OpBuilder(op)) for part in self.parts(op.source)])

    @_REWRITES.register(RedistributeOp)
    def _move(self, op: RedistributeOp) -> None:
        self.move(op, op.source, op.result)

    def move(self, op: Operation, source: SSAValue, result: SSAValue) -> None:
        """Rewrites an operation whose result is its source, shared in another way."""
        exchange = Exchange(op, self._subgroups, self._memory)
        parts = exchange.move(self.parts(source), self._sharings[source], self._sharings[result])
        self.bind(result, parts)

    # Reductions ------------------------------------------------------------------------------------------------------

    def reduce(self, op: Operation, kind: CombiningKindFlag, source: SSAValue, dims: Sequence[int]) -> list[SSAValue]:
        """Returns the parts of a reduction's result, in which the reduced dimensions have size 1."""
        reduction = SharedReduction(op, self._subgroups, self._memory, kind, dims, self._combine_part)
        return reduction.run(self.parts(source), self._sharings[source])

    @_REWRITES.register(MultiDimReductionOp)
    def _multi_reduction(self, op: MultiDimReductionOp) -> None:
        kind = op.kind
        assert isinstance(kind, CombiningKindAttr)
        if op.source not in self._sharings:
            raise CompileError(op, "cannot be distributed over subgroups: its source belongs to a single subgroup")
        builder = OpBuilder(op)
        parts = self.reduce(op, kind.data, op.source, op.reduced_dims)
        if op.dest in self._sharings:
            self.bind(op.dest, combined(kind.data, parts, self.parts(op.acc), builder))
            return
        (part,) = parts
        total = builder.add(ExtractOp(part, [0] * len(self._sharings[op.source].dims)))
        op.dest.replace_all_uses_with(builder.add(combine(kind.data, total, op.acc)))
