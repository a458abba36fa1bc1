"""Code of whole kernels: programs, control flow, line tables and printf records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xegpu.on_demand import public_names

if TYPE_CHECKING:
    from xegpu.isa.code.control_flow import broken_flow_rule
    from xegpu.isa.code.features import code_features
    from xegpu.isa.code.flow import (
        BasicBlock,
        basic_blocks,
        blocks_before,
        ends_block,
        live_before,
        never_goes_on,
        only_goes_down,
        read_first,
        return_sites,
        subroutines,
    )
    from xegpu.isa.code.kernel import CompiledKernel, SymbolReference, Variable
    from xegpu.isa.code.line_table import NO_LINES, LineTable, SourcePlace
    from xegpu.isa.code.printf import ASSERTION, HEADER_BYTES, RECORD_WORDS, Directive, PrintfType, parse_format
    from xegpu.isa.code.program import Program, encode_checked_program, encode_program, instruction_offsets
    from xegpu.isa.code.source_text import printable, source_lines
    from xegpu.isa.code.spinning import Edge, spinning_edges


__all__ = [
    "ASSERTION",
    "HEADER_BYTES",
    "NO_LINES",
    "RECORD_WORDS",
    "BasicBlock",
    "CompiledKernel",
    "Directive",
    "Edge",
    "LineTable",
    "PrintfType",
    "Program",
    "SourcePlace",
    "SymbolReference",
    "Variable",
    "basic_blocks",
    "blocks_before",
    "broken_flow_rule",
    "code_features",
    "encode_checked_program",
    "encode_program",
    "ends_block",
    "instruction_offsets",
    "live_before",
    "never_goes_on",
    "only_goes_down",
    "parse_format",
    "printable",
    "read_first",
    "return_sites",
    "source_lines",
    "spinning_edges",
    "subroutines",
]

__getattr__ = public_names(
    __name__,
    {
        ".control_flow": "broken_flow_rule",
        ".features": "code_features",
        ".flow": "BasicBlock basic_blocks blocks_before ends_block live_before never_goes_on only_goes_down "
        "read_first return_sites subroutines",
        ".kernel": "CompiledKernel SymbolReference Variable",
        ".line_table": "NO_LINES LineTable SourcePlace",
        ".printf": "ASSERTION HEADER_BYTES RECORD_WORDS Directive PrintfType parse_format",
        ".program": "Program encode_checked_program encode_program instruction_offsets",
        ".source_text": "printable source_lines",
        ".spinning": "Edge spinning_edges",
    },
)
