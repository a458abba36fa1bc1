"""Reads LLVM IR as text, as LLVM prints it."""

from passes.frontends.llvm.reader.instructions import (
    OPCODES as OPCODES,
    Access as Access,
    Callee as Callee,
    Indices as Indices,
    Instruction as Instruction,
    Labels as Labels,
    Predicate as Predicate,
    Source as Source,
    unquoted as unquoted,
)
from passes.frontends.llvm.reader.metadata import Metadata as Metadata
from passes.frontends.llvm.reader.module import (
    Block as Block,
    Function as Function,
    Module as Module,
    Parameter as Parameter,
    Variable as Variable,
    read_module as read_module,
)
from passes.frontends.llvm.reader.strings import string_at as string_at
from passes.frontends.llvm.reader.tokens import place as place
from passes.frontends.llvm.reader.types import PackedStructType as PackedStructType
from passes.frontends.llvm.reader.values import (
    Constant as Constant,
    Expression as Expression,
    Global as Global,
    Local as Local,
    Undefined as Undefined,
    Value as Value,
    constant_value as constant_value,
    elements_of as elements_of,
)
