"""The page docs/driver-functions.md: every function of C, and what a call of it does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from runtime.driver.abi import CFunction, api_of, signatures
from runtime.driver.functions import offered
from runtime.ze.declaration import declared
from runtime.ze.unsupported import UNSUPPORTED

_HEAD = """\
# Functions of the driver for programs in C

This page is generated (`python -m tests.unit.runtime.driver.pages functions > docs/driver-functions.md`). It goes with
[the driver](driver.md): every function in the tables of Level Zero's loader, the results that the specification
promises a call without the validation layer, those that only the validation layer of `runtime.ze` has, what Intel's
driver is known to take, and what this one does. Programs in Python have the same results.

`INVALID_NULL_HANDLE`, `INVALID_ARGUMENT` (a handle that is none, destroyed, or of another kind), `INVALID_NULL_POINTER`
(an output or a required structure is null) and, before `zeInit` and in a forked child, `UNINITIALIZED` may come from
each function; Intel's driver does not check handles and pointers. An empty cell says that nothing else is known than
what the specification has; "the same" is what Intel's driver does.
"""

_WAITS = "waits for commands; an object that went with its parent can be destroyed once more"

_PARENT = "waits for commands; what was created from the object goes with it"

_FLAGS = "flags that are not known are ignored"

_ROUNDS = "the alignment is rounded up to a power of two"

_TAKES = {
    "zeInit": _FLAGS,
    "zeInitDrivers": "types of drivers that are not known are ignored: the loader asks for all when it sorts drivers",
    "zesInit": "flags are ignored",
    "zeContextDestroy": "what is left in the context goes with it",
    **dict.fromkeys(
        ("zeEventPoolDestroy", "zeEventPoolCloseIpcHandle", "zeModuleDestroy", "zeCommandQueueDestroy"), _PARENT
    ),
    **{
        f"ze{kind}Destroy": _WAITS
        for kind in ("CommandList", "Event", "Fence", "Image", "Kernel", "ModuleBuildLog", "Sampler")
    },
    "zePhysicalMemDestroy": "what is mapped stays until it is unmapped",
    "zeCommandListReset": "waits until the list has been executed",
    "zeFenceReset": "waits until the fence is signaled",
    "zeMemAllocHost": _ROUNDS,
    **dict.fromkeys(
        ("zeMemAllocShared", "zeMemAllocDevice"), f"any memory ordinal is that of the only memory; {_ROUNDS}"
    ),
    **dict.fromkeys(
        ("zeCommandListCreate", "zeCommandListCreateImmediate", "zeCommandQueueCreate", "zeEventPoolCreate"), _FLAGS
    ),
}
"""The arguments that Intel's driver takes beyond the specification."""

_TABLES = {"ze": "Core", "zer": "Runtime", "zet": "Tools", "zes": "System management"}

_COMMON = {"INVALID_NULL_HANDLE", "INVALID_ARGUMENT", "INVALID_NULL_POINTER"}

_TOOLS = """
[The page of Level Zero](level-zero.md) has the results of the functions that `runtime.zet` has; the others are null in
the table, so the loader answers UNSUPPORTED_FEATURE. Its tracing layer answers for `zetTracerExp...`. Intel's driver
has metrics with the package `metrics-discovery`, and program debug where the kernel supports it.
"""
"""The page's paragraph about the tables of the tools."""

_REASONS = {name: reason for names, reason in UNSUPPORTED for name in names.split()}


def page() -> str:
    """Returns the text of the page."""
    return _HEAD + "".join(f"{line}\n" for line in _lines())


def _lines() -> Iterator[str]:
    known = signatures().values()
    for layer, title in _TABLES.items():
        yield f"\n## {title}"
        tables = [signature for signature in known if api_of(signature.name) == layer]
        yield from _TOOLS.splitlines() if layer == "zet" else ()
        heads, row = _TABLE_HEADS[layer == "zet"], _row_of_tools if layer == "zet" else _row
        for table, members in groupby(tables, key=lambda signature: signature.table):
            yield f"\n### {table}\n"
            yield f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}"
            yield from map(row, members)


_TABLE_HEADS = (
    ("Function", "Since", "Specification", "With validation", "Intel's driver", "Here"),
    ("Function", "Since", "Parameters"),
)


def _since(signature: CFunction) -> str:
    return f"{signature.since >> 16}.{signature.since & 0xFFFF}"


def _row(signature: CFunction) -> str:
    name, function, rule = signature.name, declared().get(signature.name), _TAKES.get(signature.name, "")
    if name not in offered():
        cells = "may be UNSUPPORTED_FEATURE", "", "", f"UNSUPPORTED_FEATURE, from the loader: {_reason(name)}"
    else:
        results = [] if function is None else [_short(result.name) for result in function.results]
        promised = ", ".join(result for result in results if result not in _COMMON)
        validated = ", ".join(_short(result.name) for result in function.validated) if function is not None else ""
        note = function.note if function is not None else ""
        cells = promised, validated, rule, _row_here(bool(rule), note)
    return f"| `{name}` | {_since(signature)} | {' | '.join(cells)} |"


def _row_here(has_rule: bool, note: str) -> str:
    return "; ".join(text for text in ("the same" if has_rule else "", note.rstrip(".")) if text)


def _row_of_tools(signature: CFunction) -> str:
    parameters = ", ".join(parameter.name for parameter in signature.parameters)
    return f"| `{signature.name}` | {_since(signature)} | {parameters} |"


def _reason(name: str) -> str:
    return _REASONS.get(name, "an extension that is not advertised")


def _short(name: str) -> str:
    return name.removeprefix("ZE_RESULT_").removeprefix("EXP_").removeprefix("ERROR_")
