"""The extension `ZE_extension_driver_ddi_handles`: each handle of C begins with the addresses of the driver's tables.

A loader that serves several drivers then calls through handles, and need not wrap them. Handles of programs in Python
are objects, so `runtime.ze` does not have the extension; the functions here add it to the answers of the driver.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from runtime import ze
from runtime.ze.dispatch import Function

_EXTENSION = ze.ze_driver_extension_properties_t("ZE_extension_driver_ddi_handles", ze.ZE_MAKE_VERSION(1, 1))

_PROPERTIES = ze.ze_driver_ddi_handles_ext_properties_t(1)


def _with_extension(function: Function) -> Function:
    def zeDriverGetExtensionProperties(hDriver: ze.ze_driver_handle_t) -> list[ze.ze_driver_extension_properties_t]:
        """Returns the extensions of the driver, and that of handles."""
        return [*cast("list[ze.ze_driver_extension_properties_t]", function(hDriver)), _EXTENSION]

    return zeDriverGetExtensionProperties


def _with_properties(function: Function) -> Function:
    def zeDriverGetProperties(hDriver: ze.ze_driver_handle_t, pNext: Sequence[type] = ()) -> ze.ze_driver_properties_t:
        """Returns the properties of the driver, with those of its handles if they are asked for."""
        found = cast(ze.ze_driver_properties_t, function(hDriver, pNext))
        return replace(found, pNext=(*found.pNext, _PROPERTIES)) if type(_PROPERTIES) in pNext else found

    return zeDriverGetProperties


ADDITIONS: Mapping[str, Callable[[Function], Function]] = {
    "zeDriverGetExtensionProperties": _with_extension,
    "zeDriverGetProperties": _with_properties,
}
"""The functions that answer for the extension, each made of the one that `runtime.ze` has."""
