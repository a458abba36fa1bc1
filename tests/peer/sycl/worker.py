"""Runs a group of operations on the simulated GPU, and prints those whose results differ from numpy's."""

from __future__ import annotations

import json
import sys
import time

import dpctl.tensor
import numpy as np

from tests.peer.sycl.operations import GROUPS, Arrays

TOLERANCES = {"f": 2e-5, "d": 1e-12, "e": 2e-3, "F": 2e-5}
"""Relative errors by the type of the result: functions of SYCL are accurate to a few units in the last place."""


def difference(found: object, expected: object) -> str:
    """Returns how a result differs from the expected one; nothing if it is right."""
    if isinstance(expected, tuple):
        assert isinstance(found, tuple | list)
        parts = zip(found, expected, strict=True)
        return next(filter(None, (difference(*part) for part in parts)), "")
    got, wanted = dpctl.tensor.asnumpy(found), np.asarray(expected)
    if got.shape != wanted.shape:
        return f"shape {got.shape}, expected {wanted.shape}"
    if got.dtype.kind in "fc":
        tolerance = TOLERANCES[got.dtype.char]
        right = np.isclose(got, wanted, rtol=tolerance, atol=tolerance, equal_nan=True)
    else:
        right = got == wanted
    if np.all(right):
        return ""
    place = tuple(np.argwhere(~right)[0])
    return f"{np.sum(~right)} of {right.size} values differ: {got[place]} at {place}, expected {wanted[place]}"


def main(group: str) -> None:
    wrong, seconds = {}, {}
    for name, operation in GROUPS[group].items():
        begin = time.perf_counter()
        with np.errstate(all="ignore"):
            wrong[name] = difference(operation(Arrays(dpctl.tensor)), operation(Arrays(np)))
        seconds[name] = time.perf_counter() - begin
    print(json.dumps({"count": len(wrong), "wrong": {name: text for name, text in wrong.items() if text}}))
    if "--times" in sys.argv:
        print(sorted(((round(time, 2), name) for name, time in seconds.items()), reverse=True)[:8], file=sys.stderr)


main(sys.argv[1])
