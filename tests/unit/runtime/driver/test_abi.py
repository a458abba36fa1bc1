"""The data about the C interface: what the headers say, and what the functions of `runtime.ze` need."""

from __future__ import annotations

import inspect
import re
import struct
import subprocess
from pathlib import Path

import pytest

from runtime.driver.abi import code_of, is_handle, layouts, pointee, signatures
from runtime.driver.functions import callable_of, offered
from runtime.driver.marshalling import class_of, reader, types_of, writer
from runtime.driver.without_driver import WITHOUT_DRIVER
from runtime.ze.conversion import STRUCTURES
from runtime.ze.declaration import declared
from runtime.ze.dispatch import driver_function

HEADERS = Path("/usr/include/level_zero")

OFFERED = tuple(offered())

CLASSES = {name: kind for name in layouts() if (kind := class_of(name)) is not None}

BASES = {"Descriptor", "VersionedDescriptor", "ExtensibleProperties"}
"""Classes that structures inherit from."""

UNTYPED = {
    "zes_pci_link_speed_downgrade_ext_properties_t",
    "zes_pci_link_speed_downgrade_ext_state_t",
    "zes_ras_config_exp_t",
}
"""Structures whose types `runtime` does not know, so that they are not found in chains."""

OLD = re.compile(r"zeDeviceSetLastLevelCacheConfig|zeKernel[SG]etAttribute|zet\w+")
"""Functions that 1.x dropped, and structures of the tools that have other names than in 1.x."""


def header(name: str) -> str:
    path = HEADERS / f"{name}_api.h"
    if not path.exists():
        pytest.skip("needs the headers of Level Zero (libze-dev)")
    return path.read_text()


def test_every_function_of_python_is_one_of_c() -> None:
    dropped = declared().keys() - signatures().keys()
    assert [name for name in dropped if not OLD.fullmatch(name)] == []
    assert offered().keys() == (declared().keys() - dropped) | WITHOUT_DRIVER.keys()
    assert len([name for name in OFFERED if name.startswith("zes")]) == 157


@pytest.mark.parametrize("name", OFFERED)
def test_every_function_has_a_callable(name: str) -> None:
    """Every parameter of the function is one of C, apart from those that C has in a structure."""
    function = WITHOUT_DRIVER.get(name) or driver_function(name)
    parameters = {parameter.name for parameter in signatures()[name].parameters}
    assert inspect.signature(function).parameters.keys() - parameters <= {"pNext", "stype"}
    assert callable(callable_of(name))


@pytest.mark.parametrize("name", CLASSES)
def test_every_structure_has_a_codec(name: str) -> None:
    by_hand = {"ze_event_query_kernel_timestamps_results_ext_properties_t"}
    assert name in by_hand or (callable(reader(name)) and callable(writer(name)))


def test_every_structure_has_a_layout() -> None:
    names = {kind.__name__ for kind in STRUCTURES} - CLASSES.keys() - BASES
    assert [name for name in names if not OLD.fullmatch(name)] == []


def test_every_structure_that_can_be_chained_has_a_type() -> None:
    extensions = {name for name in CLASSES if "_ext_" in name or "_exp_" in name}
    typed = {kind.__name__ for api in ("ze", "zet", "zes") for kind in types_of(api).values()}
    assert {name for name in extensions if layouts()[name].is_extensible} - typed == UNTYPED


@pytest.mark.parametrize("name", layouts())
def test_layouts_have_the_size_that_they_say(name: str) -> None:
    layout = layouts()[name]
    assert struct.calcsize(layout.format_of(layout.members)) == layout.size


@pytest.mark.parametrize(("api", "least"), [("ze", 80), ("zet", 15), ("zes", 60)])
def test_layouts_are_those_of_the_headers(api: str, least: int, tmp_path: Path) -> None:
    known = set(re.findall(rf"^}} ({api}_\w+_t);", header(api), re.MULTILINE)) & layouts().keys()
    assert len(known) > least
    lines = [
        f"_Static_assert(offsetof({name}, {member.path}) == {member.offset} && "
        f'sizeof((({name} *)0)->{member.path}) == {struct.calcsize("=" + member.code)}, "{name}.{member.path}");'
        for name in sorted(known)
        for member in layouts()[name].members
    ]
    lines += [f'_Static_assert(sizeof({name}) == {layouts()[name].size}, "{name}");' for name in sorted(known)]
    source = tmp_path / "layouts.c"
    source.write_text(f"#include <stddef.h>\n#include <level_zero/{api}_api.h>\n" + "\n".join(lines))
    subprocess.run(["cc", "-fsyntax-only", str(source)], check=True)


@pytest.mark.parametrize(("api", "least"), [("ze", 120), ("zes", 100)])
def test_signatures_are_those_of_the_headers(api: str, least: int, tmp_path: Path) -> None:
    """A pointer to a function of our types takes the function of the header, apart from the types behind pointers."""
    names = [name for name in OFFERED if f"\n{name}(" in header(api)]
    assert len(names) > least
    lines = []
    for name in names:
        types = [parameter.type for parameter in signatures()[name].parameters]
        lines += [
            f'_Static_assert(sizeof(({type})0) == {struct.calcsize("=" + code_of(type))}, "{name}");'
            for type in types
            if code_of(type) != "s" and (type.endswith("*") or is_handle(type) or pointee(type) not in layouts())
        ]
        lines.append(f"static ze_result_t (ZE_APICALL *const {name}_)({', '.join(types)}) = {name};")
    source = tmp_path / "signatures.c"
    source.write_text(f"#include <level_zero/{api}_api.h>\n" + "\n".join(lines))
    subprocess.run(["cc", "-Werror", "-Wno-unused", "-fsyntax-only", str(source)], check=True)


@pytest.mark.parametrize("layer", ["ze", "zet", "zes"])
def test_tables_are_those_of_the_headers(layer: str, tmp_path: Path) -> None:
    """The slots that version 1.4 has are where its headers have them, and no others."""
    if not HEADERS.exists():
        pytest.skip("needs the headers of Level Zero (libze-dev)")
    text = (HEADERS / f"{layer}_ddi.h").read_text()
    expected = {
        name.replace("_", ""): [slot.lower() for slot in re.findall(r"pfn(\w+);", body)]
        for name, body in re.findall(r"typedef struct _(\w+)_dditable_t\n\{\n(.*?)\n\} ", text, re.DOTALL)
        if name != layer
    }
    found: dict[str, list[str]] = {}
    for signature in signatures().values():
        table = signature.table.removesuffix("ProcAddrTable").replace("Get", "", 1).lower()
        if table in expected and signature.since <= 0x10004:
            assert signature.slot == len(found.setdefault(table, []))
            found[table].append(signature.name.lower())
    assert found.keys() == expected.keys()
    for table, slots in expected.items():
        assert len(found[table]) == len(slots), table
        assert all(name.endswith(slot) for name, slot in zip(found[table], slots, strict=True)), (table, found[table])
