"""Puts other code into a kernel: what counts its bytes elsewhere in the file follows the instructions that stay."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import NamedTuple

from xegpu.on_demand import dataclass, imports_on_demand
from zebin.binary.disassembly import disassemble, native_platform
from zebin.binary.file import read
from zebin.binary.model import Zebin, ZebinKernel
from zebin.building.builder import padded_code
from zebin.editing.container import replace_contents
from zebin.editing.editor import Editor, new_faults
from zebin.editing.path import EditError
from zebin.elf.constants import SectionType
from zebin.elf.model import Buffer, StructureLayout
from zebin.errors import excerpt

with imports_on_demand(globals()):  # the instruction tables take longer to load than most edits
    import xegpu.isa as isa
    import xegpu.isa.code as isa_code
    import xegpu.isa.native as native
    import zebin.debug as debug


_LABEL = re.compile(r"\bL\d+\b")
_MOST_COMPARED = 4000
"""Instructions between the first and the last change up to which those that stay are looked for."""

_OFFSET_KEYS = ("offset_to_skip_per_thread_data_load", "offset_to_skip_set_ffid_gp")
"""The keys of `execution_env` that are offsets in the code."""


@dataclass(frozen=True)
class NewCode:
    """Code for a kernel, and the byte offsets of its labels."""

    code: bytes
    labels: Mapping[str, int]


def assemble_for(zebin: Zebin, kernel: str, text: str) -> NewCode:
    """Returns the code of a text, in the instruction set that the kernel has: that of its GPU or the virtual one.

    Raises:
        EditError: There is no such kernel, or no assembler for its GPU.
        AssemblyError: The text is wrong.
    """
    old, target = kernel_of(zebin, kernel), zebin.target
    if isa.has_header(bytes(old.code[: isa.WORD_BYTES])):
        gpu = target.gpu
        return NewCode(isa.assemble(text) if gpu is None else isa.assemble(text, grf_bytes=gpu.platform.grf_bytes), {})
    platform = native_platform(target)
    if platform is None:
        raise EditError("there is no assembler for the native code of this GPU")
    program = native.assemble_native_program(platform, text)
    return NewCode(program.code, program.labels)


class ReplacedCode(NamedTuple):
    """A ZEBIN with other code of a kernel, and what to tell about its debug information; empty if it has none."""

    data: bytes
    remark: str


def replace_code(data: Buffer, kernel: str, new: NewCode) -> ReplacedCode:
    """Returns the ZEBIN with other code of a kernel.

    Its symbols, relocations and the offsets in `.ze_info` are moved with the instructions at which they are; a label of
    the new code that is called like a symbol places that. Instructions that stay keep their lines.

    Raises:
        EditError: There is no such kernel, an instruction that the file refers to is gone, or the file would be broken.
    """
    zebin = read(data, lenient=True)
    old = kernel_of(zebin, kernel)
    own = old.symbol
    if own is None or own.value or not own.size:
        raise EditError(f"the symbol of kernel {excerpt(kernel)} does not cover its code from the start")
    moves = _Moves(zebin, old, new)
    output = bytearray(data)
    layouts = zebin.elf.elf_class.layouts
    table = zebin.elf.of_type(SectionType.SYMTAB)[0].offset
    for index, symbol in enumerate(zebin.symbols):
        if symbol.section_index == old.section.index:
            if symbol.value > own.size:
                raise EditError(f"{excerpt(symbol.name)} is behind the code of the kernel, in its section")
            start = new.labels.get(symbol.name)
            if start is None:
                start = moves(symbol.value, f"symbol {excerpt(symbol.name)}")
            is_to_end = symbol.value + symbol.size == own.size
            size = len(new.code) - start if is_to_end else symbol.size
            _patch(output, layouts.symbol, table, index, value=start, size=size)
    for index, entries in zebin.relocations.items():
        section = zebin.sections[index]
        layout = layouts.rela if section.type == SectionType.RELA else layouts.rel
        if section.info == old.section.index:
            for number, entry in enumerate(entries):
                place = moves(entry.offset, f"relocation {entry.type_name}")
                _patch(output, layout, section.offset, number, offset=place)
    remark = _move_lines(output, zebin, kernel, moves, len(new.code))
    editor = Editor(memoryview(replace_contents(output, zebin.elf, old.section, padded_code(new.code))))
    for key in _OFFSET_KEYS:
        offset = getattr(old.execution_env, key)
        if offset:
            editor.set(f"kernels[{[*zebin.kernels].index(kernel)}].execution_env.{key}", moves(offset, key))
    result = editor.binary(force=True)
    faults = new_faults(result, zebin.findings)
    if faults:
        raise EditError(f"the edited file would have a fault: {faults[0]}", faults)
    return ReplacedCode(result, remark)


def _move_lines(output: bytearray, zebin: Zebin, kernel: str, moves: _Moves, end: int) -> str:
    """Writes the lines of a kernel for its new code. Returns what to say about that."""
    old = debug.line_tables(zebin)[0].get(kernel)
    if old is None:
        return ""
    lines = isa_code.LineTable.of(
        ((at, None if before is None else old.at(before)) for at, before in moves.origins()), end
    )
    changed = None if lines == old else debug.rewritten_lines(zebin, kernel, lines)
    if changed is None:
        return "" if lines == old else f"debug information of kernel {excerpt(kernel)} is that of the old code"
    output[changed.offset : changed.offset + len(changed.data)] = changed.data
    kept = "instructions that stay keep their lines"
    if changed.lines != lines:
        kept = f"{kept}, without columns" if changed.lines.is_known else "its lines are gone, for want of room"
    return f"kernel {excerpt(kernel)}: {kept}; other debug information is that of the old code"


def kernel_of(zebin: Zebin, name: str) -> ZebinKernel:
    """Returns a kernel by name. Raises `EditError` if there is none that has code."""
    if name not in zebin.kernels:
        known = ", ".join(map(excerpt, [*zebin.kernels][:20])) or "none"
        raise EditError(f"no kernel is called {excerpt(name)}, there are: {known}")
    return zebin.kernels[name]


def _patch(data: bytearray, layout: StructureLayout, table: int, index: int, **changes: int) -> None:
    at = table + index * layout.size
    data[at : at + layout.size] = layout.pack(**(layout.unpack(data, at) | changes))


class _Moves:
    """Where what was at a byte offset of the old code is in the new code."""

    def __init__(self, zebin: Zebin, kernel: ZebinKernel, new: NewCode) -> None:
        section = replace(kernel.section, data=new.code, size=len(new.code))
        symbol = None if kernel.symbol is None else replace(kernel.symbol, size=len(new.code))
        self._old, self._old_texts = _instructions(zebin, kernel)
        self._new, self._new_texts = _instructions(zebin, replace(kernel, section=section, symbol=symbol))
        self._ends = len(kernel.code), len(new.code)
        self._pairs = dict(_pairs(self._old_texts, self._new_texts))

    def origins(self) -> Iterator[tuple[int, int | None]]:
        """Yields the offset of each new instruction, and where it was, None for those that were not there."""
        before = {new: self._old[old] for old, new in self._pairs.items()}
        return ((offset, before.get(index)) for index, offset in enumerate(self._new))

    def __call__(self, offset: int, what: str) -> int:
        if offset in (0, self._ends[0]):
            return self._ends[1] if offset else 0
        index = bisect_right(self._old, offset) - 1
        found = self._pairs.get(index)
        if found is None:
            text = " ".join(self._old_texts[index].split()) if index >= 0 else ""
            raise EditError(
                f"{what} is at {offset:#x}, but the new code does not have that instruction: {excerpt(text)}"
            )
        return self._new[found] + offset - self._old[index]


def _instructions(zebin: Zebin, kernel: ZebinKernel) -> tuple[Sequence[int], Sequence[str]]:
    """Returns offsets and texts of the instructions, all labels alike. Raises `EditError` for illegal code."""
    listing = disassemble(kernel, zebin.target)
    if listing.problem:
        raise EditError(listing.problem)
    lines = [(line.offset, _LABEL.sub("L", line.text)) for line in listing.lines if line.offset is not None]
    return [offset for offset, _ in lines], [text for _, text in lines]


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yields pairs of indices of instructions that stay."""
    most = min(len(old), len(new))
    first = next((index for index in range(most) if old[index] != new[index]), most)
    last = next((index for index in range(most - first) if old[-1 - index] != new[-1 - index]), most - first)
    yield from ((index, index) for index in range(first))
    yield from ((len(old) - 1 - index, len(new) - 1 - index) for index in range(last))
    before, after = old[first : len(old) - last], new[first : len(new) - last]
    if max(len(before), len(after)) <= _MOST_COMPARED:
        for block in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
            yield from ((first + block.a + index, first + block.b + index) for index in range(block.size))
