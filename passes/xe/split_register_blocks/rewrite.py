"""Replaces register blocks by their pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator

from passes.support.control_flow import reverse_post_order
from passes.xe.split_register_blocks.accesses import Access, moved, reads, writes
from passes.xe.split_register_blocks.pieces import Pieces
from xegpu.dialects.xe import CopyOp, GRFType, InstructionOp, Read, UndefOp, Write, alu_op, register_type
from xegpu.isa.model import CONTIGUOUS, DataType
from xegpu.targets import Target

# Values are split into hundreds of pieces, of few types.
_grf_type = cache(GRFType)


class Splitter:
    """Rewrites one kernel: each value in `pieces` becomes a value for each of its pieces."""

    def __init__(self, target: Target, pieces: Mapping[SSAValue, Pieces]):
        self._grf = target.platform.grf_bytes
        self._target = target
        self._pieces = pieces
        self._parts: dict[SSAValue, list[SSAValue]] = {}
        self._replaced: list[Operation] = []

    def run(self, body: Region) -> None:
        """Rewrites the body of a kernel."""
        whole = [argument for block in body.blocks for argument in block.args if argument in self._pieces]
        for argument in whole:
            block = argument.block
            self._parts[argument] = [block.insert_arg(type, argument.index) for type in self._types(argument)]
        for block in dict.fromkeys((*reverse_post_order(body), *body.blocks)):  # those that are not reachable come last
            for op in list(block.ops):
                if not self._pieces.keys().isdisjoint((*op.operands, *op.results)):
                    self._split(op, block)
        for op in reversed(self._replaced):
            Rewriter.erase_op(op)
        for op in [op for block in body.blocks for op in block.ops if isinstance(op, UndefOp) and not op.result.uses]:
            Rewriter.erase_op(op)
        for argument in whole:
            argument.block.erase_arg(argument)

    def _types(self, value: SSAValue) -> list[GRFType]:
        """Returns the types of the pieces of a value, which are whole registers."""
        return [self._type(value, first, last) for first, last in self._pieces[value].ranges()]

    def _type(self, value: SSAValue, first: int, last: int) -> GRFType:
        """Returns the type of a range of registers of a value; `last` is not in the range."""
        offset, alignment = first * self._grf, max(self._grf, register_type(value).alignment.data)
        return _grf_type((last - first) * self._grf, min(alignment, offset & -offset or alignment))

    def _split(self, op: Operation, block: Block) -> None:
        match op:
            case UndefOp():
                self._parts[op.result] = [self._undefined(type, op) for type in self._types(op.result)]
            case CopyOp():
                copies = [
                    CopyOp(part, type)
                    for part, type in zip(self._parts[op.source], self._types(op.result), strict=True)
                ]
                for copy in copies:
                    self._insert(copy, op)
                self._parts[op.result] = [copy.result for copy in copies]
            case _ if op.has_trait(IsTerminator):
                op.operands = [part for operand in op.operands for part in self._parts.get(operand, [operand])]
                return
            case _:
                self._split_instruction(op)
        self._replaced.append(op)

    def _insert(self, new: Operation, old: Operation) -> None:
        block = old.parent_block()
        assert block is not None
        new.location = old.location
        block.insert_op_before(new, old)

    def _undefined(self, type: GRFType, op: Operation) -> SSAValue:
        undefined = UndefOp(type)
        self._insert(undefined, op)
        return undefined.result

    # Instructions ----------------------------------------------------------------------------------------------------

    def _split_instruction(self, op: Operation) -> None:
        """Replaces an instruction by one that reads and writes pieces.

        Where an operand or result reaches across pieces, it gets a block of its own and moves to or from the pieces.
        """
        operands, types, read_at, write_at = (
            list(op.operands),
            list(op.result_types),
            dict[int, int](),
            dict[int, int](),
        )
        for access in reads(op, self._target):
            if (value := operands[access.number]) in self._pieces:
                operands[access.number], read_at[access.number] = self._read(value, access, op)
        tied = op.tied if isinstance(op, InstructionOp) else None
        written = {a.number: a for a in writes(op, self._target) if op.results[a.number] in self._pieces}
        for number, access in written.items():
            result = op.results[number]
            first, last = self._pieces_of(result, access)
            start, end = self._extent(result, first, last)
            types[number] = type = self._type(result, start, end)
            write_at[number] = access.offset - start * self._grf
            if tied is not None and number == 0:
                covered = access.is_whole and access.size == type.size.data
                operands[0] = self._undefined(type, op) if covered else self._whole(tied, first, last, type, op)
        new = op.create(
            operands=operands,
            result_types=types,
            properties=moved(op, read_at, write_at),
            attributes=op.attributes,
            successors=op.successors,
        )
        self._insert(new, op)
        for number, (old, result) in enumerate(zip(op.results, new.results, strict=True)):
            if number not in written:
                old.replace_all_uses_with(result)
                continue
            if tied is not None and number == 0:
                parts = list(self._parts[tied])
            else:
                parts = [self._undefined(type, op) for type in self._types(old)]
            first, last = self._pieces_of(old, written[number])
            parts[first : last + 1] = self._pieces_from(result, self._types(old)[first : last + 1], op)
            self._parts[old] = parts

    def _pieces_of(self, value: SSAValue, access: Access) -> tuple[int, int]:
        """Returns the first and the last piece that an access touches."""
        pieces = self._pieces[value]
        return pieces.at(access.offset // self._grf), pieces.at((access.offset + access.size - 1) // self._grf)

    def _extent(self, value: SSAValue, first: int, last: int) -> tuple[int, int]:
        """Returns the first register of a range of pieces, and the one behind its last."""
        ranges = list(self._pieces[value].ranges())
        return ranges[first][0], ranges[last][1]

    def _read(self, value: SSAValue, access: Access, op: Operation) -> tuple[SSAValue, int]:
        """Returns the block that holds the bytes to read, and their offset in it."""
        first, last = self._pieces_of(value, access)
        start, end = self._extent(value, first, last)
        block = self._whole(value, first, last, self._type(value, start, end), op)
        return block, access.offset - start * self._grf

    def _whole(self, value: SSAValue, first: int, last: int, type: GRFType, op: Operation) -> SSAValue:
        """Returns consecutive pieces as one block."""
        if first == last:
            return self._parts[value][first]
        block, offset = self._undefined(type, op), 0
        for part in self._parts[value][first : last + 1]:
            size = register_type(part).size.data
            block = self._move(part, 0, block, offset, size, op)
            offset += size
        return block

    def _pieces_from(self, block: SSAValue, types: Sequence[GRFType], op: Operation) -> list[SSAValue]:
        """Returns consecutive pieces of one block."""
        if len(types) == 1:
            return [block]
        parts, offset = [], 0
        for type in types:
            parts.append(self._move(block, offset, self._undefined(type, op), 0, type.size.data, op))
            offset += type.size.data
        return parts

    def _move(self, source: SSAValue, origin: int, into: SSAValue, offset: int, size: int, op: Operation) -> SSAValue:
        """Returns `into` with whole registers of another block moved into it; offsets and the size are in bytes."""
        dword = DataType.UD
        for start in range(0, size, self._grf):
            read, write = Read(dword, origin + start, CONTIGUOUS), Write(dword, offset + start)
            channels = self._grf // dword.size
            move = alu_op("mov")(channels, [(source, read)], write, register_type(into), into=into)
            self._insert(move, op)
            into = move.results[0]
        return into
