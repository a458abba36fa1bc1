"""FileCheck ignores what it does not know: a misspelt directive is a test that cannot fail. None may be left."""

from __future__ import annotations

import re

import pytest

from tests.paths import LIT

_NO_TESTS = {"Inputs", "Output"}
"""Folders of what tests read, and of what they leave."""

FILES = [
    path
    for path in sorted(LIT.rglob("*"))
    if path.suffix in (".mlir", ".test") and not _NO_TESTS.intersection(path.relative_to(LIT).parts)
]

SUFFIXES = ("", "-NEXT", "-SAME", "-NOT", "-DAG", "-EMPTY", "-LABEL")
LIT_KEYWORDS = {"RUN", "REQUIRES", "UNSUPPORTED", "XFAIL", "END", "DEFINE", "REDEFINE", "ALLOW_RETRIES"}

_PREFIX = re.compile(r"--check-prefix(?:es)?[= ]([\w,-]+)")
_DIRECTIVE = re.compile(r"(?:^|//|#|;)\s*([A-Z][A-Z0-9_-]{2,})(?:\{[A-Z]+\})?:", re.MULTILINE)
_WELL_FORMED = re.compile(
    r"expected-(error|warning|remark|note)(-re)? *(@([+-]\d+|above|below|unknown))? *\{\{.*\}\}\s*$"
)


def run_lines(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if "RUN:" in line)


def checks_text(run: str) -> bool:
    return "filecheck" in run or "XEGPU_ROUNDTRIP" in run or "XEGPU_GENERIC_ROUNDTRIP" in run


def prefixes(run: str) -> set[str]:
    """The prefixes that the commands of a test use."""
    found = {name for match in _PREFIX.finditer(run) for name in match[1].split(",")}
    commands = [part for part in re.split(r"\||&&|RUN:", run) if checks_text(part)]
    if any("--check-prefix" not in command for command in commands):
        found.add("CHECK")
    return found


def directives(text: str) -> set[str]:
    return {match[1] for match in _DIRECTIVE.finditer(text)} - LIT_KEYWORDS


def is_directive(word: str, known: set[str]) -> bool:
    return any(word == prefix + suffix for prefix in known for suffix in SUFFIXES) or any(
        re.fullmatch(rf"{re.escape(prefix)}-COUNT-\d+", word) for prefix in known
    )


def test_there_are_files():
    assert len(FILES) > 20


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(LIT)))
def test_every_directive_is_one_that_filecheck_acts_on(path):
    text = path.read_text()
    known = prefixes(run_lines(text))
    assert [word for word in sorted(directives(text)) if not is_directive(word, known)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(LIT)))
def test_every_prefix_has_a_directive_and_every_file_a_command(path):
    text = path.read_text()
    run = run_lines(text)
    assert run
    used = directives(text)
    assert [name for name in prefixes(run) if not any(is_directive(word, {name}) for word in used)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(LIT)))
def test_every_expectation_is_well_formed_and_checked(path):
    text = path.read_text()
    lines = [line for line in text.splitlines() if line.lstrip().startswith("//") and "RUN:" not in line]
    expected = [line for line in lines if re.match(r"\s*//\s*expect", line)]
    assert [line for line in expected if not _WELL_FORMED.search(line)] == []
    if expected:
        assert "--verify-diagnostics" in run_lines(text) or "XEGPU_INVALID" in run_lines(text)


@pytest.mark.parametrize(
    ("line", "is_known"),
    [
        ("// CHECK-NXT: x", False),
        ("// CHEK: x", False),
        ("// CHECK-COUNT-3: x", True),
        ("// CHECK-COUNT: x", False),
        ("ABC-DAG: x", True),
        ("// BCD: x", False),
    ],
)
def test_this_test_sees_mistakes(line, is_known):
    (word,) = directives(line)
    assert is_directive(word, {"CHECK", "ABC"}) == is_known


def test_prefixes_are_read_from_commands():
    assert prefixes("// RUN: tool | filecheck %s") == {"CHECK"}
    assert prefixes("// RUN: tool | filecheck %s --check-prefix=A") == {"A"}
    assert prefixes("// RUN: tool | filecheck %s --check-prefixes=A,B\n// RUN: tool | filecheck %s") == {
        "A",
        "B",
        "CHECK",
    }
    assert prefixes("// RUN: XEGPU_ROUNDTRIP") == {"CHECK"}
    assert prefixes("// RUN: XEGPU_INVALID") == set()
