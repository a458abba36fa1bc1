"""Names of the headers: constants, structure types, and functions that are not supported."""

from __future__ import annotations

import pytest

from runtime import ze
from runtime.ze.unsupported import UNSUPPORTED
from tests.unit.runtime.ze.expect import fails


def test_constants() -> None:
    assert (ze.ZE_MAX_IPC_HANDLE_SIZE, ze.ZE_MAX_DEVICE_NAME, ze.ZE_MAX_EXTENSION_NAME) == (64, 256, 256)
    assert ze.ZE_MAKE_VERSION(1, 4) == ze.ZE_API_VERSION_1_4
    assert (ze.ZE_MAJOR_VERSION(0x10004), ze.ZE_MINOR_VERSION(0x10004), ze.ZE_BIT(4)) == (1, 4, 16)
    assert ze.ZE_STRUCTURE_TYPE_MODULE_DESC == 0x1B
    assert ze.ZE_RESULT_EXP_ERROR_REMOTE_DEVICE == 0x7FF00003


@pytest.mark.parametrize("name", [name for names, _ in UNSUPPORTED for name in names.split()])
def test_functions_that_are_not_supported(name: str) -> None:
    with fails("UNSUPPORTED_FEATURE", name):
        getattr(ze, name)(None, 1, pNext=None)
