"""The data of the specification against the header that Debian has."""

from __future__ import annotations

import dataclasses
import re
from enum import IntEnum, IntFlag
from pathlib import Path

import pytest

from runtime.zes import spec

HEADER = Path("/usr/include/level_zero/zes_api.h")
LENGTHS = {"numPoints"}
"""Members that are lengths of arrays, which know theirs."""

pytestmark = pytest.mark.skipif(not HEADER.exists(), reason="the headers of Level Zero (libze-dev) are not installed")


def header() -> str:
    return HEADER.read_text()


def value(text: str) -> int:
    bit, version = re.fullmatch(r"ZE_BIT\((\d+)\)", text), re.fullmatch(r"ZE_MAKE_VERSION\( (\d+), (\d+) \)", text)
    if bit:
        return 1 << int(bit[1])
    return int(version[1]) << 16 | int(version[2]) if version else int(text, 0)


def enumerations() -> dict[str, dict[str, int]]:
    found = {}
    for name, body in re.findall(r"typedef enum _(zes_\w+)\n\{(.*?)\n\}", header(), re.DOTALL):
        pairs = re.findall(r"(ZES_\w+) = (ZE_\w+\(.*?\)|\w+)", body)
        members = {key: value(text) for key, text in pairs if not key.endswith("FORCE_UINT32")}
        found[name.replace("_flag_t", "_flags_t")] = members
    return found


def structures() -> dict[str, list[str]]:
    found = {}
    for name, body in re.findall(r"typedef struct _(zes_\w+)\n\{(.*?)\n\}", header(), re.DOTALL):
        members = re.findall(r"^ +[\w *]+[ *](\w+)(?:\[\w+\])?;", body, re.MULTILINE)
        found[name] = [member for member in members if member not in {"stype", "pNext", *LENGTHS}]
    return {name: members for name, members in found.items() if members}


def test_enumerators_have_the_values_of_the_header() -> None:
    wanted = enumerations()
    assert len(wanted) == 36
    for name, members in wanted.items():
        kind = getattr(spec, name)
        assert issubclass(kind, IntFlag if name.endswith("_flags_t") else IntEnum)
        assert {key: kind.__members__[key].value for key in members} == members


def test_structures_have_the_members_of_the_header() -> None:
    wanted = structures()
    assert len(wanted) > 60
    for name, members in wanted.items():
        kind = getattr(spec, name)
        assert dataclasses.is_dataclass(kind)
        assert [field.name for field in dataclasses.fields(kind) if field.name != "pNext"] == members, name


def test_constants() -> None:
    for name, text in re.findall(r"#define (ZES_\w+)\s+(0x\w+|\d+)", header()):
        assert getattr(spec, name) == int(text, 0)
