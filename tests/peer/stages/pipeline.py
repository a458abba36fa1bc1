"""Upstream's pipeline from XeGPU to the llvm dialect, by the text that each of its passes leaves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tests.peer.mlir_opt import mlir_opt

WRITTEN = "as written"
_TABLE = (
    ("subgroup layouts", "xegpu-propagate-layout{.*layout-kind=subgroup"),
    ("wg-to-sg", "xegpu-wg-to-sg-distribute"),
    ("inst layouts", "xegpu-propagate-layout{.*layout-kind=inst"),
    ("blocking", "xegpu-blocking"),
    ("lane layouts", "xegpu-propagate-layout{.*layout-kind=lane"),
    ("peephole", "xegpu-optimize-peephole"),
    ("to lanes", "xegpu-subgroup-distribute|xegpu-sg-to-lane-distribute"),
    ("linearize", "xegpu-vector-linearize"),
    ("math to xevm", "convert-math-to-xevm"),
    ("xegpu to xevm", "convert-xegpu-to-xevm"),
    ("gpu to llvm", "convert-gpu-to-llvm-spv"),
    ("scf to cf", "convert-scf-to-cf"),
    ("vector to llvm", "convert-vector-to-llvm"),
    ("to llvm", "convert-to-llvm"),
    ("xevm to llvm", "convert-xevm-to-llvm"),
)
"""The stages, each with the pass that begins it; what other passes leave, such as `cse`, belongs to the one before."""

STAGES = (WRITTEN, *(stage for stage, _ in _TABLE))
_END = "gpu-module-to-binary"

_PASS = re.compile(r"^ +([\w-]+(?:\{.*\})?),?$", re.MULTILINE)
_OTHERS = re.compile(r"^  (func\.func|builtin\.module)\(.*?\n  \)", re.MULTILINE | re.DOTALL)
"""Passes on operations that files of kernels do not have."""
_DUMP = re.compile(r"^// -----// IR Dump After \w+( Failed)?:? \(?([\w-]+).*\n", re.MULTILINE)
_MODULE = re.compile(r".*^\}$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Lowering:
    """Holds what a version makes of a kernel: the last text of each stage that changes it, and why it ends where."""

    texts: Mapping[str, str]
    refusal: tuple[str, str] | None


def lowered(version: int, text: str, level: str) -> Lowering:
    """Returns what mlir-opt leaves of a kernel after the stages of its pipeline."""
    done = mlir_opt(
        version,
        text,
        f"--gpu-lower-to-xevm-pipeline=xegpu-op-level={level} zebin-chip=pvc binary-format=llvm",
        "--dump-pass-pipeline",
        "--mlir-print-ir-after-all",
        "--mlir-print-ir-module-scope",
        "--mlir-disable-threading",
        "-o=/dev/null",
    )
    listing, *dumps = _DUMP.split(done.stderr)
    passes = _PASS.findall(_OTHERS.sub("", listing.partition("\n)")[0]))
    if not passes:
        return Lowering({}, (WRITTEN, _first_error(done.stderr) or "it crashes"))
    texts: dict[str, str] = {}
    stage, last = WRITTEN, ""
    for number, step in enumerate(passes):
        if step.startswith(_END):
            break
        stage = max(stage, _begun_by(step), key=STAGES.index)
        failed, name, dump = dumps[3 * number : 3 * number + 3] or ("it crashes", "", "")
        if failed:
            return Lowering(texts, (stage, _first_error(done.stderr) or "it crashes"))
        assert step.startswith(name)
        if (printed := _up_to_the_end(dump)) != last:
            texts[stage] = printed
        last = printed
    return Lowering(texts, None)


def refusal(version: int, text: str) -> str | None:
    """Returns why a version does not read a text; None if it does."""
    done = mlir_opt(version, text, "-o=/dev/null")
    return (_first_error(done.stderr) or "it crashes") if done.returncode else None


def _begun_by(step: str) -> str:
    return next((stage for stage, pattern in _TABLE if re.match(pattern, step)), WRITTEN)


def _up_to_the_end(dump: str) -> str:
    """Returns a module without the diagnostics that follow it."""
    found = _MODULE.match(dump)
    assert found
    return found[0]


def _first_error(output: str) -> str | None:
    found = re.search(r"error: (.*)", output)
    return found and found[1]
