"""The page, assembled from its parts."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from runtime import ze, zes, zet
from runtime.ze.declaration import Function, callables, functions
from runtime.ze.layers import CHECK_VARIABLES, TRACING_VARIABLES
from runtime.ze.unsupported import UNSUPPORTED
from tests.unit.runtime.ze.page.conformance import AREAS
from tests.unit.runtime.ze.page.coverage import by_function
from tests.unit.runtime.ze.page.tools import TESTS_OF_TOOLS

FUNCTIONS, CALLABLES, SYSMAN = functions(), callables(), functions(zes.SysmanChapter)
TOOLS_FUNCTIONS = functions(zet.ToolsChapter)
_COMMON = {"INVALID_NULL_HANDLE", "INVALID_ARGUMENT"}


def page() -> str:
    """The text of docs/level-zero.md."""
    text = (Path(__file__).parent / "page.md").read_text()
    parts = {
        "switches": _switches,
        "count": _count,
        "functions": _functions,
        "sysman_count": _sysman_count,
        "sysman": _sysman,
        "tools": _tools,
        "unsupported": _unsupported,
        "conformance": _conformance,
    }
    for name, lines in parts.items():
        text = text.replace(f"@@{name}@@", "\n".join(lines()))
    return text


def _switches() -> Iterator[str]:
    yield "| `ZE_ENABLE_VALIDATION_LAYER` | `1` | the validation layer, with the checks of the next variables |"
    for variable, check in CHECK_VARIABLES.items():
        yield f"| `{variable}` | `1` | its check of {check.value} |"
    for group in TRACING_VARIABLES:
        yield f"| {' with '.join(f'`{variable}`' for variable in group)} | `1` | the tracing layer |"


def _count() -> Iterator[str]:
    old = {function.seed for function in FUNCTIONS.values() if function.seed is not None}
    yield (
        f"There are {len(FUNCTIONS)} functions. Version 0.91 has {len(old)} of them, "
        f"{sum(name not in FUNCTIONS for name in old)} under another name."
    )


def _functions() -> Iterator[str]:
    for chapter, declared in groupby(FUNCTIONS.values(), key=lambda function: function.chapter):
        yield f"### {chapter.value}\n"
        yield "| Function | 0.91 | Since | Results | Test |\n|---|---|---|---|---|"
        yield from _rows(list(declared), _function)


def _rows(declared: Sequence[Function], row: Callable[[Function], str]) -> Iterator[str]:
    """The rows of a table, and the notes on its functions below it."""
    notes: dict[str, list[str]] = defaultdict(list)
    for function in declared:
        yield row(function)
        for note in (function.note, function.inexpressible):
            if note:
                notes[note].append(f"`{function.name}`")
    yield ""
    if notes:
        yield from (f"- {', '.join(names)}: {note}" for note, names in notes.items())
        yield ""


def _sysman_count() -> Iterator[str]:
    old = {function.seed for function in SYSMAN.values() if function.seed is not None}
    newer = sum(name.startswith("zes") for name in SYSMAN)
    yield f"`runtime.zes` has {newer} functions of 1.x; the {len(old)} of version 0.91 are in `runtime.zet`, too."


def _sysman() -> Iterator[str]:
    for chapter, declared in groupby(SYSMAN.values(), key=lambda function: function.chapter):
        yield f"### {chapter.value}\n"
        yield "| Function | 0.91 | Since | State | Results | Test |\n|---|---|---|---|---|---|"
        yield from _rows(list(declared), _sysman_function)


def _tools() -> Iterator[str]:
    for chapter, declared in groupby(TOOLS_FUNCTIONS.values(), key=lambda function: function.chapter):
        yield f"### {chapter.value}\n"
        yield "| Function | 0.91 | Since | State | Results | Test |\n|---|---|---|---|---|---|"
        yield from _rows(list(declared), _tools_function)


def _tools_function(function: Function) -> str:
    name, old, since, results, test = _cells(function)
    return f"| {name} | {old} | {since} | {'none' if _is_refused(function) else 'modelled'} | {results} | {test} |"


def _is_refused(function: Function) -> bool:
    """Returns whether every call of a function is refused; its note says why."""
    return bool(function.note) and ze.ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE in function.results


_ABSENT = ("Fan", "Psu", "Led", "FabricPort", "Overclock", "VF")
"""Words in the names of functions of which cards have none."""


def _sysman_function(function: Function) -> str:
    name, old, since, results, test = _cells(function)
    is_absent = _is_refused(function) or any(word in function.name for word in _ABSENT)
    return f"| {name} | {old} | {since} | {'none' if is_absent else 'modelled'} | {results} | {test} |"


def _function(function: Function) -> str:
    return f"| {' | '.join(_cells(function))} |"


def _cells(function: Function) -> tuple[str, str, str, str, str]:
    """The name, the name in 0.91, the version that has it first, the results, and a test."""
    major, minor = function.since
    old = _older(function)
    names = [result.name.removeprefix("ZE_RESULT_").removeprefix("ERROR_") for result in function.results]
    results = ", ".join(name for name in names if name not in _COMMON).replace("_", " ").lower()
    validated = [result.name.removeprefix("ZE_RESULT_ERROR_") for result in function.validated]
    if validated:
        reported = ", ".join(validated).replace("_", " ").lower()
        results = f"{results + '; ' if results else ''}with validation: {reported}"
    return f"`{function.name}`", old, f"{major}.{minor}", results or "-", _test(function.name)


def _older(function: Function) -> str:
    """The name in 0.91, with the parameters where that alone does not tell the functions apart."""
    if function.seed is None:
        return "-"
    if function.seed != function.name:
        return f"`{function.seed}`"
    form = function.seed_implementation
    if form is None or form is function.implementation:
        return "same"
    return f"`{function.name}({', '.join(inspect.signature(form).parameters)})`"


def _test(name: str) -> str:
    tests = by_function().get(name)
    if not tests and name in SYSMAN:
        return _link("tests/unit/runtime/zes/test_results.py")  # whose tests call every function, by its name
    if not tests and name in TOOLS_FUNCTIONS:
        return _link(TESTS_OF_TOOLS[TOOLS_FUNCTIONS[name].chapter])
    return _link(tests[0].path) if tests else "**none**"


def _link(path: str) -> str:
    """A test, linked to its file."""
    file, _, name = path.partition("::")
    label = name.replace("::", ".") or Path(file).name
    return f"[{label}](../{file})"


def _unsupported() -> Iterator[str]:
    yield "| Core functions | Why |\n|---|---|"
    for names, reason in UNSUPPORTED:
        missing = [name for name in names.split() if name not in CALLABLES]
        if missing:
            yield f"| {', '.join(f'`{name}`' for name in missing)} | {reason} |"
    yield "\n| Tools | Functions | |\n|---|---|---|"
    functions = (name for name in zet.__all__ if inspect.isfunction(getattr(zet, name)))
    tracing = [name for name in functions if name.startswith("zetTracer")]
    tests = "[tests](../tests/unit/runtime/ze/test_tracing.py)"
    yield f"| Tracing | {', '.join(f'`{name}`' for name in tracing)} | supported: {tests} |"
    yield ""


def _conformance() -> Iterator[str]:
    for area, rows in AREAS.items():
        yield f"### {area}\n"
        yield "| Behaviour | Tests |\n|---|---|"
        for behaviour, paths in rows.items():
            yield f"| {behaviour} | {', '.join(map(_link, paths))} |"
        yield ""
