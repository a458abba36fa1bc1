"""Offsets of accesses in place of descriptors that move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.arith import AddiOp
from xdsl.dialects.builtin import IndexType, MemRefType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from passes.support.matrix_operands import fragment_maps, multiplies_whole_matrices
from passes.support.op_builder import Index, OpBuilder, known
from passes.support.value_expansion import ValueExpansion
from passes.support.webs.descriptors import DescriptorWeb
from passes.xegpu.convert_generation.to_llvm22.layouts import (
    access_layout,
    check_fragment,
    flat,
    is_fragment,
    own_element,
    shaped,
)
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.vector import TransposeOp, vector_type
from xegpu.dialects.xegpu import (
    AtomicRMWOp,
    CreateDescOp,
    CreateNdDescOp,
    DpasOp,
    LoadNdOp,
    LoadOp,
    PrefetchNdOp,
    PrefetchOp,
    StoreNdOp,
    StoreOp,
    TensorDescType,
    UpdateNdOffsetOp,
    UpdateOffsetOp,
    element_bits,
)
from xegpu.targets import Target

_BlockAccess = LoadNdOp | StoreNdOp | PrefetchNdOp
PACKED_RANK = 3
"""The dimensions of a matrix whose elements are packed in groups of 32 bits."""

_LaneAccess = LoadOp | StoreOp | PrefetchOp


@dataclass(frozen=True)
class _Position:
    """The descriptor, or the base of lanes' addresses, and where an access through it begins."""

    base: SSAValue
    offsets: Sequence[SSAValue]


class Accesses(ValueExpansion):
    """Replaces descriptors at offsets by descriptors, or bases of addresses, and offsets.

    Where one operation creates all descriptors that flow into one another, loops and branches carry their offsets only.
    """

    def __init__(self, webs: Sequence[DescriptorWeb], target: Target):
        super().__init__()
        self._target = target
        self._creators: dict[SSAValue, list[CreateNdDescOp | CreateDescOp]] = {}
        self._bases: dict[Operation, SSAValue] = {}
        for web in webs:
            creators = [v.owner for v in web.values if isinstance(v.owner, CreateNdDescOp | CreateDescOp)]
            # Atomic updates need descriptors in LLVM 22, too; a web without creators gets its own from outside.
            if creators and not any(isinstance(user, AtomicRMWOp) for user in web.users):
                self._creators.update(dict.fromkeys(web.values, creators))

    # Values ----------------------------------------------------------------------------------------------------------

    def types(self, value: SSAValue) -> Sequence[Attribute] | None:
        if (creators := self._creators.get(value)) is None:
            return None
        first, *others = creators
        base = self._base_type(first)
        if isinstance(first, CreateNdDescOp):
            offsets: list[Attribute] = [IndexType()] * first.tensor_desc.type.get_num_dims()
        else:
            offsets = [first.offsets.type]
        for other in others:
            same = self._base_type(other) == base
            if not same or (isinstance(other, CreateDescOp) and other.offsets.type != offsets[0]):
                raise CompileError(
                    other,
                    "flows together with a descriptor of another kind of memory or addresses, which has no counterpart "
                    "in LLVM 22",
                )
        return [base, *offsets] if others else offsets

    def _base_type(self, create: CreateNdDescOp | CreateDescOp) -> Attribute:
        return create.tensor_desc.type.with_map(None) if isinstance(create, CreateNdDescOp) else create.source.type

    def _position(self, value: SSAValue) -> _Position:
        creators, parts = self._creators[value], self.parts(value)
        return _Position(parts[0], parts[1:]) if len(creators) > 1 else _Position(self._bases[creators[0]], parts)

    def _bind(self, value: SSAValue, base: SSAValue, offsets: Sequence[SSAValue]) -> None:
        if len(self._creators[value]) > 1:
            self.bind(value, [base, *offsets])
        else:
            self.bind(value, offsets)

    # Operations ------------------------------------------------------------------------------------------------------

    def rewrite(self, op: Operation) -> bool:
        builder = OpBuilder(op)
        match op:
            case CreateNdDescOp() if op.tensor_desc in self._creators:
                self._create_block(builder, op)
            case CreateDescOp() if op.tensor_desc in self._creators:
                self._bases[op] = op.source
                self._bind(op.tensor_desc, op.source, [op.offsets])
            case UpdateNdOffsetOp() if op.tensor_desc in self._creators:
                at = self._position(op.tensor_desc)
                moved = [builder.value(builder.plus(a, b)) for a, b in zip(at.offsets, op.mixed_offsets, strict=True)]
                self._bind(op.result, at.base, moved)
            case UpdateOffsetOp() if op.tensor_desc in self._creators:
                at = self._position(op.tensor_desc)
                (offsets,) = at.offsets
                self._bind(op.result, at.base, [builder.add(AddiOp(offsets, op.offsets))])
            case LoadNdOp() | StoreNdOp() | PrefetchNdOp() if op.tensor_desc in self._creators:
                self._access_block(builder, op)
            case LoadOp() | StoreOp() | PrefetchOp() if op.source in self._creators:
                self._access_lanes(builder, op)
            case DpasOp():
                return self._multiply(builder, op)
            case _:
                return False
        return True

    def _create_block(self, builder: OpBuilder, op: CreateNdDescOp) -> None:
        desc, offsets = op.tensor_desc.type, op.mixed_offsets
        outer = len(offsets) - desc.get_num_dims()
        if not isa(op.source.type, MemRefType) and op.mixed_shape is None:
            raise CompileError(
                op, "has an integer as source and no shape, which has no counterpart in LLVM 22: give shape and strides"
            )
        first = [known(offset) for offset in offsets[:outer]]
        rest: list[Index] = [0] * desc.get_num_dims()
        base = CreateNdDescOp(
            op.source,
            [*first, *rest] if any(offset != 0 for offset in first) else None,
            desc.with_map(None),
            op.mixed_shape,
            op.mixed_strides,
            keyword_lists=True,
        )
        self._bases[op] = builder.add(base)
        self._bind(op.tensor_desc, self._bases[op], [builder.value(offset) for offset in offsets[outer:]])

    # Blocks ----------------------------------------------------------------------------------------------------------

    def _access_block(self, builder: OpBuilder, op: _BlockAccess) -> None:
        at, desc = self._position(op.tensor_desc), op.desc
        own = op.mixed_offsets or [0] * len(at.offsets)
        offsets = [known(builder.plus(a, b)) for a, b in zip(at.offsets, own, strict=True)]
        match op:
            case PrefetchNdOp():
                builder.insert(PrefetchNdOp(at.base, op.hints, offsets, access_layout(op, desc)))
            case StoreNdOp() if is_fragment(op.value, desc):
                check_fragment(op, desc)
                builder.insert(StoreNdOp(flat(builder, op.value), at.base, op.hints, offsets))
            case StoreNdOp():
                builder.insert(StoreNdOp(op.value, at.base, op.hints, offsets, access_layout(op, desc)))
            case LoadNdOp():
                op.value.replace_all_uses_with(self._load(builder, op, at.base, offsets))

    def _load(self, builder: OpBuilder, op: LoadNdOp, base: SSAValue, offsets: list[Index]) -> SSAValue:
        desc, result = op.desc, vector_type(op.value)
        transpose = (1, 0) if op.is_transposed else None
        if is_fragment(op.value, desc):
            if op.transpose_bit_width is not None:
                raise CompileError(op, "has a transpose_bit_width, which has no counterpart in LLVM 22 for fragments")
            check_fragment(op, desc, packed=op.is_packed, transposed=op.is_transposed)
            type_ = VectorType(result.element_type, (result.element_count(),))
            load = LoadNdOp(base, type_, packed=op.is_packed, transpose=transpose, hints=op.hints, offsets=offsets)
            return shaped(builder, builder.add(load), result.get_shape())
        layout = access_layout(op, desc)
        if op.transpose_bit_width is None:
            load = LoadNdOp(
                base,
                result,
                packed=op.is_packed,
                transpose=transpose,
                hints=op.hints,
                offsets=offsets,
                layout=layout,
            )
            return builder.add(load)
        # Groups of elements change places as a whole.
        rows, columns = desc.tile
        group = op.transpose_bit_width.value.data // element_bits(desc.element_type)
        plain = VectorType(desc.element_type, (rows, columns))
        loaded = builder.add(LoadNdOp(base, plain, hints=op.hints, offsets=offsets))
        groups = shaped(builder, loaded, (rows, columns // group, group))
        return shaped(builder, builder.add(TransposeOp(groups, (1, 0, 2))), result.get_shape())

    # Lanes -----------------------------------------------------------------------------------------------------------

    def _access_lanes(self, builder: OpBuilder, op: _LaneAccess) -> None:
        desc, at = op.desc, self._position(op.source)
        (offsets,) = at.offsets
        if isinstance(op, PrefetchOp):
            align = None if isa(at.base.type, MemRefType) else self._alignment(op, desc)
            builder.insert(PrefetchOp(at.base, op.hints, offsets, align, access_layout(op, desc)))
            return
        whole = desc.get_shape()
        is_lane = vector_type(op.value).get_shape() not in (whole, whole[::-1])
        mask = op.mask
        if is_lane:
            offsets, mask = own_element(builder, offsets), own_element(builder, mask)
        size = None if desc.chunk_size == 1 else desc.chunk_size
        layout = None if is_lane else access_layout(op, desc)
        shape = (desc.chunk_size,) if is_lane else whole
        if isinstance(op, LoadOp):
            result = vector_type(op.value)
            load = LoadOp(
                at.base,
                mask,
                VectorType(result.element_type, shape),
                offsets=offsets,
                chunk_size=size,
                hints=op.hints,
                layout=layout,
            )
            value = builder.add(load)
            if op.is_transposed and not is_lane:
                value = builder.add(TransposeOp(value, (1, 0)))
            op.value.replace_all_uses_with(shaped(builder, value, result.get_shape()))
        else:
            value = op.value
            if op.is_transposed and not is_lane:
                value = builder.add(TransposeOp(value, (1, 0)))
            value = shaped(builder, value, shape)
            builder.insert(
                StoreOp(value, at.base, mask, offsets=offsets, chunk_size=size, hints=op.hints, layout=layout)
            )

    def _alignment(self, op: Operation, desc: TensorDescType) -> int:
        """Returns the size in bytes of the elements that offsets from an address count."""
        if (bits := element_bits(desc.element_type)) % 8:
            raise CompileError(op, f"prefetches elements of {bits} bits, which has no counterpart in LLVM 22")
        return bits // 8

    # Products --------------------------------------------------------------------------------------------------------

    def _multiply(self, builder: OpBuilder, op: DpasOp) -> bool:
        """Rewrites a product of fragments, or with a packed A; of other products only the maps become layouts."""
        result = vector_type(op.result)
        if op.sg_maps is None or multiplies_whole_matrices(op):
            lhs = vector_type(op.lhs).get_shape()
            if len(lhs) == PACKED_RANK and result.get_num_dims() == PACKED_RANK - 1:
                op.operands[0] = shaped(builder, op.lhs, (lhs[0], lhs[1] * lhs[2]))
            return False
        if op.sg_maps != fragment_maps(vector_type(op.lhs).element_type, self._target):
            given = ", ".join(map(str, op.sg_maps))
            raise CompileError(op, f"has fragments by {given}, which have no counterpart in LLVM 22")
        acc = None if op.acc is None else flat(builder, op.acc)
        type_ = VectorType(result.element_type, (result.element_count(),))
        product = builder.add(DpasOp(flat(builder, op.lhs), flat(builder, op.rhs), acc, type_))
        op.result.replace_all_uses_with(shaped(builder, product, result.get_shape()))
        return True
