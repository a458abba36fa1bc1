"""docs/zebin.md is complete: every key, every finding, and tables that are those of the schema."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zebin.ze_info import ExecutionEnv, PayloadArgument, PerThreadMemoryBuffer, UserAttributes
from zebin.ze_info.document import renewed
from zebin.ze_info.records import Record

pytestmark = pytest.mark.docs

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/zebin.md").read_text()
TESTS = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))

CODE = re.compile(r'"((?:[a-z]+|ze_info)\.[a-z0-9-]+)"')
FAMILIES = {
    *("file", "elf", "ar", "sec", "str", "text", "bss", "misc", "gtpin", "spv", "note", "target", "sym", "rel", "yaml"),
    *("version", "key", "type", "range", "list", "enum", "ze_info", "kernel", "value", "attr", "arg", "bti", "ptp"),
    *("mem", "sampler", "func", "cost", "host", "debug", "build", "report", "image"),
}
COMPOSED = {
    *(f"{part}.{fault}" for part in ("sym", "rel") for fault in ("entsize", "size")),
    *(f"{part}.{fault}" for part in ("sym", "sec") for fault in ("name-bounds", "name-encoding", "name-limit")),
}
"""Codes that are put together from parts."""


def codes() -> set[str]:
    """The codes of findings that occur in the package."""
    sources = (path.read_text() for path in (ROOT / "zebin").rglob("*.py"))
    found = {code for source in sources for code in CODE.findall(source)}
    return {code for code in found if code.split(".")[0] in FAMILIES} | COMPOSED


def test_the_tables_are_those_of_the_schema() -> None:
    assert renewed(PAGE) == PAGE, "run python -m zebin.ze_info.document docs/zebin.md"


def test_every_finding_is_described_and_tested() -> None:
    findings = PAGE[PAGE.index("## Findings") : PAGE.index("## For maintainers")]
    assert len(codes()) > 120
    assert codes() - set(re.findall(r"`([a-z_]+\.[a-z0-9-]+)`", findings)) == set()
    assert {code for code in codes() - COMPOSED if f'"{code}"' not in TESTS} == set()


def test_no_key_that_the_compiler_writes_is_said_never_to_be_written() -> None:
    table = PAGE[PAGE.index("These keys are never written") : PAGE.index("## Findings")]
    never = {key for line in table.splitlines() for key in re.findall(r"`([a-z_]+)`", line.split(" | ")[0])}
    source = (ROOT / "zebin/facts/writer.py").read_text()
    written = re.findall(r"\b([a-z_]+)=", source)
    written += re.findall(r'^    "\w+": "(\w+)",$', source, re.MULTILINE)
    assert len(never) > 20
    assert never & {*written} == set()


@pytest.mark.parametrize(
    "record_type", [ExecutionEnv, UserAttributes, PayloadArgument, PerThreadMemoryBuffer], ids=lambda r: r.__name__
)
def test_of_every_key_it_is_said_whether_the_compiler_writes_it(record_type: type[Record]) -> None:
    start, end = PAGE.index("## What this compiler writes"), PAGE.index("## Findings")
    named = set(re.findall(r"\w+", PAGE[start:end]))
    obvious = {"arg_type", "offset", "size", "type", "usage", "slot"}
    assert {row.key for row in record_type.attributes} - named - obvious == set()
