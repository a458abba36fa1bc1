"""Rules for sections: types, flags and number, and the contents of simple ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xegpu.on_demand import dataclass
from zebin.elf.constants import COMPAT_NOTE, TEXT_PREFIX, ZE_INFO, SectionFlags, SectionType
from zebin.elf.model import ElfFile, Section
from zebin.errors import Report, excerpt

BSS_LIMIT = 4 << 30
SPIRV_MAGIC = b"\x03\x02\x23\x07"

_PROGBITS, _NOBITS, _MISC = SectionType.PROGBITS, SectionType.NOBITS, SectionType.MISC


@dataclass(frozen=True)
class SectionRule:
    """The requirements on a section of a known name. `once` means that a driver refuses a second one."""

    types: tuple[SectionType, ...]
    once: bool = False
    executable: bool | None = None
    """True if the section must have the execute flag, False if it must not."""


RULES: Mapping[str, SectionRule] = {
    ".text": SectionRule((_PROGBITS,), once=True, executable=True),
    ".data.const": SectionRule((_PROGBITS,), once=True, executable=False),
    ".data.const.string": SectionRule((_PROGBITS,), once=True, executable=False),
    ".data.global": SectionRule((_PROGBITS,), once=True, executable=False),
    ".data.global_const": SectionRule((_PROGBITS,), once=True, executable=False),
    ".bss.const": SectionRule((_NOBITS,), once=True, executable=False),
    ".bss.global": SectionRule((_NOBITS,), once=True, executable=False),
    ".symtab": SectionRule((SectionType.SYMTAB,), once=True),
    ".strtab": SectionRule((SectionType.STRTAB,)),
    ".spv": SectionRule((SectionType.SPIRV,), once=True),
    ".pisa": SectionRule((SectionType.PISA,), once=True),
    ".misc.buildOptions": SectionRule((_MISC,)),
    ".misc.specConstantsIds": SectionRule((_MISC,), once=True),
    ".misc.specConstantsValues": SectionRule((_MISC,), once=True),
    ".note.intelgt.metrics": SectionRule((SectionType.NOTE,)),
    COMPAT_NOTE: SectionRule((SectionType.NOTE,), once=True),
    ZE_INFO: SectionRule((SectionType.ZEINFO,), once=True),
}

PREFIX_RULES: Mapping[str, SectionRule] = {
    TEXT_PREFIX: SectionRule((_PROGBITS,), once=True, executable=True),
    ".debug_": SectionRule((_PROGBITS,)),
    ".rel.": SectionRule((SectionType.REL, SectionType.RELA)),
    ".rela.": SectionRule((SectionType.REL, SectionType.RELA)),
    ".gtpin_info.": SectionRule((SectionType.GTPIN_INFO,)),
    ".visaasm": SectionRule((SectionType.VISAASM,)),
}

_ANY_NAME = (SectionType.NULL, SectionType.STRTAB, SectionType.VISAASM, SectionType.REL, SectionType.RELA)
"""Types whose names drivers never check."""

_MISSPELT = {".data.global_const": ".data.const"}

_ONCE_BY_TYPE = (SectionType.ZEINFO, SectionType.SYMTAB, SectionType.SPIRV, SectionType.PISA)


def rule_of(name: str) -> SectionRule | None:
    """Returns the rule for a known section name."""
    if name in RULES:
        return RULES[name]
    return next((rule for prefix, rule in PREFIX_RULES.items() if name.startswith(prefix)), None)


def check_sections(file: ElfFile, report: Report) -> None:
    """Checks types, names, flags and counts of all sections, then the contents of simple tables."""
    for section in file.sections:
        if section.type != SectionType.NULL:
            _check_section(section, report)
    _check_counts(file.sections, report)
    _check_spirv(file, report)
    _check_build_options(file, report)
    _check_spec_constants(file, report)
    for section in file.of_type(SectionType.GTPIN_INFO):
        if not 0 < section.info < len(file.symbols):
            report.warning("gtpin.info", "sh_info is not the index of a symbol", section.location(), found=section.info)


def _check_section(section: Section, report: Report) -> None:
    rule, name, location = rule_of(section.name), excerpt(section.name), section.location()
    if section.type not in set(SectionType):
        expected = ", ".join(kind.name for kind in rule.types) if rule else "a type of the format"
        report.error("sec.type", "unknown section type", location, found=section.type_name, expected=expected)
    elif rule is not None:
        _check_rule(section, rule, report)
    elif section.type == SectionType.ZEINFO:
        report.warning("sec.name", "unusual name of the .ze_info section", location, found=name, expected=ZE_INFO)
    elif section.type == SectionType.PROGBITS:
        report.error("sec.name", "name that drivers refuse for program data", location, found=name)
    elif section.type not in _ANY_NAME:
        report.warning("sec.unknown", f"unknown name for a section of type {section.type_name}", location, found=name)


def _check_rule(section: Section, rule: SectionRule, report: Report) -> None:
    location = section.location()
    if section.type not in rule.types:
        expected = " or ".join(kind.name for kind in rule.types)
        report.error(
            "sec.type-mismatch", "type does not match the name", location, found=section.type_name, expected=expected
        )
        return
    executable = bool(section.flags & SectionFlags.EXECUTE)
    if rule.executable not in (None, executable):
        expected = "AX" if rule.executable else "no X"
        report.warning("sec.flags", "wrong flags", location, found=section.flag_letters or "none", expected=expected)
    if section.name == TEXT_PREFIX:
        report.error("sec.name", "code section without a kernel name", location, expected=".text.<kernel>")
    if section.name in _MISSPELT:
        meant = _MISSPELT[section.name]
        report.warning("sec.misspelt", f"read as {meant}", location, found=section.name, expected=meant)
    if section.type == SectionType.NOBITS and section.size > BSS_LIMIT:
        found, expected = f"{section.size:#x} bytes", f"at most {BSS_LIMIT:#x}"
        report.error("bss.size", "zero-initialized data is too large", location, found=found, expected=expected)


def _check_counts(sections: Sequence[Section], report: Report) -> None:
    by_name: dict[str, Section] = {}
    by_type: dict[int, Section] = {}
    for section in sections[1:]:
        rule = rule_of(section.name)
        first = by_type.setdefault(section.type, section) if section.type in _ONCE_BY_TYPE else section
        if first is section and rule is not None and rule.once:
            first = by_name.setdefault(_MISSPELT.get(section.name, section.name), section)
        if first is not section:
            report.error("sec.duplicate", f"duplicate of {first.label}", section.location())


def _check_spirv(file: ElfFile, report: Report) -> None:
    for section in file.of_type(SectionType.SPIRV):
        start = bytes(section.data[: len(SPIRV_MAGIC)])
        if start != SPIRV_MAGIC or len(section.data) % 4:
            found = f"{excerpt(start)}, {len(section.data)} bytes"
            report.warning(
                "spv.magic", "not a SPIR-V module", section.location(), found=found, expected="0x07230203, words"
            )


def _check_build_options(file: ElfFile, report: Report) -> None:
    sections = [section for section in file.sections if section.name == ".misc.buildOptions"]
    for section in sections[1:]:
        report.warning("misc.options", f"build options are already in {sections[0].label}", section.location())
    for section in sections:
        options = bytes(section.data)
        try:
            clean = "\0" not in options.decode()
        except UnicodeDecodeError:
            clean = False
        if not clean:
            report.warning(
                "misc.options", "build options are not plain text", section.location(), found=excerpt(options)
            )


def _check_spec_constants(file: ElfFile, report: Report) -> None:
    """Checks that identifiers are 32-bit words and values 64-bit words, in equal number."""
    parts = [(file.find(".misc.specConstantsIds"), 4), (file.find(".misc.specConstantsValues"), 8)]
    present = [(section, width) for section, width in parts if section is not None]
    counts = {len(section.data) / width for section, width in present}
    if present and (len(present) == 1 or len(counts) > 1 or any(count % 1 for count in counts)):
        sizes = " and ".join(f"{len(section.data)} bytes in {section.label}" for section, _ in present)
        report.error(
            "misc.specconst",
            "specialization constants do not match",
            present[0][0].location(),
            found=sizes,
            expected="as many 32-bit identifiers as 64-bit values",
        )
