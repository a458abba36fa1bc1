"""Kernels' instructions, next to their source if asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tools.dump.inputs import Image
from zebin import Kernel, Zebin, line_tables
from zebin.disassembly import Listing, disassemble


@dataclass(frozen=True)
class KernelListing:
    """The instructions of one kernel, with comments by their offset."""

    kernel: Kernel
    listing: Listing
    comments: Mapping[int, str]

    def lines(self) -> Iterator[str]:
        return self.listing.text(self.comments)


def listings(
    image: Image, zebin: Zebin, kernels: Mapping[str, Kernel], *, with_source: bool
) -> Iterator[KernelListing]:
    """The kernels' listings. Code that its own instruction set forbids is added to the image's findings."""
    # Tables of instructions take longer to load than most dumps to make.
    from tools.source_text import comments

    tables, findings = line_tables(zebin) if with_source else ({}, [])
    image.findings += findings
    for kernel in kernels.values():
        listing = disassemble(kernel, zebin.target)
        if listing.is_broken:
            image.error("isa.illegal", f"code of kernel {kernel.name!r}: {listing.problem}")
        notes = {}
        if kernel.entry_offset and kernel.entry_offset in listing.offsets[1:]:
            notes[kernel.entry_offset] = "_entry: where the registers are filled"
        if kernel.name in tables:
            notes |= comments(tables[kernel.name], listing.offsets)
        yield KernelListing(kernel, listing, notes)
