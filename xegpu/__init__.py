"""The languages of Intel Xe GPU kernels and the machines that run them.

`xegpu.dialects` has the MLIR dialects, `xegpu.isa` the virtual Xe ISA, `xegpu.targets` the GPUs, and
`xegpu.diagnostics` the errors of MLIR programs with their locations.
"""

from __future__ import annotations

from xegpu.suggestions import suggestion

__version__ = "0.1.0"

__all__ = ["__version__", "suggestion"]
