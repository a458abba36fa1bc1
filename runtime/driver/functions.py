"""The functions that the driver has in C, and what each of them calls: those that the packages of the APIs declare."""

from __future__ import annotations

from collections.abc import Mapping

from runtime.driver.abi import CFunction, signatures
from runtime.driver.leniency import lenient
from runtime.driver.marshalling import Answer, answer, answer_by_hand, package_of
from runtime.driver.without_driver import WITHOUT_DRIVER
from runtime.ze.declaration import declared
from runtime.ze.dispatch import driver_function


def offered() -> Mapping[str, CFunction]:
    """Returns the functions of C that have an implementation, in the order of their tables."""
    for name in signatures():
        package_of(name)
    known = declared().keys() | WITHOUT_DRIVER.keys()
    return {name: signature for name, signature in signatures().items() if name in known}


def callable_of(name: str) -> Answer:
    """Returns what the function of C calls. The package of its API is imported, so a program that uses none of it does
    not wait for that.
    """
    package_of(name)
    function = WITHOUT_DRIVER.get(name) or lenient(name, driver_function(name))
    return answer_by_hand(name, function) or answer(signatures()[name], function)
