"""Native code of Xe GPUs: its instructions, their words and their text in the syntax of Intel's assembler."""

from xegpu.isa.native.emission.program import EmissionError as EmissionError, emit_native as emit_native
from xegpu.isa.native.emission.words.context import RESERVED_REGISTERS as RESERVED_REGISTERS
from xegpu.isa.native.encoding.instruction import (
    NativeInstruction as NativeInstruction,
    decode_native as decode_native,
    encode_native as encode_native,
)
from xegpu.isa.native.lowering.context import (
    ACCUMULATORS as ACCUMULATORS,
    BoundAddress as BoundAddress,
    hidden_registers as hidden_registers,
)
from xegpu.isa.native.lowering.entry import filled_at as filled_at
from xegpu.isa.native.lowering.program import lower_native as lower_native
from xegpu.isa.native.platforms import UnknownEncoding as UnknownEncoding, has_encoding as has_encoding
from xegpu.isa.native.scoreboard.checker import find_hazards as find_hazards
from xegpu.isa.native.scoreboard.footprint import footprint as footprint, is_predicated as is_predicated
from xegpu.isa.native.text.formatter import format_native as format_native
from xegpu.isa.native.text.listing import NativeLines as NativeLines
from xegpu.isa.native.text.program import (
    assemble_native as assemble_native,
    assemble_native_program as assemble_native_program,
    format_native_program as format_native_program,
    native_instructions as native_instructions,
    native_lines as native_lines,
)
