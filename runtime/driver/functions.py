"""The functions that the driver has in C, and what each of them calls: those that the packages of the APIs declare."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

from runtime.driver.abi import CFunction, signatures
from runtime.driver.handle_tables import ADDITIONS
from runtime.driver.marshalling import Answer, answer, answer_by_hand, package_of
from runtime.driver.without_driver import WITHOUT_DRIVER
from runtime.ze.declaration import declared
from runtime.ze.dispatch import Function, driver_function
from runtime.ze.layers import layers_in
from runtime.ze.layers.validation import ValidationCheck, ValidationLayer


def offered() -> Mapping[str, CFunction]:
    """Returns the functions of C that have an implementation, in the order of their tables."""
    for name in signatures():
        package_of(name)
    known = declared().keys() | WITHOUT_DRIVER.keys()
    return {name: signature for name, signature in signatures().items() if name in known}


def _validated(name: str) -> Function:
    """Returns a function of the driver, behind the checks of parameters if the environment asks for them.

    The loader has a validation layer of its own; this one knows the state of objects, and serves the stand-in, too.
    """
    function = driver_function(name)
    layer = _layer()
    return function if layer is None else layer.wrap(name, function)


@cache
def _layer() -> ValidationLayer | None:
    chosen = layers_in(os.environ).checks & {ValidationCheck.PARAMETERS}
    return ValidationLayer.of(chosen) if chosen else None


def callable_of(name: str) -> Answer:
    """Returns what the function of C calls. The package of its API is imported, so a program that uses none of it does
    not wait for that.
    """
    package_of(name)
    function = WITHOUT_DRIVER.get(name) or _validated(name)
    if name in ADDITIONS:
        function = ADDITIONS[name](function)
    return answer_by_hand(name, function) or answer(signatures()[name], function)
