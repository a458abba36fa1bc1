"""The data of the specification against the header that Debian has."""

from __future__ import annotations

import dataclasses
import re
from enum import IntFlag
from pathlib import Path

import pytest

from runtime import zet
from tests.unit.runtime.zes.test_spec import value

HEADER = Path("/usr/include/level_zero/zet_api.h")

pytestmark = pytest.mark.skipif(not HEADER.exists(), reason="the headers of Level Zero (libze-dev) are not installed")


def bodies(kind: str) -> dict[str, str]:
    text = HEADER.read_text()
    found = re.findall(rf"typedef {kind} _(zet_\w+)\n\{{(.*?)\n\}}", text, re.DOTALL)
    chosen = ("metric", "value_type", "typed_value", "structure_type")
    return {name: body for name, body in found if any(word in name for word in chosen)}


def test_enumerators_have_the_values_of_the_header() -> None:
    wanted = bodies("enum")
    assert len(wanted) == 6
    for name, body in wanted.items():
        kind = getattr(zet, name.replace("_flag_t", "_flags_t"))
        assert issubclass(kind, IntFlag) == name.endswith("_flag_t")
        for key, text in re.findall(r"(ZET_\w+) = (ZE_\w+\(.*?\)|\w+)", body):
            if not key.endswith("FORCE_UINT32"):
                assert kind.__members__[key] == value(text) == getattr(zet, key)


OF_0_91 = ("version", "flags")
"""Members that 1.x has dropped."""


def test_structures_have_the_members_of_the_header() -> None:
    wanted = bodies("struct")
    assert len(wanted) == 5
    for name, body in wanted.items():
        members = re.findall(r"^ +[\w *]+[ *](\w+)(?:\[\w+\])?;", body, re.MULTILINE)
        kind = getattr(zet, name)
        found = [field.name for field in dataclasses.fields(kind) if field.name not in ("pNext", *OF_0_91)]
        assert found == [member for member in members if member not in {"stype", "pNext"}], name
