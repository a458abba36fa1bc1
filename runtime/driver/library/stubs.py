"""The generated part of the shim in C: a stub per function, the exports that fill the loader's tables, and the tables
that handles begin with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from runtime.driver.abi import CFunction, api_of, code_of, layouts, pointee, signatures
from runtime.driver.functions import offered

_C_TYPES = {"B": "uint8_t", "I": "uint32_t", "i": "int32_t", "Q": "uint64_t", "q": "int64_t", "d": "double"}
"""The types of arguments in registers, by their codes."""

REORDERED = frozenset(
    {
        "zeGetCommandListExpProcAddrTable",
        "zetGetMetricGroupExpProcAddrTable",
        "zetGetMetricProcAddrTable",
        "zesGetDeviceProcAddrTable",
        "zesGetDeviceExpProcAddrTable",
        "zesGetFabricPortProcAddrTable",
        "zesGetVFManagementExpProcAddrTable",
    }
)
"""Tables whose slots some versions had in another order: for loaders of these they stay empty."""

SETTLED = (1 << 16 | 4, 1 << 16 | 7, 1 << 16 | 8, 1 << 16 | 9)
"""Versions that have the slots of those tables where the data has them."""

LASTING = 1 << 16 | 12
"""The version from which on all have. In 1.11 the order depends on the revision, which a loader does not tell, and
1.10 is not known to have those that were new in it where the data has them.
"""


def stubs() -> str:
    """Returns the text that `shim.c` includes."""
    functions = offered()
    parts = [
        *(_stub(number, signature) for number, signature in enumerate(functions.values())),
        f'static const char NAMES[] = "{" ".join(functions)}";',
        _array("static void *const STUBS[]", [f"(void *){name}" for name in functions]),
        *_tables(functions),
        *_dispatch_tables(functions),
        "#ifdef STAND_IN",
        *_missing(functions),
        "#endif",
    ]
    return "\n".join(parts) + "\n"


def _stub(number: int, signature: CFunction) -> str:
    """Returns a function that enters Python with its arguments."""
    declared, words = [], []
    for parameter in signature.parameters:
        layout = layouts().get(pointee(parameter.type)) if not parameter.type.endswith("*") else None
        if layout is not None:
            declared.append(f"struct bytes{layout.size} {parameter.name}")
            words.append(f"(uint64_t)&{parameter.name}")
        else:
            type = _C_TYPES[code_of(parameter.type)]
            declared.append(f"{type} {parameter.name}")
            words.append(f"bits_of({parameter.name})" if type == "double" else parameter.name)
    result = _C_TYPES[code_of(signature.result)]
    failure = "UNINITIALIZED" if signature.result == "ze_result_t" else "0"
    array = f"(const uint64_t[]){{{', '.join(words)}}}" if words else "0"
    return (
        f"API {result} {signature.name}({', '.join(declared) or 'void'}) "
        f"{{ return ({result})enter({number}, {array}, {len(words)}, {failure}); }}"
    )


def _array(head: str, items: Iterable[str]) -> str:
    body = "".join(f"\n    {item}," for item in items)
    return f"{head} = {{{body}\n}};"


def _slots() -> Mapping[str, list[CFunction]]:
    """Returns the functions of each table, in the order of the headers."""
    tables: dict[str, list[CFunction]] = {}
    for signature in signatures().values():
        tables.setdefault(signature.table, []).append(signature)
    return tables


def _tables(functions: Mapping[str, CFunction]) -> Iterator[str]:
    for table, slots in _slots().items():
        items = [f"{{{f'(void *){slot.name}' if slot.name in functions else '0'}, {slot.since:#x}}}" for slot in slots]
        count = f"({_IS_SETTLED}) ? {len(slots)} : 0" if table in REORDERED else f"{len(slots)}"
        yield _array(f"static const struct slot {table}_[]", items)
        yield (
            f"EXPORT uint32_t {table}(uint32_t version, void **table) "
            f"{{ return fill(version, table, {table}_, {count}); }}"
        )


_IS_SETTLED = " || ".join([*(f"version == {version:#x}" for version in SETTLED), f"version >= {LASTING:#x}"])


APIS = ("ze", "zet", "zes", "zer")
"""The APIs in the order in which a handle begins with pointers to their tables."""


def _dispatch_tables(functions: Mapping[str, CFunction]) -> Iterator[str]:
    """Yields the tables of all functions for loaders that call through handles. They answer for none themselves, so a
    function that the driver lacks is there and refuses.
    """
    tables = _slots()
    for table, slots in tables.items():
        items = [f"(void *){slot.name if slot.name in functions else 'refuse'}" for slot in slots]
        yield _array(f"static void *const {table}_functions[]", items)
    for api in APIS:
        names = [f"{table}_functions" for table, slots in tables.items() if api_of(slots[0].name) == api]
        type = f"struct {{ uint32_t version; uint8_t is_valid; void *const *tables[{len(names)}]; }}"
        yield _array(f"static const {type} {api}_tables", ["NEWEST_VERSION", "1", f"{{{', '.join(names)}}}"])
    yield _array("static const void *const HANDLE_HEAD[]", [f"&{api}_tables" for api in APIS])


def _missing(functions: Mapping[str, CFunction]) -> Iterator[str]:
    """Yields what a stand-in for the loader exports for functions that the driver lacks."""
    for name, signature in signatures().items():
        if name not in functions:
            result = "UNSUPPORTED_FEATURE" if signature.result == "ze_result_t" else "0"
            yield f"EXPORT {_C_TYPES[code_of(signature.result)]} {name}(void) {{ return {result}; }}"
