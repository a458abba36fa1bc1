"""Code of whole kernels: programs, control flow, line tables and printf records."""

from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    from xegpu.isa.code.control_flow import broken_flow_rule as broken_flow_rule
    from xegpu.isa.code.features import code_features as code_features
    from xegpu.isa.code.flow import (
        BasicBlock as BasicBlock,
        basic_blocks as basic_blocks,
        blocks_before as blocks_before,
        ends_block as ends_block,
        live_before as live_before,
        never_goes_on as never_goes_on,
        only_goes_down as only_goes_down,
        read_first as read_first,
        return_sites as return_sites,
        subroutines as subroutines,
    )
    from xegpu.isa.code.kernel import (
        CompiledKernel as CompiledKernel,
        SymbolReference as SymbolReference,
        Variable as Variable,
    )
    from xegpu.isa.code.line_table import NO_LINES as NO_LINES, LineTable as LineTable, SourcePlace as SourcePlace
    from xegpu.isa.code.printf import (
        ASSERTION as ASSERTION,
        HEADER_BYTES as HEADER_BYTES,
        RECORD_WORDS as RECORD_WORDS,
        Directive as Directive,
        PrintfType as PrintfType,
        parse_format as parse_format,
    )
    from xegpu.isa.code.program import (
        Program as Program,
        encode_checked_program as encode_checked_program,
        encode_program as encode_program,
        instruction_offsets as instruction_offsets,
    )
    from xegpu.isa.code.source_text import printable as printable, source_lines as source_lines
    from xegpu.isa.code.spinning import Edge as Edge, spinning_edges as spinning_edges
