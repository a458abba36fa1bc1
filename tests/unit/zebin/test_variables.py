"""Variables of compiled modules: sections, symbols, relocations, and the names for the host."""

from __future__ import annotations

import pytest

from tests.unit.zebin.support import CODE, compiled_kernel
from xegpu.isa import SymbolReference, Variable
from xegpu.targets import PVC
from zebin import Zebin, ZebinError, build, read
from zebin.elf.constants import RelocationType, SectionFlags, SymbolBinding, SymbolType

TABLE = Variable("table", bytes(range(100)), 64, is_constant=True, is_public=False)
COUNTER = Variable("counter", bytes(8), 64, is_constant=False)
PAGES = Variable("pages", b"x" * 4, 4096, is_constant=False)


def built(*variables: Variable, references: tuple[SymbolReference, ...] = ()) -> Zebin:
    return read(build(PVC, [compiled_kernel(code=CODE + bytes(64), variables=variables, references=references)]))


def test_constants_and_others_have_sections_of_their_own() -> None:
    zebin = built(TABLE, COUNTER)
    constants, others = zebin.section(".data.const"), zebin.section(".data.global")
    assert constants is not None and others is not None
    assert (constants.flags, bytes(constants.data)) == (SectionFlags.ALLOC, TABLE.data)
    assert (others.flags, bytes(others.data)) == (SectionFlags.ALLOC | SectionFlags.WRITE, COUNTER.data)
    assert not built().section(".data.const")


def test_variables_have_global_symbols_at_their_alignment() -> None:
    zebin = built(TABLE, COUNTER, PAGES)
    symbols = {s.name: s for s in zebin.symbols if s.type == SymbolType.OBJECT and s.binding == SymbolBinding.GLOBAL}
    locations = {name: (zebin.sections[s.section_index].name, s.value, s.size) for name, s in symbols.items()}
    assert locations == {
        "table": (".data.const", 0, 100),
        "counter": (".data.global", 0, 8),
        "pages": (".data.global", 4096, 4),
    }


def test_addresses_in_code_are_relocated() -> None:
    zebin = built(TABLE, COUNTER, references=(SymbolReference(32, "counter"), SymbolReference(48, "table")))
    section = zebin.section(".rel.text.gemm")
    assert section is not None
    assert zebin.sections[section.info].name == ".text.gemm"
    entries = [(e.offset, e.type, zebin.symbols[e.symbol].name) for e in zebin.relocations[section.index]]
    assert entries == [(32, RelocationType.SYM_ADDR, "counter"), (48, RelocationType.SYM_ADDR, "table")]


def test_the_host_knows_public_variables() -> None:
    zebin = built(TABLE, COUNTER)
    assert zebin.ze_info is not None
    assert [(e.device_name, e.host_name) for e in zebin.ze_info.global_host_access_table] == [("counter", "counter")]


def test_kernels_of_a_module_have_the_same_variables() -> None:
    data = build(PVC, [compiled_kernel(name, variables=(TABLE,)) for name in ("a", "b")])
    assert [symbol.name for symbol in read(data).symbols].count("table") == 1


def test_different_variables_of_one_name() -> None:
    other = Variable("table", b"y", 64, is_constant=True, is_public=False)
    kernels = [compiled_kernel("a", variables=(TABLE,)), compiled_kernel("b", variables=(other,))]
    with pytest.raises(ZebinError, match="two modules have different variables called 'table'") as caught:
        build(PVC, kernels)
    assert caught.value.finding.code == "build.variable"


def test_an_address_outside_of_the_code() -> None:
    with pytest.raises(ZebinError) as caught:
        built(TABLE, references=(SymbolReference(1000, "table"),))
    assert caught.value.finding.code == "rel.bounds"


def test_variables_hold_addresses_of_variables_of_this_and_of_other_modules() -> None:
    own, foreign = SymbolReference(8, "counter"), SymbolReference(24, "elsewhere")
    rows = Variable("rows", bytes(32), 64, is_constant=True, references=(own, foreign))
    zebin = built(TABLE, rows, COUNTER)
    (index,) = zebin.relocations
    constants = zebin.section(".data.const")
    assert constants is not None and zebin.sections[index].info == constants.index
    found = [(entry.offset, entry.type, zebin.symbols[entry.symbol].name) for entry in zebin.relocations[index]]
    assert found == [(136, RelocationType.SYM_ADDR, "counter"), (152, RelocationType.SYM_ADDR, "elsewhere")]
    assert zebin.imports == ("elsewhere",)
