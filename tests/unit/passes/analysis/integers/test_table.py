"""The tables of rules: they are complete, and each operation has one rule."""

from __future__ import annotations

import pytest
from xdsl.dialects.arith import AddiOp
from xdsl.irdl import IRDLOperation

from passes.analysis.integers import RULES, SOURCES
from passes.analysis.integers.table import rule, source
from xegpu.dialects import dialects
from xegpu.dialects.upstream.gpu import ThreadIdOp

WITHOUT_RULES = {
    "floating point": {
        *(f"arith.{name}f" for name in ("add", "sub", "mul", "div", "rem", "neg", "cmp", "ext", "trunc")),
        *(f"arith.{name}" for name in ("minimumf", "minnumf", "maximumf", "maxnumf", "scaling_extf", "scaling_truncf")),
        *(f"arith.{name}" for name in ("fptosi", "fptoui", "sitofp", "uitofp")),
    },
    "numbers of other lanes": {
        f"gpu.{name}" for name in ("all_reduce", "ballot", "subgroup_reduce", "shuffle", "rotate")
    },
    "clusters, which no supported GPU has": {
        f"gpu.{name}" for name in ("cluster_block_id", "cluster_dim_blocks", "cluster_dim", "cluster_id")
    },
    "memory of the work-group": {"gpu.dynamic_shared_memory"},
    "host code": {f"gpu.{name}" for name in ("alloc", "dealloc", "launch", "launch_func", "memcpy", "memset", "wait")},
}
"""By reason: the operations with results of which nothing is said."""


@pytest.mark.parametrize("dialect", ["arith", "gpu", "index"])
def test_operations_have_rules_or_a_reason(dialect: str) -> None:
    kinds = [kind for kind in dialects()[dialect]().operations if issubclass(kind, IRDLOperation)]
    having = {kind.name for kind in kinds if kind.get_irdl_definition().results}
    without = {name for names in WITHOUT_RULES.values() for name in names if name.startswith(f"{dialect}.")}
    assert having - RULES.keys() - SOURCES.keys() == without


def test_operations_have_one_rule() -> None:
    with pytest.raises(ValueError, match=r"arith\.addi has a rule already"):
        rule(AddiOp)(RULES["arith.addi"])
    with pytest.raises(ValueError, match=r"gpu\.thread_id has a rule already"):
        source(ThreadIdOp)(SOURCES["gpu.thread_id"])
    with pytest.raises(ValueError, match=r"gpu\.thread_id has a rule already"):
        rule(ThreadIdOp)(RULES["arith.addi"])
