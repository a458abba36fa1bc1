"""Configuration of the FileCheck tests: `lit tests/lit`."""

# ruff: noqa: F821 - lit defines config and lit_config
import atexit
import contextlib
import os
import shutil
import sys
from pathlib import Path

import lit.formats

config.name = "xegpu-toolkit"
config.test_format = lit.formats.ShTest(execute_external=False)  # lit's own shell: the same on every machine
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])

IS_COLD = "cold" in lit_config.params

# Commands are forked from a server that has imported them; `lit --param cold` starts each on its own instead.
if not IS_COLD and hasattr(os, "pidfd_open"):
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.warm import warm_commands

    running = contextlib.ExitStack()
    config.environment["PATH"] = f"{running.enter_context(warm_commands())}{os.pathsep}{config.environment['PATH']}"
    atexit.register(running.close)

config.substitutions += [
    ("XEGPU_ROUNDTRIP", "xegpu-opt %s | xegpu-opt | filecheck %s"),
    ("XEGPU_GENERIC_ROUNDTRIP", "xegpu-opt %s --print-op-generic | xegpu-opt | filecheck %s"),
    # The file, comments aside, is printed as it is written, and again after a detour through the generic form.
    (
        "XEGPU_CANONICAL",
        "grep -v '^ *//' %s > %t && xegpu-opt %s | diff %t -"
        " && xegpu-opt %s --print-op-generic | xegpu-opt | diff %t -",
    ),
    ("XEGPU_INVALID", "xegpu-opt %s --split-input-file --verify-diagnostics"),
]

config.available_features |= {
    tool for tool in ("clang-22", "iga64", "mlir-opt-19", "mlir-opt-22") if shutil.which(tool)
}

if lit_config.maxIndividualTestTimeIsSupported[0]:
    config.maxIndividualTestTime = 120 if IS_COLD else 20  # seconds; a test may start a dozen commands
