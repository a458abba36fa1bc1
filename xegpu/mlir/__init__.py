"""MLIR as text: read by a parser that locates, verified, and what dialects need beside xDSL's public interface.

This is the border to xDSL: no other package overrides or calls private members of it, so that a newer release concerns
this folder alone. xDSL's parser keeps no locations of its own, reports errors after the text that they are about, takes
time that grows with the square of some inputs, and fails with Python's exceptions for broken ones; its verifier stops
at the first error and does not check dominance. The methods that override xDSL's are marked `override`.

https://mlir.llvm.org/docs/LangRef/
"""

from xegpu.mlir.affine import (
    parse_affine_expression as parse_affine_expression,
    print_affine_expression as print_affine_expression,
)
from xegpu.mlir.extension import definitions as definitions, extend as extend, with_properties as with_properties
from xegpu.mlir.opaque import OpaqueTextAttr as OpaqueTextAttr
from xegpu.mlir.parsing import LocatingParser as LocatingParser, parse_module as parse_module
from xegpu.mlir.refusals import refused as refused
from xegpu.mlir.schedules import without_schedules as without_schedules
from xegpu.mlir.verification import verify as verify
