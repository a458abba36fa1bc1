"""The virtual Xe instruction set: instructions, registers, encoding and text."""

from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    from xegpu.isa.code.kernel import (
        CompiledKernel as CompiledKernel,
        SymbolReference as SymbolReference,
        Variable as Variable,
    )
    from xegpu.isa.code.program import (
        Program as Program,
        decode_program as decode_program,
        encode_program as encode_program,
        has_header as has_header,
    )
    from xegpu.isa.formats import (
        WORD_BYTES as WORD_BYTES,
        DecodeError as DecodeError,
        EncodeError as EncodeError,
        decode as decode,
        encode as encode,
        validate as validate,
        validate_checked as validate_checked,
    )
    from xegpu.isa.model.element_types import ELEMENT_TYPES as ELEMENT_TYPES, ElementType as ElementType
    from xegpu.isa.model.instruction import (
        Combination as Combination,
        ConditionModifier as ConditionModifier,
        IllegalInstruction as IllegalInstruction,
        Instruction as Instruction,
        Predicate as Predicate,
    )
    from xegpu.isa.model.kernel import (
        ArgumentKind as ArgumentKind,
        ImplicitArgument as ImplicitArgument,
        KernelArgument as KernelArgument,
        KernelFacts as KernelFacts,
        SourceArgument as SourceArgument,
    )
    from xegpu.isa.model.operands import (
        Destination as Destination,
        Flag as Flag,
        Immediate as Immediate,
        Region as Region,
        Register as Register,
        RegisterFile as RegisterFile,
        SourceRegister as SourceRegister,
    )
    from xegpu.isa.model.table import (
        BY_MNEMONIC as BY_MNEMONIC,
        TABLE as TABLE,
        Condition as Condition,
        InstructionFormat as InstructionFormat,
        OpSpec as OpSpec,
    )
    from xegpu.isa.model.types import (
        CANONICAL_NANS as CANONICAL_NANS,
        FLOATS as FLOATS,
        INTEGERS as INTEGERS,
        DataType as DataType,
        TypeKind as TypeKind,
    )
    from xegpu.isa.notation.scanner import AssemblyError as AssemblyError
    from xegpu.isa.text.assembler import (
        Assembly as Assembly,
        assemble as assemble,
        assemble_program as assemble_program,
    )
    from xegpu.isa.text.disassembler import (
        disassemble as disassemble,
        format_instruction as format_instruction,
        format_program as format_program,
    )
