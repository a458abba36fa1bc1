"""Names that mlir-opt has for passes which are called otherwise here, or whose work others do."""

from __future__ import annotations

from collections.abc import Mapping

RENAMED: Mapping[str, str] = {"xegpu-sg-to-lane-distribute": "xegpu-subgroup-distribute"}
"""The names of passes in LLVM 23 that have another one in LLVM 22 and here."""

_COMPILED = "xe-pipeline{target=pvc} (--target pvc) compiles"

ELSEWHERE: Mapping[str, str] = {
    "convert-math-to-xevm": f"{_COMPILED} math itself",
    "convert-vector-to-xegpu": f"{_COMPILED} vectors itself; xegpu-run --lower-with mlir-opt runs that pass",
    "convert-xegpu-to-xevm": f"{_COMPILED} XeGPU itself",
    "convert-xevm-to-llvm": f"{_COMPILED} XeVM itself",
    "gpu-lower-to-xevm-pipeline": "use xe-pipeline{target=pvc op-level=LEVEL} for xegpu-op-level=LEVEL",
    "xegpu-fold-alias-ops": f"{_COMPILED} views of buffers itself",
    "xegpu-optimize-block-loads": "xegpu-optimize-transpose and xegpu-combine-loads improve loads",
    "xegpu-optimize-peephole": "xegpu-optimize-transpose and xegpu-combine-loads improve loads",
    "xevm-attach-target": "use xe-pipeline{target=pvc}",
}
"""The advice that refusals give for passes of mlir-opt that do not exist here, by the names of these."""
