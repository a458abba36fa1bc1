"""Pictures of block-2D messages: the place of each element of a block in the registers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import zebin
from tools.explore.protocol import Json
from tools.explore.service.kernel_code import source_line
from xegpu.isa import Instruction, decode_program, has_header
from xegpu.isa.code import NO_LINES
from xegpu.isa.model import Message, block_bytes, block_element_offset
from xegpu.isa.text import format_instruction
from zebin import line_tables
from zebin.dump import printable

MOST_MESSAGES = 256
"""The messages of a kernel that are drawn."""


def block_messages(
    instructions: Sequence[Instruction], names: Sequence[str], lines: Sequence[int], grf_bytes: int
) -> Iterator[Json]:
    """Yields the block-2D messages among instructions, which have a name and a line of the source each.

    `places` has the byte of each element from the first register of the data on, row by row of all blocks, which stand
    side by side in memory. Prefetches have no registers, and no places.
    """
    known: dict[Message, list[Json]] = {}
    for instruction, name, line in zip(instructions, names, lines, strict=True):
        message, register = instruction.message, instruction.returned or instruction.data
        if message is None or message.block is None:
            continue
        is_held = register is not None and not register.is_null
        places = known.setdefault(message, list(_places(message, grf_bytes))) if is_held else []
        yield {
            "name": name,
            "line": line,
            "access": None if instruction.spec.access is None else instruction.spec.access.value,
            "form": "VNNI" if message.vnni else "transposed" if message.transposed else "row by row",
            "rows": message.block.height,
            "columns": message.block.width,
            "blocks": message.block.count,
            "size": message.data_size.memory_bytes,
            "grf_bytes": grf_bytes,
            "register": register.number if is_held and register is not None else None,
            "bytes": message.block.count * block_bytes(message, grf_bytes),
            "places": places,
        }


def _places(message: Message, grf_bytes: int) -> Iterator[Json]:
    shape = message.block
    assert shape is not None
    for row in range(shape.height):
        for block in range(shape.count):
            for column in range(shape.width):
                yield block_element_offset(message, grf_bytes, block, row, column)


def messages_of(data: bytes, filename: str) -> Iterator[Json]:
    """Yields the block-2D messages of the kernels of a ZEBIN, which were compiled from a file."""
    binary = zebin.read(data, lenient=True)
    tables, _ = line_tables(binary)
    for kernel in binary.kernels.values():
        code = bytes(kernel.code)
        if not has_header(code):
            continue
        program = decode_program(code)
        texts = (format_instruction(each, grf_bytes=program.grf_bytes).strip() for each in program.instructions)
        names = [
            f"{printable(kernel.name)} {offset:#06x}: {text}"
            for offset, text in zip(program.offsets, texts, strict=True)
        ]
        table = tables.get(kernel.name, NO_LINES)
        lines = [source_line(table, offset, filename) for offset in program.offsets]
        yield from islice(block_messages(program.instructions, names, lines, program.grf_bytes), MOST_MESSAGES)
