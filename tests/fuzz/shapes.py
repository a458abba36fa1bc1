"""Files of generated shapes: much of one thing, where mutations of small files find nothing.

    python -m tests.fuzz.shapes --count 200 --seed 7 --bytes 3000000

Each file is read in a process of its own, whose memory is limited as docs/zebin.md promises and whose time is measured.
A file that takes too much of either, or ends in another exception than `ZebinError`, is printed, and the status is 1.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.unit.zebin.support import container
from zebin.elf.constants import SectionType, SymbolBinding, SymbolType
from zebin.elf.model import ElfFile, Relocation, Section, Symbol
from zebin.elf.notes import Note, write_notes
from zebin.elf.writer import write_elf

SECONDS_PER_MEGABYTE, START_SECONDS = 2.0, 3.0
"""The time that a file may take on a quiet machine; compilers' files take a tenth of it."""

HEAD = "version: '1.61'\nkernels:\n  - name: k\n    execution_env:\n      grf_count: 128\n      simd_size: 16\n"
_LISTS = (
    *("payload_arguments", "per_thread_payload_arguments", "binding_table_indices", "per_thread_memory_buffers"),
    *("inline_samplers", "zzz"),
)
_KEYS = (
    *("arg_type", "offset", "size", "arg_index", "addrmode", "addrspace", "bti_value", "type", "usage", "slot"),
    *("sampler_index", "name", "zzz", "source_offset", "access_type"),
)
_WORDS = ("0", "1", "-1", "65535", "2147483647", "arg_byvalue", "arg_bypointer", "stateless", "global", "'a'", "x", "")


def word(generator: random.Random, length: int, alphabet: str = "ab_") -> str:
    """Returns a word that repeats a short random part."""
    part = "".join(generator.choice(alphabet) for _ in range(generator.choice((1, 2, 7, 64))))
    return ("a" + part * (length // len(part) + 1))[:length]


# .ze_info ------------------------------------------------------------------------------------------------------------


def long_key(generator: random.Random, size: int) -> bytes:
    indent = generator.choice(("", "    ", "      "))
    key = word(generator, size)
    copies = generator.choice((1, 2, max(1, size // 1000)))
    return container(HEAD + "".join(f"{indent}{key[: size // copies]}: 1\n" for _ in range(copies)))


def long_value(generator: random.Random, size: int) -> bytes:
    value = word(generator, size, generator.choice(("ab", "a b", "\\x4", "é", "\U0001f600", "[,", "'", "0123456789")))
    quote = generator.choice(("", "'", '"'))
    key = generator.choice(("    zzz", "      slm_size", "    name", "zzz", "      thread_scheduling_mode"))
    return container(f"{HEAD}{key}: {quote}{value}{quote}\n")


def many_keys(generator: random.Random, size: int) -> bytes:
    width = generator.choice((1, 8, 60, 1000))
    indent = " " * generator.choice((0, 4, 6))
    same = generator.random() < 0.5
    lines = (
        f"{indent}{'k' * width}{'' if same else number}: {generator.choice(_WORDS)}\n"
        for number in range(size // (width + 12))
    )
    return container(HEAD + "".join(lines))


def many_items(generator: random.Random, size: int) -> bytes:
    """Many records of random keys in one list, or in lists of many kernels."""
    name = generator.choice(_LISTS)
    chosen = generator.sample(_KEYS, generator.randint(1, 5))
    body = [f"{key}: {generator.choice(_WORDS)}\n" for key in chosen]
    item = "      - " + "        ".join(body)
    if generator.random() < 0.5:
        return container(f"{HEAD}    {name}:\n" + item * (size // len(item)))
    kernel = HEAD[HEAD.index("  - name") :] + f"    {name}:\n{item}"
    return container(HEAD + kernel * (size // len(kernel)))


def many_top_level_items(generator: random.Random, size: int) -> bytes:
    """Many entries of a list that is read item by item."""
    name = generator.choice(("kernels_misc_info", "kernels_cost_info", "functions", "global_host_access_table", "zzz"))
    item = f"  - name: {generator.choice(('k', 'x'))}\n    args_info:\n      - index: 0\n        name: a\n"
    return container(f"{HEAD}{name}:\n" + item * (size // len(item)))


def deep_nesting(generator: random.Random, size: int) -> bytes:
    kind = generator.choice(("- ", "[", "mapping", "{", "? ", "indented"))
    if kind == "mapping":
        depth = int((2 * size) ** 0.5)
        return container(HEAD + "".join(" " * level + "a:\n" for level in range(4, depth)))
    if kind == "indented":
        return container(
            HEAD + "    zzz:\n" + "".join(" " * (level % 40 + 5) + "- a: 1\n" for level in range(size // 30))
        )
    return container(f"{HEAD}    zzz: {kind * (size // len(kind))}\n")


def long_lists(generator: random.Random, size: int) -> bytes:
    item = generator.choice(("1,", "1, ", "a,", " ,", "-1,", "'a',"))
    key = generator.choice(("required_work_group_size", "zzz"))
    return container(f"{HEAD}      {key}: [{item * (size // len(item))} 1]\n")


def blank_and_comments(generator: random.Random, size: int) -> bytes:
    line = generator.choice(
        ("\n", " \n", "#\n", "# " + "x" * 500 + "\n", "---\n", "...\n", "---\na: 1\n", "%X\n", "\r\n")
    )
    return container(HEAD + line * (size // len(line)) + generator.choice(("", "zzz: 1\n", "kernels_misc_info: 1\n")))


# ELF -----------------------------------------------------------------------------------------------------------------


def _file(sections: list[Section], symbols: list[Symbol], relocations: dict[str, list[Relocation]]) -> bytes:
    base = [Section("", SectionType.NULL), Section(".text.k", SectionType.PROGBITS, 6, bytes(4096)), *sections]
    base.append(Section(".symtab", SectionType.SYMTAB))
    base.append(Section(".ze_info", SectionType.ZEINFO, data=HEAD.encode()))
    base.append(Section(".note.intelgt.compat", SectionType.NOTE, data=write_notes([Note(1, b"\xf7\4\0\0")])))
    base.append(Section(".strtab", SectionType.STRTAB))
    for index, section in enumerate(base):
        section.index = index
    places = {section.name: section.index for section in base}
    return write_elf(
        ElfFile(
            base,
            symbols=symbols,
            relocations={places[name]: entries for name, entries in relocations.items()},
            string_table=len(base) - 1,
            symbol_table=len(base) - 4,
        )
    )


def shared_suffixes(generator: random.Random, size: int) -> bytes:
    """Many symbols whose names are suffixes of one long name, at other offsets each."""
    name = word(generator, size // 2)
    count = min(size // 48, 60_000)
    data = bytearray(_file([], [Symbol(name)] + [Symbol("") for _ in range(count)], {}))
    table = int.from_bytes(data[0x28:0x30], "little")
    symtab_at = int.from_bytes(data[table + 2 * 64 + 24 : table + 2 * 64 + 32], "little")
    first = int.from_bytes(data[symtab_at : symtab_at + 4], "little")
    step = generator.choice((0, 1, max(1, len(name) // count)))
    for index in range(count):
        offset = first + min(index * step, len(name) - 1)
        data[symtab_at + 24 * (index + 1) : symtab_at + 24 * (index + 1) + 4] = offset.to_bytes(4, "little")
    return bytes(data)


def many_symbols(generator: random.Random, size: int) -> bytes:
    bindings, kinds = list(SymbolBinding), list(SymbolType)
    unique = generator.random() < 0.5
    symbols = [
        Symbol(
            f"s{number if unique else 0}", generator.choice(bindings), generator.choice(kinds), generator.choice((0, 1))
        )
        for number in range(size // 40)
    ]
    return _file([], symbols, {})


def many_relocations(generator: random.Random, size: int) -> bytes:
    section = Section(".rel.text.k", SectionType.REL, link=3, info=1, entry_size=16)
    spread = generator.choice((1, 100, 1 << 40))
    entries = [
        Relocation(
            generator.randrange(4096), generator.choice((0, 1, 2, 3, 4, 99)), generator.randrange(spread) % (1 << 31)
        )
        for _ in range(size // 16)
    ]
    return _file(
        [section], [Symbol(""), Symbol("x", SymbolBinding.GLOBAL, SymbolType.FUNC, 0)], {".rel.text.k": entries}
    )


def many_sections(generator: random.Random, size: int) -> bytes:
    kinds = list(SectionType)
    name = generator.choice((".text.k{}", ".debug_{}", ".misc.buildOptions", ".rel.text.k", ".zzz{}", ".data.const"))
    sections = [
        Section(name.format(number), generator.choice(kinds), data=b"x" * generator.choice((0, 1, 16)))
        for number in range(min(size // 90, 60_000))
    ]
    return _file(sections, [Symbol("")], {})


def many_notes(generator: random.Random, size: int) -> bytes:
    note = Note(
        generator.randrange(12), b"1234" * generator.choice((0, 1, 50)), generator.choice((b"IntelGT\0", b"x\0"))
    )
    return container(HEAD, notes=write_notes([note] * (size // (len(note.data) + 20))))


SHAPES: Mapping[str, Callable[[random.Random, int], bytes]] = {
    make.__name__: make
    for make in (
        *(long_key, long_value, many_keys, many_items, many_top_level_items, deep_nesting, long_lists),
        *(blank_and_comments, shared_suffixes, many_symbols, many_relocations, many_sections, many_notes),
    )
}

TIMED = """
import resource, sys, time
import yaml, zebin
data = open(sys.argv[1], "rb").read()
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 4 * len(data) + 100_000_000,) * 2)
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[2]),) * 2)
started = time.process_time()
try:
    zebin.read(data, lenient=True)
except zebin.ZebinError:
    pass
print(time.process_time() - started)
"""


def trouble(data: bytes, folder: Path) -> str:
    """Returns how reading a file breaks what docs/zebin.md promises, empty if it does not."""
    path = folder / "shape.zebin"
    path.write_bytes(data)
    allowed = START_SECONDS + SECONDS_PER_MEGABYTE * len(data) / 1e6
    most = 10 * int(allowed)
    command = [sys.executable, "-c", TIMED, str(path), str(most)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == -signal.SIGXCPU or done.returncode == -signal.SIGKILL:
        return f"more than {most} s"
    if done.returncode:
        return (done.stderr.splitlines() or [f"status {done.returncode}"])[-1]
    seconds = float(done.stdout)
    return f"{seconds:.1f} s for {len(data) / 1e6:.1f} MB" if seconds > allowed else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bytes", type=int, default=3_000_000, help="the size of the largest files")
    parser.add_argument("--only", default="", help="a part of the names of the shapes")
    arguments = parser.parse_args()
    names = [name for name in SHAPES if arguments.only in name]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.count):
            name = names[number % len(names)]
            generator = random.Random(f"{arguments.seed} {number}")
            size = int(arguments.bytes ** generator.uniform(0.6, 1))
            wrong = trouble(SHAPES[name](generator, size), Path(folder))
            failures += bool(wrong)
            if wrong:
                print(f"{name}, seed {arguments.seed}, number {number}, size {size}: {wrong}", flush=True)
    print(f"{arguments.count} files, {failures} failures")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
