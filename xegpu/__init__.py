"""The languages of Intel Xe GPU kernels and the machines that run them.

`xegpu.dialects` has the MLIR dialects, `xegpu.isa` the virtual Xe ISA, `xegpu.targets` the GPUs, and
`xegpu.diagnostics` the errors of MLIR programs with their locations.
"""

from xegpu.suggestions import suggestion as suggestion

__version__ = "0.1.0"
