"""Disassembly of kernels: by `xegpu.isa` where it knows the instruction set, of other native code by `iga64`."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

from xegpu.on_demand import dataclass, imports_on_demand
from xegpu.targets import of_core
from zebin.binary.model import ZebinKernel
from zebin.elf.model import Buffer
from zebin.elf.notes import TargetNotes
from zebin.products import CORE_OF_FAMILY, core_name

with imports_on_demand(globals()):  # the instruction tables take longer to load than most dumps
    import xegpu.isa as isa
    import xegpu.isa.native as native

if TYPE_CHECKING:
    from xegpu.targets import Platform

IGA = "iga64"
PLATFORMS: Mapping[int, str] = {
    12: "skl",
    15: "icl",
    16: "icl",
    18: "xe",
    0xC05: "xehp",
    0xC07: "xehpg",
    0xC08: "xehpc",
    0xC09: "xe2",
    0x1E00: "xe3",
}
"""The platform names of `iga64` by graphics core."""

_TIME_LIMIT = 60
"""Seconds until `iga64` is stopped."""

_LIMIT = 4 << 20
"""Bytes of code of the virtual instruction set, and of code for `iga64`, up to which there is a listing; it takes many
times the memory of the code.
"""

_VIRTUAL_LINE = re.compile(r"/\* ([0-9a-f]+) \*/  (.*)")
_NATIVE_LINE = re.compile(r"/\* \[([0-9A-F]+)\] +\*/ (.*)")
_NO_COMMENTS: Mapping[int, str] = {}


class CodeLine(NamedTuple):
    """An instruction with its byte offset, or a label or directive without one."""

    offset: int | None
    text: str


@dataclass(frozen=True)
class CodeListing:
    """The instructions of a kernel. `problem` is the reason for their absence, or the error in them.

    `is_broken` distinguishes code that violates its own instruction set from code that cannot be shown on this machine.
    """

    lines: Collection[CodeLine] = ()
    problem: str = ""
    is_broken: bool = False

    @property
    def offsets(self) -> Sequence[int]:
        """The byte offsets of the instructions, counted from the start of the code."""
        if isinstance(self.lines, _NativeCode):
            return self.lines.offsets
        return [line.offset for line in self.lines if line.offset is not None]

    def text(
        self, comments: Mapping[int, str] = _NO_COMMENTS, *, code: Buffer = b"", span: range | None = None
    ) -> Iterator[str]:
        """Yields lines with the offset of each instruction.

        Args:
            comments: What precedes instructions, by their offsets.
            code: The code, whose words stand beside the text.
            span: The offsets of the instructions that are shown; None for all.
        """
        ends = iter((*self.offsets[1:], len(code))) if code else repeat(0)
        labels: list[str] = []
        # Native code may have millions of lines: they are not wrapped in objects here.
        for offset, text in self.lines.pairs if isinstance(self.lines, _NativeCode) else self.lines:
            if offset is None:
                labels.append(text)
                continue
            end = next(ends)
            if span is None or offset in span:
                yield from labels
                if offset in comments:
                    yield f"// {comments[offset]}"
                yield f"/* {offset:06x}{_words(code[offset:end]) if code else ''} */  {text}"
            labels.clear()
        if span is None:
            yield from labels


_WORDS_WIDTH = 35


def _words(code: Buffer) -> str:
    """Returns the 32-bit words of an instruction, in the width of most; nothing for no bytes."""
    words = [f"{int.from_bytes(code[at : at + 4], 'little'):08x}" for at in range(0, len(code), 4)]
    return f"  {' '.join(words):<{_WORDS_WIDTH}}" if words else ""


class _NativeCode(Collection[CodeLine]):
    """The lines of native code, which are made when they are asked for: code may have millions."""

    def __init__(self, lines: native.NativeLines) -> None:
        self._lines = lines

    @property
    def pairs(self) -> Iterable[tuple[int | None, str]]:
        """Offsets and texts of the lines."""
        return self._lines

    @property
    def offsets(self) -> Sequence[int]:
        return self._lines.offsets

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[CodeLine]:
        return (CodeLine(offset, text) for offset, text in self._lines)

    def __contains__(self, line: object) -> bool:
        return any(line == each for each in self)


def disassemble(kernel: ZebinKernel, target: TargetNotes) -> CodeListing:
    """Returns the instructions of a kernel; `target` selects the instruction set of native code."""
    is_virtual = isa.has_header(bytes(kernel.code[: isa.WORD_BYTES]))
    platform = None if is_virtual else native_platform(target)
    if platform is None and len(kernel.code) > _LIMIT:
        return CodeListing(problem=f"{len(kernel.code)} bytes of code, too many for a listing: at most {_LIMIT}")
    code = bytes(kernel.code)
    if is_virtual:
        return _virtual(code)
    return _native(code, platform) if platform else _foreign(code, target)


def native_platform(target: TargetNotes) -> Platform | None:
    """Returns the generation of the GPU whose native code `xegpu.isa` knows; None if it is another one."""
    platform = _platform(target)
    return platform if platform is not None and native.has_encoding(platform) else None


def _platform(target: TargetNotes) -> Platform | None:
    return target.gpu.platform if target.gpu is not None else of_core(_core(target))


def _core(target: TargetNotes) -> int:
    return target.gfx_core or CORE_OF_FAMILY.get(target.product_family, 0)


def _virtual(code: bytes) -> CodeListing:
    try:
        text = isa.format_program(isa.decode_program(code), offsets=True)
    except isa.DecodeError as error:
        return CodeListing(problem=str(error), is_broken=True)
    return CodeListing(_lines(text, _VIRTUAL_LINE))


def _native(code: bytes, platform: Platform) -> CodeListing:
    lines = native.NativeLines(platform, code)
    problem = "" if lines.error is None else str(lines.error)
    return CodeListing(_NativeCode(lines), problem, is_broken=bool(problem))


def _foreign(code: bytes, target: TargetNotes) -> CodeListing:
    core = _core(target)
    platform, own = PLATFORMS.get(core), _platform(target)
    if platform is None:
        name = f"a GPU with {core_name(core)} core" if own is None else own.title
        return CodeListing(problem=f"native code of {name}, which neither this program nor {IGA} knows")
    tool = shutil.which(IGA)
    if tool is None:
        return CodeListing(problem=f"native code; {IGA}, which would disassemble it, is not installed")
    try:
        with tempfile.NamedTemporaryFile() as file:
            file.write(code)
            file.flush()
            command = [tool, "-d", f"-p={platform}", "-Xprint-pc", "--output-on-fail", file.name]
            done = subprocess.run(command, capture_output=True, check=False, timeout=_TIME_LIMIT)
    except (OSError, subprocess.TimeoutExpired) as error:
        return CodeListing(problem=f"native code; {IGA} failed: {error}")
    lines = _lines(done.stdout.decode(errors="replace"), _NATIVE_LINE)
    complaints = done.stderr.decode(errors="replace").splitlines()
    if not done.returncode and lines:
        return CodeListing(lines)
    reason = complaints[0] if complaints else f"it ended with status {done.returncode}"
    return CodeListing(lines, f"native code that {IGA} does not understand: {reason}", is_broken=bool(lines))


def _lines(text: str, with_offset: re.Pattern[str]) -> list[CodeLine]:
    matches = ((with_offset.fullmatch(line), line) for line in text.splitlines())
    return [
        CodeLine(int(match[1], 16), match[2].rstrip()) if match else CodeLine(None, line.rstrip())
        for match, line in matches
    ]
