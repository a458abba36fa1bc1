"""Addresses of the bytes of arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def address_of(array: NDArray[np.generic]) -> int:
    """Returns the address of the first element.

    Unlike `array.ctypes`, this imports nothing, so it works when the interpreter ends.
    """
    address: int = array.__array_interface__["data"][0]
    return address
