"""Cases that other tools are known not to take: a tool that refuses another one fails the test."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tests.peer.opencl import cpu

_SHUFFLES = "ballots|blocks|generics|group_functions|(intel|khronos|vector)_shuffles|larger_groups|non_uniform|plane"

CPU: Mapping[str, Mapping[str, str]] = {
    "pocl": {
        f"{_SHUFFLES}|subgroup_functions": "no functions of groups, subgroups and planes",
        "half_functions|half_vectors|halves_.*": "no halfs",
        "copies_(rg|ra|abgr)(8|16|32).*": "no images of these channels",
        "buffers": "no images of buffers",
        "depths": "no images of depths",
    },
    "pocl of today": {
        "ballots|blocks|(intel|khronos|vector)_shuffles|non_uniform": "no shuffles and ballots of subgroups",
        "subgroup_functions": "no barriers of subgroups",
        "half_functions|half_vectors|halves_rgba.*": "no halfs",
        "(copies|facts|rounds)_(r|a|rg|ra|argb|abgr)(8|16|32).*": "no images of these channels",
        "depths": "no images of depths",
        "updates_in_place": "no images that are read and written",
    },
    "intel": {"copies_abgr8.*": "no images of these channels"},
}
"""By driver: what the names of cases match, and what the driver has not."""

WRONG: Mapping[str, frozenset[str]] = {"pocl of today": frozenset({"local_arrays"})}
"""By driver: the cases that it computes wrongly. PoCL 7.1 mixes up what work-items pass through local memory."""

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


def known_of_cpu(name: str, driver: str | None = None) -> str | None:
    """Returns why a driver for CPUs, by default that which `cpu.driver` names, refuses a case, if that is known."""
    rows = CPU[driver or cpu.driver() or "pocl"]
    return next((reason for pattern, reason in rows.items() if re.fullmatch(pattern, name)), None)


def known_of_ocloc(text: str, gpu: str) -> str | None:
    """Returns why ocloc refuses a text, if that is known."""
    return next((reason for pattern, reason in OCLOC[gpu].items() if re.search(pattern, text)), None)
