"""Parses MLIR text so that every op and every error has a location."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import NoReturn

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, UnknownLoc
from xdsl.ir import AttributeInvT, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.parser.core import ForwardDeclaredValue
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import MultipleSpansParseError, ParseError, VerifyException
from xdsl.utils.lexer import Position, Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xegpu.diagnostics import XDSL_FAILURES, CompileError, Diagnostic, Severity, SourceBuffer, file_name
from xegpu.mlir.attributes import AttributeParser
from xegpu.mlir.schedules import without_schedules
from xegpu.mlir.scope import ValueScope
from xegpu.mlir.wording import reason, reworded

RECURSION_LIMIT = 5000
"""Python frames within each other: regions can be nested about 450 deep with it, and the stack that the interpreter
takes for them stays below the 8 MiB that threads have.
"""

# The passes that follow recurse as deep as the parser, so the limit holds for the whole process. It is raised here, and
# once, since test frameworks object to a limit that changes while they run.
sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT))

MAX_ERRORS = 20
"""Names without a definition that are reported."""

MAX_NAME = 80
"""Characters of a name that a message quotes."""

_OP_NAME = re.compile(r'"?([\w.$]+)')


class LocatingParser(AttributeParser):
    """xDSL's parser, which also gives each op and block argument its location.

    Explicit `loc(...)` in the text wins. Errors carry the position that a person would point at: an undefined value is
    reported where it is first used, an unknown op at its name, an illegal type where it begins.
    """

    def __init__(self, context: Context, source: SourceBuffer):
        super().__init__(context, source)
        self._file_name = file_name(source)
        self.ssa_values = ValueScope()
        self._op_positions: list[Position] = []
        self._op_types: list[type[Operation]] = []
        self._implied: list[tuple[Operation, ...]] = []
        self._first_uses: dict[str, Span] = {}
        self._forward_uses: dict[SSAValue, Span] = {}
        self._definitions: dict[str, Span] = {}

    def _location(self, position: Position) -> FileLineColLoc:
        place = self._source.locate(position)
        return FileLineColLoc(self._file_name, IntAttr(place.line), IntAttr(place.column))

    # Operations

    @override
    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        ops = self._parse_top_level() if allow_implicit_module else [self._parse_expected_operation()]
        if self.forward_ssa_references:
            self._raise_undefined()
        module = ops[0] if len(ops) == 1 else None
        if not isinstance(module, ModuleOp):
            if not allow_implicit_module:
                self.raise_error("builtin.module operation expected", 0)
            module = ModuleOp(ops)
        if isinstance(module.location, UnknownLoc):
            module.location = self._source.locate(0).attribute()  # Nobody has written this operation.
        for implied in self._implied:
            for use in implied[-1].results[0].uses:
                if (block := use.operation.parent) is not None:
                    block.insert_ops_before(implied, use.operation)
        return module

    def _parse_top_level(self) -> list[Operation]:
        """Operations, between which aliases and metadata may stand."""
        ops: list[Operation] = []
        while (kind := self._current_token.kind) is not MLIRTokenKind.EOF:
            if kind in (MLIRTokenKind.HASH_IDENT, MLIRTokenKind.EXCLAMATION_IDENT):
                self._parse_alias_def()
            elif kind is MLIRTokenKind.FILE_METADATA_BEGIN:
                self._parse_file_metadata_dictionary()
            else:
                ops.append(self._parse_expected_operation())
        return ops

    def _parse_expected_operation(self) -> Operation:
        return self.expect(self.parse_optional_operation, "expected an operation")

    def place_before(self, *ops: Operation) -> None:
        """Inserts ops, which the text implies and does not spell out, before the op that is being parsed.

        That op alone uses the result of the last of them.
        """
        for op in ops:
            op.location = self._location(self._op_positions[-1])
        self._implied.append(ops)

    def _raise_undefined(self) -> NoReturn:
        uses = {self._first_uses[name].start: name for name in self.forward_ssa_references}
        self._raise_all({start: f"use of undeclared SSA value name '%{_shortened(uses[start])}'" for start in uses})

    def _raise_all(self, errors: Mapping[Position, str]) -> NoReturn:
        raise CompileError.of(
            [
                Diagnostic(Severity.ERROR, errors[position], self._source.locate(position))
                for position in sorted(errors)[:MAX_ERRORS]
            ]
        )

    @override
    def parse_operation(self) -> Operation:
        depth = len(self._op_positions)
        try:
            op = super().parse_operation()
        except VerifyException as error:
            position = self._op_positions[depth]
            name = _OP_NAME.match(self._source.text, position)
            self.raise_error(f"'{name[1] if name else '?'}' op {reworded(error)}", position)
        position = self._op_positions.pop()
        self._op_types.pop()
        if op.regions:
            self._refuse_values_of_own_regions(op)
        if isinstance(op.location, UnknownLoc):
            op.location = self._location(position)
        return op

    @override
    def _parse_op_result_list(self) -> list[tuple[Span, int]]:
        results = super()._parse_op_result_list()
        self._op_positions.append(self.pos)  # of the op's name
        return results

    @override
    def _get_op_by_name(self, name: str) -> type[Operation]:
        op = self.ctx.get_optional_op(name, dialect_stack=self._parser_state.dialect_stack)
        if op is not None:
            self._op_types.append(op)
            return op
        start = self._op_positions[-1]
        self.raise_error(f"unknown operation '{_shortened(name)}'{self._suggestion(name)}", start, start + len(name))

    def _suggestion(self, name: str) -> str:
        dialect_name, _, mnemonic = name.partition(".")
        if (dialect := self.ctx.get_optional_dialect(dialect_name)) is None:
            right = dialect_name.lower()
            if right != dialect_name and self.ctx.get_optional_dialect(right) is not None:
                return f", did you mean '{right}.{_shortened(mnemonic)}'?"
            return f": there is no dialect '{_shortened(dialect_name)}'" if "." in name else ""
        known = [op.name.removeprefix(f"{dialect_name}.") for op in dialect.operations]
        close = get_close_matches(mnemonic, known, 1, 0.75) or get_close_matches(mnemonic, known, 2, 0.7)
        found = " or ".join(f"'{dialect_name}.{word}'" for word in close)
        return f", did you mean {found}?" if found else f" in dialect '{dialect_name}'"

    # Regions and blocks

    @override
    def parse_optional_region(self, arguments: Iterable[Parser.Argument] | None = None) -> Region | None:
        if self.parse_optional_punctuation("{") is None:
            return None
        outer = (self.ssa_values, self.blocks, self.forward_block_references, self.forward_ssa_references)
        self.ssa_values, self.blocks, self.forward_block_references = ValueScope(self.ssa_values), {}, defaultdict(list)
        is_isolated = bool(self._op_types) and self._op_types[-1].has_trait(
            IsolatedFromAbove, value_if_unregistered=False
        )
        if is_isolated:  # names that it leaves undefined cannot be defined after it
            self.forward_ssa_references = {}
        region = Region()
        if arguments is not None or self._current_token.kind not in (MLIRTokenKind.CARET_IDENT, MLIRTokenKind.R_BRACE):
            region.add_block(self._parse_entry_block(arguments or ()))
        while self.parse_optional_punctuation("}") is None:
            region.add_block(self._parse_block())
        if self.forward_block_references:
            self._raise_undefined_blocks()
        if is_isolated and self.forward_ssa_references:
            self._raise_undefined()
        self.ssa_values, self.blocks, self.forward_block_references, self.forward_ssa_references = outer
        return region

    def _parse_entry_block(self, arguments: Iterable[Parser.Argument]) -> Block:
        """A block without a label, whose arguments the op has named."""
        if self._current_token.kind is MLIRTokenKind.CARET_IDENT:
            self.raise_error("invalid block name in region with named arguments")
        arguments = tuple(arguments)
        block = Block(arg_types=[argument.type for argument in arguments])
        for value, argument in zip(block.args, arguments, strict=True):
            self._register_ssa_definition(argument.name.text[1:], (value,), argument.name)
            value.location = argument.location or value.location
        self._parse_block_body(block)
        return block

    def _raise_undefined_blocks(self) -> NoReturn:
        first = [spans[0] for spans in self.forward_block_references.values()]
        self._raise_all({span.start: f"reference to an undefined block '{_shortened(span.text)}'" for span in first})

    @override
    def _parse_optional_block_arg_list(self, block: Block) -> Block | None:
        if self._current_token.kind is not MLIRTokenKind.L_PAREN:
            return None
        names: list[Span] = []
        arguments: list[BlockArgument] = []

        def parse_argument() -> None:
            names.append(self._parse_token(MLIRTokenKind.PERCENT_IDENT, "expected a block argument").span)
            self.parse_punctuation(":")
            type = self.parse_type()
            arguments.append(BlockArgument(type, block, len(arguments), self.parse_optional_location() or UnknownLoc()))

        self.parse_comma_separated_list(self.Delimiter.PAREN, parse_argument)
        block._args = tuple(arguments)  # at once: appending one copies all before it
        for name, argument in zip(names, arguments, strict=True):
            self._register_ssa_definition(name.text[1:], (argument,), name)
        return block

    @override
    def _parse_block(self) -> Block:
        label = self._parse_token(MLIRTokenKind.CARET_IDENT, "expected an operation, a block or '}'").span
        name = label.text[1:]
        block = self._get_block_from_name(label)
        _, definition = self.blocks[name]
        if definition is not None:
            message = f"redefinition of block '{_shortened(label.text)}'"
            raise MultipleSpansParseError(label, message, None, [(definition, "previously defined here")])
        self.blocks[name] = (block, label)
        self.forward_block_references.pop(name)
        self._parse_optional_block_arg_list(block)
        self.parse_punctuation(":")
        self._parse_block_body(block)
        return block

    @override
    def parse_optional_successor(self) -> Block | None:
        label = self._parse_optional_token(MLIRTokenKind.CARET_IDENT)
        return None if label is None else self._get_block_from_name(label.span)

    # Values

    @override
    def resolve_operand(self, operand: UnresolvedOperand, type: AttributeInvT) -> SSAValue[AttributeInvT]:
        name = operand.operand_name
        if name not in self.ssa_values:
            self._first_uses.setdefault(name, operand.span)
        try:
            value = super().resolve_operand(operand, type)
        except ParseError as error:
            origin = (self._definitions if name in self.ssa_values else self._first_uses).get(name)
            if origin is None:
                raise
            raise MultipleSpansParseError(error.span, error.msg, None, [(origin, "prior use or definition")]) from None
        if isinstance(value, ForwardDeclaredValue):
            self._forward_uses[value] = operand.span
        return value

    def _refuse_values_of_own_regions(self, op: Operation) -> None:
        """Refuses operands that only the regions of the op define: they were resolved before the op existed."""
        for value in op.operands:
            if not isinstance(value, ForwardDeclaredValue):
                continue
            span = self._forward_uses[value]
            name = span.text[1:]
            if value not in self.forward_ssa_references.get(name, {}).values():
                self._raise_all({span.start: f"use of undeclared SSA value name '%{_shortened(name)}'"})

    @override
    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        if name in self.ssa_values and name in self._definitions:
            raise MultipleSpansParseError(
                span,
                f"redefinition of SSA value '%{name}'",
                None,
                [(self._definitions[name], "previously defined here")],
            )
        super()._register_ssa_definition(name, values, span)
        self._definitions[name] = span
        self._first_uses.pop(name, None)
        for value in values:
            if isinstance(value, BlockArgument) and isinstance(value.location, UnknownLoc):
                value.location = self._location(span.start)


def parse_module(context: Context, source: SourceBuffer, *, allow_implicit_module: bool = True) -> ModuleOp:
    """The module that `source` holds.

    Raises `CompileError` for text that is no MLIR of the dialects in `context`, however broken it is. The module is not
    verified yet.
    """
    parser: LocatingParser | None = None
    try:
        parser = LocatingParser(context, without_schedules(source))
        return parser.parse_module(allow_implicit_module)
    except CompileError:
        raise
    except ParseError as error:
        raise CompileError.of([_parse_diagnostic(source, error)]) from error
    except RecursionError:
        raise CompileError(source.locate(parser.pos if parser else 0), "nested too deeply") from None
    except XDSL_FAILURES as error:
        # Broken text makes parts of xDSL's parser fail by assertions, look-ups and conversions instead of a ParseError.
        # For the user it is the same: the text at this place cannot be read.
        place = source.locate(parser.pos if parser else 0)
        raise CompileError(place, f"cannot read this{reason(error)}") from error


def _parse_diagnostic(source: SourceBuffer, error: ParseError) -> Diagnostic:
    notes = []
    if isinstance(error, MultipleSpansParseError):
        for span, message in error.refs:
            notes.append(Diagnostic(Severity.NOTE, message or error.ref_text or "see here", source.locate(span.start)))
    return Diagnostic(Severity.ERROR, reworded(error.msg), source.locate(error.span.start), tuple(notes))


def _shortened(name: str) -> str:
    return name if len(name) <= MAX_NAME else name[:MAX_NAME] + "..."
