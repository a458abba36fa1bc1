"""The lifetimes of general registers: where in the code of a kernel each holds a value that is read later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from xegpu.on_demand import imports_on_demand
from xegpu.targets import of_register_size
from zebin.binary.disassembly import CodeListing, native_platform
from zebin.binary.model import ZebinKernel
from zebin.dump.tables import Table
from zebin.elf.notes import TargetNotes
from zebin.pictures.control_flow import code_blocks

if TYPE_CHECKING:
    from xegpu.isa.code import BasicBlock
    from xegpu.isa.formats import Span
    from xegpu.isa.native import NativeInstruction

with imports_on_demand(globals()):  # the instruction tables take longer to load than most dumps
    import xegpu.isa as isa
    import xegpu.isa.code as isa_code
    import xegpu.isa.formats as formats
    import xegpu.isa.native as native

_ALL_CHANNELS = (1 << 32) - 1
_BAR_WIDTH = 48

_Bytes = tuple[int, int]
"""The bytes of the register file that an instruction reads, and those that it writes, as sets of bits."""

LiveRanges = tuple[range, ...]


def register_lifetimes(kernel: ZebinKernel, target: TargetNotes, listing: CodeListing) -> Mapping[int, LiveRanges]:
    """Returns for each general register that is used the byte offsets at which it is written, or its value is needed.

    The listing is that of the kernel. There is nothing for code whose instructions are not known.
    """
    accesses, grf_bytes = _accesses(kernel, target)
    offsets = [*listing.offsets, len(kernel.code)]
    if listing.problem or len(offsets) != len(accesses) + 1:
        return {}
    found: dict[int, list[range]] = {}
    before: set[int] = set()
    starts: dict[int, int] = {}
    for index, live in enumerate((*_live(listing, accesses), 0)):
        now = set(_registers(live, grf_bytes))
        for register in before - now:
            found.setdefault(register, []).append(range(starts.pop(register), offsets[index]))
        starts |= dict.fromkeys(now - before, offsets[index])
        before = now
    return {register: tuple(found[register]) for register in sorted(found)}


def lifetime_table(kernel: ZebinKernel, target: TargetNotes, listing: CodeListing) -> Table:
    """Returns a row for each run of registers that live at the same places, with a bar that shows these in the code."""
    lifetimes = register_lifetimes(kernel, target, listing)
    rows: list[tuple[str, str, str]] = []
    for (_, ranges), group in groupby(lifetimes.items(), lambda item: (_run(item[0], lifetimes), item[1])):
        members = [register for register, _ in group]
        name = f"r{members[0]}" if len(members) == 1 else f"r{members[0]} to r{members[-1]}"
        texts = ", ".join(f"{live.start:#x} to {live.stop:#x}" for live in ranges)
        rows.append((name, _bar(ranges, len(kernel.code)), texts))
    return Table(f"Registers of kernel {kernel.name}", ("registers", "position", "live"), rows)


def _run(register: int, lifetimes: Mapping[int, LiveRanges]) -> int:
    """Returns the first of the registers side by side that live at the same places as this one."""
    while lifetimes.get(register - 1) == lifetimes[register]:
        register -= 1
    return register


def _bar(ranges: LiveRanges, size: int) -> str:
    marks = [" "] * _BAR_WIDTH
    for live in ranges:
        first, last = live.start * _BAR_WIDTH // size, -(-live.stop * _BAR_WIDTH // size)
        marks[first:last] = "#" * (last - first)
    return f"|{''.join(marks)}|"


def _accesses(kernel: ZebinKernel, target: TargetNotes) -> tuple[Sequence[_Bytes], int]:
    """Returns what each instruction reads and writes, and the size of a register."""
    code = bytes(kernel.code)
    if isa.has_header(code):
        program = isa.decode_program(code)
        gpu, count = target.gpu or of_register_size(program.grf_bytes), kernel.execution_env.grf_count
        touched = (formats.footprint(instruction, gpu, count, _ALL_CHANNELS) for instruction in program.instructions)
        return [(_bits(each.reads), _bits(each.writes)) for each in touched], program.grf_bytes
    platform = native_platform(target)
    if platform is None:
        return [], 1
    return [_native_bytes(word) for _, word in native.native_instructions(platform, code)], platform.grf_bytes


def _native_bytes(instruction: NativeInstruction) -> _Bytes:
    """Returns what an instruction accesses; one that is predicated may keep what it writes."""
    found = native.footprint(instruction)
    return found.reads | found.accumulates | (found.writes if native.is_predicated(instruction) else 0), found.writes


def _bits(spans: Iterable[Span]) -> int:
    found = 0
    for span in spans:
        found |= ((1 << span.size) - 1) << span.start
    return found


def _live(listing: CodeListing, accesses: Sequence[_Bytes]) -> Sequence[int]:
    """Returns for each instruction the bytes that it writes, or whose values it or a later one reads."""
    blocks = list(_blocks(listing))
    effects: dict[int, _Bytes] = {}
    for block in blocks:
        exposed = covered = 0
        for reads, writes in accesses[block.start : block.end]:
            exposed |= reads & ~covered
            covered |= writes
        effects[block.start] = exposed, covered
    entering = isa_code.live_before(blocks, effects)
    found = [0] * len(accesses)
    for block in blocks:
        live = 0
        for after in block.successors:
            live |= entering.get(after, 0)
        for index in reversed(range(block.start, block.end)):
            reads, writes = accesses[index]
            found[index] = live | reads | writes
            live = live & ~writes | reads
    return found


def _blocks(listing: CodeListing) -> Iterator[BasicBlock]:
    """Yields the blocks of a listing by the numbers of their instructions."""
    blocks = code_blocks(listing)
    starts: dict[str, int] = {}
    count = 0
    for block in blocks:
        starts[block.name] = count
        count += len(block.lines)
    for block in blocks:
        first = starts[block.name]
        following = tuple(starts[name] for name in block.successors if name in starts)
        yield isa_code.BasicBlock(first, first + len(block.lines), following)


def _registers(live: int, grf_bytes: int) -> Iterator[int]:
    """Yields the general registers of which bytes are in a set."""
    live &= (1 << formats.FIRST_ARCHITECTURE * grf_bytes) - 1
    data = live.to_bytes((live.bit_length() + 7) // 8, "little")
    width = grf_bytes // 8
    return (at // width for at in range(0, len(data), width) if any(data[at : at + width]))
