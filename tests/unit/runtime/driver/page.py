"""The page docs/driver-functions.md: every function of C, and what a call of it does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from runtime.driver.abi import CFunction, api_of, signatures
from runtime.driver.functions import offered
from runtime.driver.leniency import RULES
from runtime.ze.declaration import declared
from runtime.ze.unsupported import UNSUPPORTED

_HEAD = """\
# Functions of the driver for programs in C

This page is generated (`python -m tests.unit.runtime.driver.page > docs/driver-functions.md`). It goes with
[the driver](driver.md): every function in the tables of Level Zero's loader, the results of the specification that a
call may have without the validation layer, and what the driver takes beyond the specification, as Intel's does.

`INVALID_NULL_HANDLE`, `INVALID_ARGUMENT` (a handle that is none, destroyed, or of another kind), `INVALID_NULL_POINTER`
(an output or a required structure is null) and, before `zeInit` and in a forked child, `UNINITIALIZED` may come from
each function. What the specification only promises with the validation layer, that layer of the loader reports; the
driver takes it wherever it is harmless.
"""

_TABLES = {"ze": "Core", "zer": "Runtime", "zet": "Tools", "zes": "System management"}

_COMMON = {"INVALID_NULL_HANDLE", "INVALID_ARGUMENT", "INVALID_NULL_POINTER"}

TOOLS = (
    "the functions that [`runtime.zet`](level-zero.md) has are there, and for the others the loader answers "
    "UNSUPPORTED_FEATURE; its tracing layer answers for `zetTracerExp...`"
)
"""What is in the tables of tools."""

_REASONS = {name: reason for names, reason in UNSUPPORTED for name in names.split()}


def page() -> str:
    """Returns the text of the page."""
    return _HEAD + "".join(f"{line}\n" for line in _lines())


def _lines() -> Iterator[str]:
    known = signatures().values()
    for layer, title in _TABLES.items():
        yield f"\n## {title}"
        tables = [signature for signature in known if api_of(signature.name) == layer]
        if layer == "zet":
            names = {signature.table for signature in tables}
            yield f"\n{len(tables)} functions in {len(names)} tables: {TOOLS}."
            continue
        for table, members in groupby(tables, key=lambda signature: signature.table):
            yield f"\n### {table}\n"
            yield "| Function | Since | Results | Beyond the specification |\n|---|---|---|---|"
            yield from map(_row, members)


def _row(signature: CFunction) -> str:
    since = f"{signature.since >> 16}.{signature.since & 0xFFFF}"
    if signature.name not in offered():
        return f"| `{signature.name}` | {since} | UNSUPPORTED_FEATURE, from the loader | {_reason(signature.name)} |"
    function = declared().get(signature.name)
    names = [] if function is None else [_short(result.name) for result in function.results]
    results = ", ".join(name for name in names if name not in _COMMON)
    rule = RULES.get(signature.name)
    return f"| `{signature.name}` | {since} | {results} | {'' if rule is None else rule[1]} |"


def _reason(name: str) -> str:
    return _REASONS.get(name, "an extension that is not advertised")


def _short(name: str) -> str:
    return name.removeprefix("ZE_RESULT_").removeprefix("EXP_").removeprefix("ERROR_")


if __name__ == "__main__":
    print(page(), end="")
