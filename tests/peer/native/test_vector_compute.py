"""Kernels of vector compute as Intel's compiler makes them from the SPIR-V that ours gets: they compute the same."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.peer.generations import missing, program
from tests.unit.passes.frontends.spirv.test_vector_compute import (
    CORPUS,
    test_a_work_item_is_a_subgroup as check_vector_add,
    test_arithmetic as check_arithmetic,
    test_blocks_and_products as check_products,
    test_messages as check_messages,
    test_messages_with_packed_descriptors as check_packed_messages,
    test_regions as check_regions,
)

CHECKS = [check_vector_add, check_regions, check_messages, check_products, check_packed_messages, check_arithmetic]


@pytest.mark.sampled(every=8, all=1)
def test_binaries_of_intels_compiler(tmp_path: Path) -> None:
    """They have no symbol where the registers are filled."""
    if (ocloc := program("ocloc", "today")) is None:
        pytest.skip(missing("ocloc", "intel-ocloc", "today"))
    source = CORPUS / "vector_compute.llvm-spirv22.spv"
    command = [ocloc, "compile", "-file", str(source), "-spirv_input", "-device", "pvc", "--format", "zebin"]
    command += ["-options", "-vc-codegen", "-output", "made", "-out_dir", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    (made,) = tmp_path.glob("made*.bin") or pytest.fail(done.stdout)
    binary = made.read_bytes()
    for check in CHECKS:
        check(binary)
