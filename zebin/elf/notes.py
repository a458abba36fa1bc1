"""`.note.intelgt.compat`: the GPU for which a binary is made, and the versions of its format."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence

from xegpu.on_demand import dataclass
from xegpu.targets import Target, of_notes
from zebin.elf.constants import NoteType, name_of
from zebin.elf.model import Section
from zebin.errors import BinaryLocation, Report, excerpt
from zebin.products import (
    CORE_OF_FAMILY,
    GFX_CORES,
    PRODUCT_FAMILIES,
    TargetMetadata,
    config_name,
    core_name,
    family_name,
)

OWNER = b"IntelGT\0"

_RECORD = struct.Struct("<III")
_WORD = struct.Struct("<I")
_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})")
_MAJOR = 1
_RECORD_LIMIT = 1000


@dataclass(frozen=True)
class Note:
    """A record of the note section. `type` is a `NoteType` in known files; `data` excludes padding."""

    type: int
    data: bytes
    owner: bytes = OWNER

    @property
    def type_name(self) -> str:
        return name_of(NoteType, self.type)

    @property
    def word(self) -> int:
        """The value of a 32-bit record, 0 if it has another size."""
        return int(_WORD.unpack(self.data)[0]) if len(self.data) == _WORD.size else 0

    @property
    def text(self) -> str:
        """The text of a text record."""
        return self.data.partition(b"\0")[0].decode(errors="backslashreplace")

    @property
    def description(self) -> str:
        """The contents as text."""
        match self.type:
            case NoteType.PRODUCT_FAMILY:
                return f"{self.word} ({family_name(self.word)})"
            case NoteType.GFXCORE_FAMILY:
                return f"{self.word:#x} ({core_name(self.word)})"
            case NoteType.TARGET_METADATA:
                return f"{self.word:#010x} ({TargetMetadata(self.word)})"
            case NoteType.ZEBIN_VERSION:
                return self.text
            case NoteType.PRODUCT_CONFIG:
                return f"{self.word:#010x} {config_name(self.word)}"
            case _ if len(self.data) == _WORD.size:
                return str(self.word)
            case _:
                return self.data.hex(" ")

    @classmethod
    def of_word(cls, note_type: NoteType, value: int) -> Note:
        return cls(note_type, _WORD.pack(value))

    @classmethod
    def of_text(cls, note_type: NoteType, value: str) -> Note:
        return cls(note_type, value.encode() + b"\0")


@dataclass(frozen=True)
class TargetNotes:
    """The combined contents of the notes. A number is 0 if no note states it; of repeated notes the last counts."""

    product_family: int = 0
    gfx_core: int = 0
    metadata_word: int = 0
    product_config: int = 0
    version: str = ""
    implicit_version: int = 0

    @property
    def metadata(self) -> TargetMetadata:
        """The steppings for which the code is made, and its generator."""
        return TargetMetadata(self.metadata_word)

    @property
    def gpu(self) -> Target | None:
        """The GPU that the numbers name; None if it is none of ours."""
        return of_notes(self.product_config, self.product_family, self.gfx_core)


def target_of(notes: Sequence[Note]) -> TargetNotes:
    """Returns the contents of the records whose owner is the format; records of other owners are ignored."""
    last = {note.type: note for note in notes if note.owner == OWNER}

    def word(note_type: NoteType) -> int:
        return last[note_type].word if note_type in last else 0

    return TargetNotes(
        word(NoteType.PRODUCT_FAMILY),
        word(NoteType.GFXCORE_FAMILY),
        word(NoteType.TARGET_METADATA),
        word(NoteType.PRODUCT_CONFIG),
        last[NoteType.ZEBIN_VERSION].text if NoteType.ZEBIN_VERSION in last else "",
        word(NoteType.INDIRECT_ACCESS_BUFFER_MAJOR_VERSION),
    )


def write_notes(notes: Sequence[Note]) -> bytes:
    """Returns the contents of the section: records padded to multiples of 4 bytes."""
    output = bytearray()
    for note in notes:
        output += _RECORD.pack(len(note.owner), len(note.data), note.type)
        for part in (note.owner, note.data):
            output += part + bytes(-len(part) % 4)
    return bytes(output)


def read_notes(section: Section, report: Report) -> list[Note]:
    """Returns the records of the section up to the first that exceeds it, which is an error."""
    notes: list[Note] = []
    seen: set[int] = set()
    for location, note in _records(section, report):
        if len(notes) == _RECORD_LIMIT:
            report.error("note.limit", f"more than {_RECORD_LIMIT} records", location)
            break
        notes.append(note)
        if note.owner != OWNER:
            found = excerpt(note.owner)
            report.warning("note.owner", "record of another owner", location, found=found, expected=excerpt(OWNER))
            continue
        if note.type in seen:
            report.warning("note.duplicate", f"second {note.type_name} record; the last one counts", location)
        seen.add(note.type)
        _check_content(note, location, report)
    return notes


def _records(section: Section, report: Report) -> Iterator[tuple[BinaryLocation, Note]]:
    data, at = section.data, 0
    while at < len(data):
        location = section.location(at)
        if len(data) - at < _RECORD.size:
            found = f"{len(data) - at} bytes"
            report.error("note.truncated", "section ends inside a record header", location, found=found, expected="12")
            return
        name_size, data_size, note_type = _RECORD.unpack_from(data, at)
        name_at = at + _RECORD.size
        data_at = name_at + _padded(name_size)
        if data_at + _padded(data_size) > len(data):
            report.error(
                "note.truncated",
                "record ends past its section",
                location,
                found=f"owner of {name_size} bytes, content of {data_size} bytes",
                expected=f"at most {len(data) - name_at} bytes together",
            )
            return
        at = data_at + _padded(data_size)
        if any(data[name_at + name_size : data_at]) or any(data[data_at + data_size : at]):
            report.info("note.padding", "padding is not zero", location)
        owner = bytes(data[name_at : name_at + name_size])
        yield location, Note(note_type, bytes(data[data_at : data_at + data_size]), owner)


def _padded(size: int) -> int:
    return size + -size % 4


def _check_content(note: Note, location: BinaryLocation, report: Report) -> None:
    if note.type not in set(NoteType):
        report.warning("note.type", "unknown record type", location, found=note.type, expected="1 to 8")
    elif note.type == NoteType.ZEBIN_VERSION:
        _check_version(note, location, report)
    elif len(note.data) != _WORD.size:
        found = f"{len(note.data)} bytes"
        report.error(
            "note.size", f"{note.type_name} record of the wrong size", location, found=found, expected="4 bytes"
        )


def _check_version(note: Note, location: BinaryLocation, report: Report) -> None:
    match = _VERSION.fullmatch(note.text)
    if match is None or int(match[1]) != _MAJOR:
        found = excerpt(note.text)
        report.error("note.version", "unsupported format version", location, found=found, expected="1.<number>")
    elif not note.data.endswith(b"\0"):
        report.warning("note.version", "version text is not terminated by a zero byte", location)


def check_target(target: TargetNotes, location: BinaryLocation, report: Report) -> None:
    """Checks that the notes name a GPU and do not contradict each other."""
    family, core = target.product_family, target.gfx_core
    if not (family or core or target.product_config):
        report.error("target.none", "notes name no target", location, expected="product family, core or configuration")
    if family and family not in PRODUCT_FAMILIES:
        report.warning("target.unknown", "unknown product family", location, found=family)
    if core and core not in GFX_CORES:
        report.warning("target.unknown", "unknown graphics core", location, found=f"{core:#x}")
    if core and core != CORE_OF_FAMILY.get(family, core):
        report.warning(
            "target.unknown",
            f"product family {family_name(family)} does not have this core",
            location,
            found=core_name(core),
            expected=core_name(CORE_OF_FAMILY[family]),
        )
    if target.metadata.reserved:
        report.warning(
            "target.metadata",
            "reserved bits of the metadata word are set",
            location,
            found=f"{target.metadata.word:#x}",
        )
