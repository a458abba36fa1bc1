"""`--map` and `--payload`, as text or as SVG, `--cfg` and `--lifetimes`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.cli import CommandError, display_name, reason
from tools.dump.command import DumpOptions
from tools.dump.inputs import InputBinary
from tools.dump.output import DumpOutput
from tools.dump.overview import chosen_kernels
from zebin import CodeListing, ZebinKernel, disassemble
from zebin.dump import printable
from zebin.pictures import (
    control_flow_dot,
    lifetime_table,
    map_svg,
    map_table,
    memory_map,
    payload_lines,
    payload_of,
    payload_svg,
)


def show_map(binary: InputBinary, options: DumpOptions, output: DumpOutput) -> None:
    """Shows the memory map of the binary.

    Raises:
        CommandError: If the picture cannot be written.
    """
    if binary.zebin is None:
        return
    regions = memory_map(binary.zebin, binary.data)
    title = f"Memory map of {binary.label}, {len(binary.data)} bytes"
    if options.svg is None:
        output.table(map_table(regions, title))
    else:
        _write(options.svg, map_svg(regions, title))


def show_control_flow(binary: InputBinary, options: DumpOptions, output: DumpOutput) -> None:
    """Shows the control-flow graphs of the binary's kernels."""
    for kernel, listing in _listings(binary, options):
        output.lines(map(printable, control_flow_dot(kernel.name, listing)))


def show_lifetimes(binary: InputBinary, options: DumpOptions, output: DumpOutput) -> None:
    """Shows where the registers of the binary's kernels are live."""
    for kernel, listing in _listings(binary, options):
        if binary.zebin is not None and not listing.problem:
            output.table(lifetime_table(kernel, binary.zebin.target, listing))


def _listings(binary: InputBinary, options: DumpOptions) -> Iterator[tuple[ZebinKernel, CodeListing]]:
    """Yields the kernels with their listings. What is wrong with these is added to the binary's findings."""
    if binary.zebin is None:
        return
    for kernel in chosen_kernels(binary, binary.zebin, options.kernel).values():
        listing = disassemble(kernel, binary.zebin.target)
        if listing.problem:
            binary.error("isa.illegal", f"code of kernel {kernel.name!r}: {listing.problem}")
        yield kernel, listing


def show_payload(binary: InputBinary, options: DumpOptions, output: DumpOutput) -> None:
    """Shows the payloads of the binary's kernels.

    Raises:
        CommandError: If the picture cannot be written.
    """
    if binary.zebin is None:
        return
    kernels = chosen_kernels(binary, binary.zebin, options.kernel)
    if options.svg is not None:
        _write(options.svg, payload_svg([payload_of(kernel) for kernel in kernels.values()]))
        return
    for kernel in kernels.values():
        output.lines(payload_lines(payload_of(kernel)))


def _write(file: str, lines: Iterable[str]) -> None:
    """Writes a picture to a file or to standard output."""
    if file == "-":
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    try:
        with Path(file).open("w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.writelines(f"{line}\n" for line in lines)
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot be written: {reason(error)}", display_name(file)) from None
