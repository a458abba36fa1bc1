"""Parses MLIR text so that every op and every error has a location."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import NoReturn, TypeVar

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyDenseElement,
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FileLineColLoc,
    FloatAttr,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    RankedStructure,
    StringAttr,
    UnknownLoc,
    f64,
    i64,
)
from xdsl.ir import Attribute, AttributeInvT, Block, BlockArgument, Operation, Region, SSAValue, TypeAttribute
from xdsl.ir.affine import AffineMap, AffineSet
from xdsl.parser import Parser, ParserState, UnresolvedOperand
from xdsl.parser.core import ForwardDeclaredValue
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import MultipleSpansParseError, ParseError, VerifyException
from xdsl.utils.lexer import Input, Position, Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xegpu.diagnostics.diagnostic import XDSL_FAILURES, CompileError, Diagnostic, Severity
from xegpu.diagnostics.mlir.literals import MAX_DIGITS, DenseElement, Lexer, float_value
from xegpu.diagnostics.mlir.locations import LocationParser
from xegpu.diagnostics.mlir.scope import ValueScope
from xegpu.diagnostics.mlir.semi_affine import SemiAffineParser
from xegpu.diagnostics.source import SourceBuffer
from xegpu.diagnostics.wording import reason, reworded

T = TypeVar("T")

MAX_INTEGER_BITS = (1 << 24) - 1
"""Width of an integer type, as in MLIR."""

MAX_LITERAL = 1 << 24
"""Elements of a constant; xDSL writes out even one that repeats a single value."""

MAX_RANK = 1024
"""Dimensions of a shape; xDSL takes time that grows with the square of their number."""

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

# A name and its parameters in angle brackets, up to three deep. Arrows and strings end the match.
_BRACKETED = re.compile(r'[!#]?[A-Za-z_][\w.$]*+<[^<>"]*+(?:<[^<>"]*+(?:<[^<>"]*+>[^<>"]*+)*+>[^<>"]*+)*+>')
_UNDEFINED_ALIAS = re.compile("undefined symbol alias '(.*)'")
_OP_NAME = re.compile(r'"?([\w.$]+)')
_TOO_MANY_DIMENSIONS = re.compile(rf"(?:\[?(?:\d++|\?)\]?x){{{MAX_RANK}}}\[?[\d?]")


class LocatingParser(LocationParser):
    """xDSL's parser, which also gives each op and block argument its location.

    Explicit `loc(...)` in the text wins. Errors carry the position that a person would point at: an undefined value is
    reported where it is first used, an unknown op at its name, an illegal type where it begins.
    """

    def __init__(self, context: Context, source: SourceBuffer):
        super().__init__(context, "", source.name)
        self._parser_state = ParserState(Lexer(Input(source.text, source.name)))
        self._source = source
        self._file_name = StringAttr(source.name)
        self.ssa_values = ValueScope()
        self._op_positions: list[Position] = []
        self._op_types: list[type[Operation]] = []
        self._implied: list[tuple[Operation, ...]] = []
        self._first_uses: dict[str, Span] = {}
        self._forward_uses: dict[SSAValue, Span] = {}
        self._definitions: dict[str, Span] = {}
        self._types: dict[str, TypeAttribute] = {}
        self._attributes: dict[str, Attribute] = {}

    def _location(self, position: Position) -> FileLineColLoc:
        place = self._source.locate(position)
        return FileLineColLoc(self._file_name, IntAttr(place.line), IntAttr(place.column))

    # Operations

    @override
    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        try:
            module = super().parse_module(allow_implicit_module)
        except ParseError as error:
            if error.msg.startswith("values used but not defined"):
                self._raise_undefined()
            if error.msg != "Could not parse entire input!":
                raise
            if not allow_implicit_module or self._current_token.kind is not MLIRTokenKind.EOF:
                self.raise_error("expected an operation")
            module = ModuleOp([])  # nothing, or comments and aliases alone
        if isinstance(module.location, UnknownLoc):
            module.location = self._location(0)
        for ops in self._implied:
            for use in ops[-1].results[0].uses:
                if (block := use.operation.parent) is not None:
                    block.insert_ops_before(ops, use.operation)
        return module

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
            return f": there is no dialect '{_shortened(dialect_name)}'" if "." in name else ""
        known = [op.name.removeprefix(f"{dialect_name}.") for op in dialect.operations]
        close = get_close_matches(mnemonic, known, n=1, cutoff=0.75)
        return f", did you mean '{dialect_name}.{close[0]}'?" if close else f" in dialect '{dialect_name}'"

    # Regions and blocks

    @override
    def parse_optional_region(self, arguments: Iterable[Parser.Argument] | None = None) -> Region | None:
        if self._current_token.kind is not MLIRTokenKind.L_BRACE:
            return None
        outer, self.ssa_values = self.ssa_values, ValueScope(self.ssa_values)
        outer_references = self.forward_ssa_references
        is_isolated = bool(self._op_types) and self._op_types[-1].has_trait(
            IsolatedFromAbove, value_if_unregistered=False
        )
        if is_isolated:  # names that it leaves undefined cannot be defined after it
            self.forward_ssa_references = {}
        try:
            region = super().parse_optional_region(None if arguments is None else tuple(arguments))
        except MultipleSpansParseError as error:
            if not error.msg.startswith("region ends with missing block declarations"):
                raise
            self._raise_undefined_blocks()
        if is_isolated:
            if self.forward_ssa_references:
                self._raise_undefined()
            self.forward_ssa_references = outer_references
        self.ssa_values = outer
        return region

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
    def parse_affine_map(self) -> AffineMap:
        return SemiAffineParser(self._parser_state).parse_affine_map()

    @override
    def parse_affine_set(self) -> AffineSet:
        return SemiAffineParser(self._parser_state).parse_affine_set()

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

    # Attributes and types, whose own rules are checked when they are made

    @override
    def parse_optional_type(self) -> TypeAttribute | None:
        return self._remembered(self._types, super().parse_optional_type)

    @override
    def parse_optional_attribute(self) -> Attribute | None:
        return self._remembered(self._attributes, super().parse_optional_attribute)

    def _remembered(self, known: dict[str, T], parse: Callable[[], T | None]) -> T | None:
        """Returns the result of `parse`, or that of the same text before: programs repeat few types many times."""
        text, start = self._source.text, self.pos
        spelling = _BRACKETED.match(text, start)
        if spelling is None:
            return self._checked(parse)
        if (found := known.get(spelling[0])) is not None:
            self._resume_from(spelling.end())
            return found
        parsed = self._checked(parse)
        is_all_of_it = self.pos >= spelling.end() and not text[spelling.end() : self.pos].strip()
        if parsed is not None and is_all_of_it:
            known[spelling[0]] = parsed
        return parsed

    @override
    def _parse_optional_integer_or_float_type(self) -> TypeAttribute | None:
        start = self.pos
        if len(self._current_token.span) > MAX_DIGITS:
            return None
        parsed = super()._parse_optional_integer_or_float_type()
        if isinstance(parsed, IntegerType) and parsed.bitwidth > MAX_INTEGER_BITS:
            self.raise_error(f"integer bitwidth is limited to {MAX_INTEGER_BITS} bits", start, self.pos)
        return parsed

    @override
    def parse_shape_dimension(self, allow_dynamic: bool = True) -> int:
        if _TOO_MANY_DIMENSIONS.match(self._source.text, self.pos):
            self.raise_error(f"a shape has at most {MAX_RANK} dimensions")
        return super().parse_shape_dimension(allow_dynamic)

    @override
    def parse_optional_builtin_int_or_float_attr(self) -> IntegerAttr | FloatAttr | None:
        if (boolean := self.try_parse_builtin_boolean_attr()) is not None:
            return boolean
        start = self.pos
        if (value := self.parse_optional_number()) is None:
            return None
        literal = Span(start, self.pos, self.lexer.input)
        if self._current_token.kind is not MLIRTokenKind.COLON:
            return FloatAttr(value, f64) if isinstance(value, float) else IntegerAttr(value, i64)
        type = self._parse_attribute_type()
        if isinstance(type, AnyFloat):
            return FloatAttr(float_value(self, value, literal, type), type)
        if not isinstance(type, IntegerType | IndexType):
            self.raise_error(f"a number has an integer, index or float type, got {type}", literal)
        if isinstance(value, float):
            self.raise_error(f"floating point value not valid for type {type}", literal)
        return IntegerAttr(value, type)

    @override
    def _parse_tensor_literal_element(self) -> DenseElement:
        element = super()._parse_tensor_literal_element()
        return DenseElement(element.is_negative, element.value, element.span)

    @override
    def parse_dense_int_or_fp_elements_attr(
        self, type: RankedStructure[AnyDenseElement] | None
    ) -> DenseIntOrFPElementsAttr:
        if type is not None:
            self._check_size(type)
        return super().parse_dense_int_or_fp_elements_attr(type)

    @override
    def _parse_dense_literal_type(self) -> RankedStructure[AnyDenseElement]:
        literal_type = super()._parse_dense_literal_type()
        self._check_size(literal_type)
        return literal_type

    def _check_size(self, literal_type: RankedStructure[AnyDenseElement]) -> None:
        if literal_type.element_count() > MAX_LITERAL:
            self.raise_error(f"a constant of {literal_type} has more than {MAX_LITERAL} elements")

    def _checked(self, parse: Callable[[], T]) -> T:
        start = self.pos
        try:
            return parse()
        except VerifyException as error:
            self.raise_error(reworded(error), start)
        except ParseError as error:
            alias = _UNDEFINED_ALIAS.match(error.msg)
            if alias is not None and self._source.text.startswith(alias[1], start):  # xDSL points behind it
                self.raise_error(error.msg, start, start + len(alias[1]))
            raise


def parse_module(context: Context, source: SourceBuffer, *, allow_implicit_module: bool = True) -> ModuleOp:
    """The module that `source` holds.

    Raises `CompileError` for text that is no MLIR of the dialects in `context`, however broken it is. The module is not
    verified yet.
    """
    parser: LocatingParser | None = None
    try:
        parser = LocatingParser(context, source)
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
