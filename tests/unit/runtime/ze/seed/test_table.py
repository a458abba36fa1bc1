"""Every name of specification 0.91 exists, and every function takes the arguments that it has there."""

from __future__ import annotations

import dataclasses
import inspect
from enum import IntEnum, IntFlag
from types import ModuleType

import pytest

from runtime import ze, zet
from runtime.ze.declaration import declared
from runtime.ze.spec.seed import OWN_BITS
from tests.unit.runtime.ze.seed.table import CONSTANTS, enumerations, functions, structures

SHORTER = {
    "zetDebugWriteMemory": {"size"},
    "zetDebugWriteState": {"size"},
    "zetMetricGroupCalculateMetricValues": {"rawDataSize"},
}
"""Parameters that Python has not, as the bytes that follow know their size."""

UNIONS = {"zet_value_t": "zet_typed_value_t"}
"""Unions, and the structures whose member stands for the one that its type names."""

RENUMBERED = {"ze_result_t", "ze_api_version_t", "ze_device_type_t", "ze_memory_advice_t"}
"""Enumerations of both specifications whose values 1.x has changed."""


def module(name: str) -> ModuleType:
    return zet if name.lower().startswith("zet") else ze


def test_the_table_is_whole() -> None:
    enumerators = [name for members in enumerations().values() for name in members]
    assert (len(functions()), len(enumerations()), len(enumerators), len(structures())) == (230, 101, 353, 105)


@pytest.mark.parametrize("name", functions())
def test_functions(name: str) -> None:
    """The form of 0.91 takes its parameters by position, and those that keep their names keep their places."""
    function = next((found for found in declared().values() if found.seed == name), declared().get(name))
    form = getattr(module(name), name)
    if function is not None and function.seed_implementation is not None:
        form = function.seed_implementation
    wanted = [parameter for parameter in functions()[name] if parameter not in SHORTER.get(name, ())]
    signature = inspect.signature(form)
    signature.bind(*wanted)
    assert [each for each in signature.parameters if each in wanted] == [
        each for each in wanted if each in signature.parameters
    ]
    assert callable(getattr(module(name), name))


@pytest.mark.parametrize("kind", enumerations())
def test_enumerations(kind: str) -> None:
    """An enumerator has its value, unless 1.x has another one for the name or the meaning; flags do not overlap."""
    assert issubclass(getattr(module(kind), kind), IntEnum | IntFlag)
    newer = getattr(module(kind), kind.replace("_flag_t", "_flags_t"), None)
    for name, value in enumerations()[kind].items():
        found = getattr(module(name), name)
        assert name in getattr(module(kind), kind).__members__
        if found != value:
            assert kind in RENUMBERED or found == value << OWN_BITS or int(found) in set(map(int, newer))


@pytest.mark.parametrize("kind", structures())
def test_structures(kind: str) -> None:
    found = getattr(module(kind), UNIONS.get(kind, kind))
    names = (
        {field.name.rstrip("_") for field in dataclasses.fields(found)} if dataclasses.is_dataclass(found) else set()
    )
    members = ("value",) if kind in UNIONS else structures()[kind]
    assert [member for member in members if member not in names and not hasattr(found, member)] == []


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants(name: str) -> None:
    assert hasattr(module(name), name)
