"""The tables of what the driver supplies: rules, linker and payload follow each row."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import zebin
from runtime.simulator import Dispatch, KernelDescription, Memory
from runtime.ze.driver.execution.implicit import implicit_arguments
from runtime.ze.driver.execution.launch_memory import LAUNCH_MEMORY
from runtime.ze.driver.modules.linking import LinkError, link
from runtime.ze.driver.modules.payload import LAUNCH_NUMBERS, PayloadError, check_payload
from tests.unit.runtime.ze import kernels
from xegpu.isa.model import ArgumentKind, ImplicitArgument, KernelArgument, KernelFacts
from xegpu.targets import PVC
from zebin.binary.model import Zebin
from zebin.contract import BUFFERS, IMPLICIT_LAYOUTS, PAYLOAD, RELOCATIONS, SYMBOLS, DriverNumber, PayloadSource
from zebin.elf.builder import ElfBuilder, RelocatedField
from zebin.elf.constants import (
    COMPAT_NOTE,
    ENTRY_SYMBOL,
    TEXT_PREFIX,
    ZE_INFO,
    RelocationType,
    SectionFlags,
    SectionType,
    SymbolBinding,
    SymbolType,
)
from zebin.elf.model import Section
from zebin.ze_info.vocabulary import ArgType

NUMBERS = {number: 1000 + index for index, number in enumerate(DriverNumber)}
FIELD = 64
"""The byte of code and data that relocations change."""


def binary(section: str, type: int, symbol: str, *, defined: bool = False) -> bytes:
    """A kernel with a relocation in its code, or in a variable."""
    plain = zebin.read(kernels.binary(kernels.EMPTY))
    builder = ElfBuilder()
    code = bytes(plain.kernels["empty"].text) + bytes(128)
    executable, writable = SectionFlags.ALLOC | SectionFlags.EXECUTE, SectionFlags.ALLOC | SectionFlags.WRITE
    text = builder.add_section(TEXT_PREFIX + "empty", SectionType.PROGBITS, code, executable)
    data = builder.add_section(".data.global", SectionType.PROGBITS, bytes(128), writable)
    builder.add_symbol("empty", text, SymbolType.FUNC, size=32)
    builder.add_symbol(ENTRY_SYMBOL, text, SymbolType.NOTYPE, 16)
    home = data if defined else Section("", SectionType.NULL)
    kind = SymbolType.OBJECT if defined else SymbolType.NOTYPE
    wanted = builder.add_symbol(symbol, home, kind, size=8 if defined else 0, binding=SymbolBinding.GLOBAL)
    patched = text if section == "code" else data
    builder.add_patches(patched.index, [RelocatedField(FIELD, RelocationType(type), wanted)])
    file = builder.finish([Section(ZE_INFO, SectionType.ZEINFO), Section(COMPAT_NOTE, SectionType.NOTE)])
    return zebin.write(Zebin(file, plain.notes, plain.ze_info))


def linked(data: bytes) -> tuple[bytes, int]:
    """The code behind the relocated byte, and the address of the variable."""
    read, memory = zebin.read(data), Memory()
    found = link(read, memory, lambda _: NUMBERS)
    assert not found.open, "the driver has what the symbol stands for"
    (text,) = found.texts.values()
    return bytes(text[FIELD:]), found.buffers[ArgType.GLOBAL_BASE]


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_a_symbol_of_the_driver_is_its_number(symbol: str) -> None:
    data = binary("code", RelocationType.SYM_ADDR_32, symbol)
    assert zebin.read(data).findings == []
    assert zebin.read(data).imports == ()
    code, _ = linked(data)
    assert int.from_bytes(code[:4], "little") == NUMBERS[SYMBOLS[symbol]]


@pytest.mark.parametrize("type", [type for type, part in RELOCATIONS.items() if part.in_code and part.number is None])
def test_a_relocation_of_code_writes_its_part(type: int) -> None:
    code, address = linked(binary("code", type, "variable", defined=True))
    part = RELOCATIONS[type]
    value = address >> part.shift & (1 << 8 * part.width) - 1
    assert int.from_bytes(code[: part.width], "little") == value
    assert not any(code[part.width :])


def test_a_relocation_may_ask_for_a_number_whatever_its_symbol_is() -> None:
    found = {type: part.number for type, part in RELOCATIONS.items() if part.number is not None}
    for type, number in found.items():
        code, _ = linked(binary("code", type, "variable", defined=True))
        assert int.from_bytes(code[:4], "little") == NUMBERS[number]
    assert found


@pytest.mark.parametrize("type", RELOCATIONS)
def test_relocations_that_no_driver_knows_are_errors(type: int) -> None:
    data = binary("code", type, "variable", defined=True)
    if RELOCATIONS[type].in_code:
        zebin.read(data)
        return
    with pytest.raises(zebin.ZebinError, match="not support in code"):
        zebin.read(data)


@pytest.mark.parametrize("type", [type for type, part in RELOCATIONS.items() if not part.in_data])
def test_relocations_that_variables_cannot_have(type: int) -> None:
    with pytest.raises(LinkError, match="not supported in data"):
        link(zebin.read(binary("data", type, "variable", defined=True)), Memory(), lambda _: NUMBERS)


def words(source: PayloadSource) -> set[str]:
    return {word for word, kind in PAYLOAD.items() if kind.source is source}


def test_each_kind_of_payload_has_its_maker() -> None:
    of_threads = {ArgType.LOCAL_ID, ArgType.PACKED_LOCAL_IDS}
    of_motion_estimation = {word for word in ArgType if word.startswith("vme_")}  # which Intel's driver refuses
    assert set(ArgType) - PAYLOAD.keys() == of_threads | of_motion_estimation
    assert words(PayloadSource.LAUNCH) == LAUNCH_NUMBERS.keys()
    assert words(PayloadSource.LAUNCH_MEMORY) == LAUNCH_MEMORY.keys()
    assert words(PayloadSource.MODULE) == {*(buffer.base for buffer in BUFFERS), ArgType.INLINE_SAMPLER}


def facts(word: str, size: int, kinds: Sequence[ArgumentKind] = ()) -> KernelFacts:
    arguments = tuple(
        KernelArgument.at(64 + 8 * number, 8, f"a{number}", "", kind) for number, kind in enumerate(kinds)
    )
    return KernelFacts(
        16, arguments=arguments, implicit_arguments=(ImplicitArgument(word, 0, size, 0 if kinds else None),)
    )


ROLES = {"pointer": ArgumentKind.POINTER, "image": ArgumentKind.IMAGE, "sampler": ArgumentKind.SAMPLER}


@pytest.mark.parametrize("word", [word for word, kind in PAYLOAD.items() if kind.source is not PayloadSource.ARGUMENT])
def test_what_is_not_supplied_is_refused(word: str) -> None:
    kind = PAYLOAD[word]
    kinds = [ROLES[kind.role]] if kind.role in ROLES else []
    size = max(kind.sizes, default=8 if kind.source is PayloadSource.MODULE else 4)
    if kind.source is None:
        with pytest.raises(PayloadError, match=f"does not supply '{word}'"):
            check_payload(facts(word, size, kinds))
        return
    check_payload(facts(word, size, kinds))
    with pytest.raises(PayloadError, match=rf"{word}: 3 bytes, expected .*{size}"):
        check_payload(facts(word, 3, kinds))


@pytest.mark.parametrize("version", IMPLICIT_LAYOUTS)
def test_implicit_arguments(version: int) -> None:
    """Each field has its number: read back from the memory by offsets that are written down here again."""
    description = KernelDescription("k", b"", PVC, KernelFacts(16), implicit_version=version)
    contents = implicit_arguments(description, Dispatch((5, 4, 3), (16, 2, 1), global_offset=(7, 8, 9)))
    layout = IMPLICIT_LAYOUTS[version]
    data = contents.at(0x10000, {ArgType.PRINTF_BUFFER: 0xABC, ArgType.SYNC_BUFFER: 0xDEF})

    def at(offset: int, size: int, count: int = 1) -> list[int]:
        return [int.from_bytes(data[offset + size * n : offset + size * (n + 1)], "little") for n in range(count)]

    assert data[:4] == bytes([{0: 112, 1: 140, 2: 156}[version], version, 3, 0 if version == 2 else 16])
    assert at(4, 4, 3) == [16, 2, 1]
    assert at(16, 8, 3) == [80, 8, 3]
    assert at(40, 8) == [0xABC]
    assert at(48, 8, 3) == [7, 8, 9]
    assert at(72, 8) == [0x10000 + layout.room]
    assert at(80, 4, 3) == [5, 4, 3]
    enqueued, barrier = {0: (None, None), 1: (128, 120), 2: (120, 112)}[version]
    if enqueued is not None and barrier is not None:
        assert (at(enqueued, 4, 3), at(barrier, 8)) == ([16, 2, 1], [0xDEF])
    table = [int.from_bytes(data[at : at + 2], "little") for at in range(layout.room, len(data), 2)]
    assert table == [*range(16), *[0] * 16, *[0] * 16, *range(16), *[1] * 16, *[0] * 16]
