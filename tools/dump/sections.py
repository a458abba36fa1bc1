"""`--section` and `--yaml`: the contents of sections."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import Style
from tools.dump.command import DumpOptions
from tools.dump.inputs import InputBinary
from tools.dump.output import DumpOutput
from tools.dump.overview import chosen_kernels
from zebin.dump import hex_lines, printable
from zebin.elf import Buffer, Section, SectionType
from zebin.ze_info import ZeInfo, write_ze_info


def show_sections(binary: InputBinary, options: DumpOptions, output: DumpOutput) -> None:
    """Shows the requested sections; sections of one name follow each other."""
    if binary.zebin is None:
        return
    for name in options.section:
        sections = [s for s in binary.zebin.sections if s.name == name or str(s.index) == name]
        if not sections:
            binary.error("dump.section", f"no section is called {name!r}")
        for section in sections:
            _show(section, options.format, output)


def _show(section: Section, form: str, output: DumpOutput) -> None:
    if form == "raw":
        output.raw(section.data)
        return
    extent = f"{section.size:#x} bytes at {section.offset:#x}"
    output.line(f"{printable(section.label)}, {section.type_name}, {extent}:", Style.TITLE)
    if form == "hex":
        output.lines(hex_lines(section.data))
    else:
        # Strings of a table end with zero bytes, lines of text with newlines.
        text = bytes(section.data).replace(b"\0", b"\n").decode(errors="backslashreplace")
        output.lines(printable(line) for line in text.split("\n") if line)
    output.line()


def show_yaml(binary: InputBinary, options: DumpOptions, output: DumpOutput) -> None:
    """Shows the text of `.ze_info` as it is in the file, or the part that describes the requested kernels."""
    zebin = binary.zebin
    if zebin is None:
        return
    if options.kernel and zebin.ze_info is not None:
        chosen_kernels(binary, zebin, options.kernel)
        output.lines(write_ze_info(_part_of(zebin.ze_info, options.kernel)).decode().splitlines())
        return
    sections = zebin.elf.of_type(SectionType.ZEINFO)
    if not sections:
        binary.error("dump.section", "there is no .ze_info")
    for section in sections[:1]:
        _write_text(section.data, output)


def _part_of(ze_info: ZeInfo, names: Sequence[str]) -> ZeInfo:
    """Returns the part of `.ze_info` that describes the named kernels."""
    return ZeInfo(
        version=ze_info.version,
        kernels=[kernel for kernel in ze_info.kernels if kernel.name in names],
        kernels_misc_info=[entry for entry in ze_info.kernels_misc_info if entry.name in names],
        kernels_cost_info=[entry for entry in ze_info.kernels_cost_info if entry.name in names],
    )


def _write_text(data: Buffer, output: DumpOutput) -> None:
    """Writes text unchanged, but without control sequences if standard output is a terminal."""
    if not sys.stdout.isatty():
        output.raw(data)
    else:
        output.lines(printable(line) for line in bytes(data).decode(errors="backslashreplace").splitlines())
