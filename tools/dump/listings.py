"""The instructions of kernels, interleaved with their source on request."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from tools.dump.inputs import InputBinary
from xegpu.on_demand import imports_on_demand
from zebin import CodeListing, Zebin, ZebinKernel, disassemble, line_tables
from zebin.dump import printable
from zebin.elf import Relocation, Symbol

with imports_on_demand(globals()):  # the instruction tables take longer to load than most dumps
    import tools.texts.source_text as source_text


@dataclass(frozen=True)
class DumpListing:
    """The instructions of one kernel, with comments by byte offset."""

    kernel: ZebinKernel
    listing: CodeListing
    comments: Mapping[int, str]

    def lines(self, *, with_words: bool = False, span: range | None = None) -> Iterator[str]:
        code = self.kernel.code if with_words else b""
        return self.listing.text(self.comments, code=code, span=span)


def listings(
    binary: InputBinary, zebin: Zebin, kernels: Mapping[str, ZebinKernel], *, with_source: bool
) -> Iterator[DumpListing]:
    """Returns the listings of the kernels. Code that violates its own instruction set is added to the binary's
    findings.
    """
    patches: dict[int, list[Sequence[Relocation]]] = {}
    for index, entries in zebin.relocations.items():
        patches.setdefault(zebin.sections[index].info, []).append(entries)
    tables, findings = line_tables(zebin) if with_source else ({}, [])
    binary.findings += findings
    for kernel in kernels.values():
        listing = disassemble(kernel, zebin.target)
        if listing.is_broken:
            binary.error("isa.illegal", f"code of kernel {kernel.name!r}: {listing.problem}")
        offsets = listing.offsets
        notes = _notes(kernel, chain(*patches.get(kernel.section.index, ())), zebin.symbols, offsets)
        if kernel.name in tables:
            sources = source_text.comments(tables[kernel.name], offsets)
            notes |= {at: f"{notes[at]}; {text}" if at in notes else text for at, text in sources.items()}
        yield DumpListing(kernel, listing, notes)


def _notes(
    kernel: ZebinKernel, patches: Iterable[Relocation], symbols: Sequence[Symbol], offsets: Sequence[int]
) -> dict[int, str]:
    """Returns comments from the file's tables by byte offset: the entry point and the relocated fields."""
    notes: dict[int, list[str]] = {}
    if kernel.entry_offset in offsets[1:]:
        notes[kernel.entry_offset] = ["_entry: where the registers are filled"]
    for patch in patches:
        at = bisect_right(offsets, patch.offset) - 1
        if at >= 0 and patch.symbol < len(symbols):
            name = symbols[patch.symbol].name or f"symbol {patch.symbol}"
            text = f"{patch.type_name} {name} at +{patch.offset - offsets[at]:#x}"
            notes.setdefault(offsets[at], []).append(printable(text))
    return {at: "; ".join(texts) for at, texts in notes.items()}
