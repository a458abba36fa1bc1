"""Cases that other tools are known not to take: a tool that refuses another one fails the test."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tests.peer.opencl import cpu

_SHUFFLES = "ballots|blocks|generics|group_functions|(intel|khronos|vector)_shuffles|larger_groups|non_uniform|plane"

CPU: Mapping[str, Mapping[str, str]] = {
    "libpocl": {
        f"{_SHUFFLES}|subgroup_functions": "no functions of groups, subgroups and planes",
        "half_functions|half_vectors|halves_.*": "no halfs",
        "copies_(rg|ra|abgr)(8|16|32).*": "no images of these channels",
        "buffers": "no images of buffers",
        "depths": "no images of depths",
    },
    "libintelocl": {"copies_abgr8.*": "no images of these channels"},
}
"""By driver: what the names of cases match, and what the driver has not."""

OCLOC: Mapping[str, Mapping[str, str]] = {
    "pvc": {
        r"\bsub_group_rotate\b": "no sub_group_rotate",
        r"\bkernel void switches\b": "it aborts, unless it does not optimise",
    },
    "dg2": {
        r"double": "no doubles",
        r"\bsub_group_rotate\b": "no sub_group_rotate",
        r"\bkernel void switches\b": "it aborts, unless it does not optimise",
    },
}
"""By GPU: what is in the texts that ocloc does not compile to code of it."""


def known_of_cpu(name: str) -> str | None:
    """Returns why the driver for CPUs refuses a case, if that is known."""
    driver = cpu.driver()
    assert driver is not None
    rows = next((rows for library, rows in CPU.items() if driver.name.startswith(library)), {})
    return next((reason for pattern, reason in rows.items() if re.fullmatch(pattern, name)), None)


def known_of_ocloc(text: str, gpu: str) -> str | None:
    """Returns why ocloc refuses a text, if that is known."""
    return next((reason for pattern, reason in OCLOC[gpu].items() if re.search(pattern, text)), None)
