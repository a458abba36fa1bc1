"""The complete contents of a ZEBIN, as tables or as JSON."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Mapping, Sequence

from tools.cli import Style
from tools.dump.command import DumpOptions
from tools.dump.inputs import InputBinary, InputFile
from tools.dump.listings import listings
from tools.dump.output import DumpOutput
from zebin import FindingSeverity, Zebin, ZebinKernel
from zebin.dump import (
    TABLE_PARTS,
    Json,
    Table,
    as_json,
    finding_json,
    grid_tables,
    json_chunks,
    kernel_tables,
    printable,
    record_json,
    tables_of,
)


def chosen_kernels(binary: InputBinary, zebin: Zebin, names: Sequence[str]) -> Mapping[str, ZebinKernel]:
    """Returns the kernels with code that are to be shown, all of them if no name is given."""
    if not names:
        return zebin.kernels
    described = [] if zebin.ze_info is None else [kernel.name for kernel in zebin.ze_info.kernels]
    for name in names:
        if name not in described:
            known = ", ".join(map(repr, described[:20])) or "none"
            more = f" and {len(described) - 20} more" if len(described) > 20 else ""
            binary.error("dump.kernel", f"no kernel is called {name!r}, there are: {known}{more}")
    return {name: kernel for name, kernel in zebin.kernels.items() if name in names}


def show(binary: InputBinary, options: DumpOptions, output: DumpOutput) -> None:
    """Shows the tables of one binary."""
    zebin = binary.zebin
    if zebin is None:
        return
    kernels = chosen_kernels(binary, zebin, options.kernel)
    if not options.kernel:
        tables: Iterable[Table] = tables_of(zebin, options.parts or TABLE_PARTS)
    else:
        names = frozenset(options.kernel)
        described = () if zebin.ze_info is None else kernel_tables(zebin.ze_info, names)
        tables = itertools.chain(grid_tables(zebin, names), described)
    for table in tables:
        output.table(table)
    remarks = [(f.code, str(f.location), f.message) for f in binary.findings if f.severity is FindingSeverity.INFO]
    if remarks and not options.kernel and not options.parts:
        output.table(Table("Remarks", ("code", "location", "message"), remarks))
    if options.disassemble or options.source:
        for listing in listings(binary, zebin, kernels, with_source=options.source):
            output.line(f"Kernel {printable(listing.kernel.name)}, code:", Style.TITLE)
            output.lines(listing.lines(with_words=options.show_raw_insn, span=options.span))
            if listing.listing.problem:
                output.line(f"  {printable(listing.listing.problem)}")
            output.line()


def show_json(sources: Sequence[InputFile], options: DumpOptions) -> None:
    """Prints all binaries as JSON: one object for a single ZEBIN, a list for a fat binary or several files."""
    objects = [_object(binary, options) for source in sources for binary in source.binaries]
    single = len(sources) == 1 and not sources[0].is_container
    sys.stdout.writelines(json_chunks(objects[0] if single else objects))
    print()


def _object(binary: InputBinary, options: DumpOptions) -> Json:
    content: dict[str, Json] = {"file": binary.label}
    zebin = binary.zebin
    if zebin is not None and not options.validate:
        kernels = chosen_kernels(binary, zebin, options.kernel)
        content |= as_json(zebin)
        if options.kernel and zebin.ze_info is not None:
            shown = [kernel for kernel in zebin.ze_info.kernels if kernel.name in options.kernel]
            content["ze_info"] = {"kernels": [record_json(kernel) for kernel in shown]}
        if options.disassemble or options.source:
            texts = listings(binary, zebin, kernels, with_source=options.source)
            content["disassembly"] = {text.kernel.name: _joined(text.lines()) for text in texts}
    return content | {"findings": [finding_json(finding) for finding in binary.findings]}


def _joined(lines: Iterable[str]) -> str | None:
    """Returns the text of a listing, None if there is none."""
    text = "".join(f"{line}\n" for line in lines)
    return text or None
