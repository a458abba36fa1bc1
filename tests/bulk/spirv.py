"""Translates every SPIR-V module that it finds in files, folders, wheels and libraries, and reports how many work.

python -m tests.bulk.spirv dpnp-0.20.0-*.whl --every 10
"""

from __future__ import annotations

import argparse
import struct
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from passes.frontends.optimisation import IrError, optimise
from passes.frontends.spirv import SpirvError, translate
from passes.frontends.spirv.grammar import grammar
from passes.frontends.spirv.reader import HEADER_WORDS, MAGIC

_FUNCTION_END = 56
_MARK = struct.pack("<I", MAGIC)


def modules(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yields the modules of a file or folder with their names."""
    if path.is_dir():
        for each in sorted(path.rglob("*")):
            if each.is_file():
                yield from modules(each)
    elif path.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                yield from embedded(name, archive.read(name))
    else:
        yield from embedded(path.name, path.read_bytes())


def embedded(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yields the modules inside of a file: those that start with the magic number."""
    place = data.find(_MARK)
    while place >= 0:
        end = _end(data, place)
        if end is not None:
            yield f"{name}+{place}", data[place:end]
        place = data.find(_MARK, end or place + 4)


def _end(data: bytes, place: int) -> int | None:
    if place + 4 * HEADER_WORDS > len(data):
        return None
    # The first instruction of a module declares a capability.
    _, version, _, bound, schema = struct.unpack_from("<5I", data, place)
    if version & 0xFF0000FF or not 0x10000 <= version <= 0x10600 or not 0 < bound < 1 << 22 or schema:
        return None
    end = place + 4 * HEADER_WORDS
    if data[end : end + 2] != b"\x11\x00":
        return None
    known = grammar().operations
    last: int | None = None
    stranger: int | None = None
    while end + 4 <= len(data):
        (word,) = struct.unpack_from("<I", data, end)
        if not word >> 16 or word & 0xFFFF > 7000 or end + 4 * (word >> 16) > len(data) or word == MAGIC:
            break
        if stranger is None and word & 0xFFFF not in known:
            stranger = end
        end += 4 * (word >> 16)
        # A module ends with a function; one without ends where what follows by chance is no instruction.
        if word & 0xFFFF == _FUNCTION_END:
            last = end
    return last or stranger or end


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take one module in so many")
    parser.add_argument("--only-translate", action="store_true", help="leave out LLVM")
    options = parser.parse_args()
    failures: Counter[str] = Counter()
    examples: dict[str, str] = {}
    spent = [0.0, 0.0]
    works = total = size = 0
    found = (row for path in options.paths for row in modules(path))
    for number, (name, data) in enumerate(found):
        if number % options.every:
            continue
        total += 1
        size += len(data)
        begin = time.perf_counter()
        try:
            translation = translate(data)
            middle = time.perf_counter()
            spent[0] += middle - begin
            if not options.only_translate:
                try:
                    optimise(translation.text)
                except IrError as error:
                    raise translation.located(error.message, error.line) from error
                spent[1] += time.perf_counter() - middle
            works += 1
        except SpirvError as error:
            kind = f"{error.instruction}: {error.message}"
            failures[kind] += 1
            examples.setdefault(kind, f"{name} (word {error.word})")
    for kind, count in failures.most_common(40):
        print(f"{count:6}  {kind}\n        {examples[kind]}")
    print(f"{works} of {total} modules ({size} bytes) work: {100 * works / max(total, 1):.3f} %")
    if works:
        print(f"translate {1000 * spent[0] / works:.2f} ms, optimise {1000 * spent[1] / works:.2f} ms per module")
    return 0 if works == total else 1


if __name__ == "__main__":
    sys.exit(main())
