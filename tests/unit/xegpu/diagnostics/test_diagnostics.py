"""Errors, warnings, their text, and how locations travel."""

from __future__ import annotations

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import (
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    ModuleOp,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
    f32,
    i32,
)
from xdsl.dialects.ub import PoisonOp
from xdsl.ir import Block, Region
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern
from xdsl.utils.exceptions import PassFailedException

from xegpu.diagnostics import (
    CompileError,
    Diagnostic,
    LocationListener,
    Severity,
    SourceBuffer,
    SourceLocation,
    definition_of,
    file_name,
    fill_locations,
    handling,
    inherit_location,
    location_of,
    note,
    remark,
    render,
    resolve,
    warn,
)

PLACE = SourceLocation("k.mlir", 3, 5)
LOCATION = PLACE.attribute()


def located(line: int) -> FileLineColLoc:
    return FileLineColLoc(StringAttr("k.mlir"), IntAttr(line), IntAttr(1))


def test_an_error_of_an_operation_names_it_and_its_place():
    op = test.TestOp()
    op.location = LOCATION
    error = CompileError(op, "is refused", [note(SourceLocation("k.mlir", 1, 2), "because of this")])
    assert str(error) == "k.mlir:3:5: error: 'test.op' op is refused"
    assert str(error.diagnostics[0].notes[0]) == "k.mlir:1:2: note: because of this"


def test_errors_name_the_operation_that_the_user_has_written() -> None:
    """Messages name second what passes have made of it; other languages' texts add nothing."""
    text = SourceBuffer("k.mlir", '%v = xegpu.store_matrix %x\n"xegpu.dpas"(%x)\nreturn\n')
    name = file_name(text)
    for line, column, expected in (
        (1, 6, "'xegpu.store_matrix' op (as 'test.op')"),
        (2, 1, "'xegpu.dpas' op (as 'test.op')"),
        (3, 1, "'test.op' op"),
        (9, 1, "'test.op' op"),
    ):
        op = test.TestOp()
        op.location = FileLineColLoc(name, IntAttr(line), IntAttr(column))
        assert str(CompileError(op, "is refused")) == f"k.mlir:{line}:{column}: error: {expected} is refused"
    op.location = FileLineColLoc(StringAttr("k.mlir"), IntAttr(1), IntAttr(6))
    assert str(CompileError(op, "is refused")) == "k.mlir:1:6: error: 'test.op' op is refused"


def test_errors_do_not_blame_the_operation_around() -> None:
    """An operation that a pass puts into a written one, and that so has its place, is not made of it."""
    name = file_name(SourceBuffer("k.mlir", '"test.op"({\n'))
    outer = test.TestOp(regions=[Region(Block([poison := PoisonOp(f32)]))])
    for op in (outer, poison):
        op.location = FileLineColLoc(name, IntAttr(1), IntAttr(1))
    assert str(CompileError(poison, "is refused")) == "k.mlir:1:1: error: 'ub.poison' op is refused"
    poison.detach()
    assert str(CompileError(poison, "is refused")) == "k.mlir:1:1: error: 'test.op' op (as 'ub.poison') is refused"


def test_an_error_may_be_about_a_place_or_nothing():
    assert str(CompileError(PLACE, "wrong")) == "k.mlir:3:5: error: wrong"
    assert str(CompileError(LOCATION, "wrong")) == "k.mlir:3:5: error: wrong"
    assert str(CompileError(None, "wrong")) == "error: wrong"


def test_drivers_of_xdsl_take_it_for_a_failed_pass():
    assert issubclass(CompileError, PassFailedException)


def test_several_errors_travel_in_one_exception():
    messages = [Diagnostic(Severity.ERROR, text, PLACE) for text in ("first", "second")]
    error = CompileError.of(messages)
    assert error.diagnostics == tuple(messages)
    assert str(error) == "k.mlir:3:5: error: first"


@pytest.mark.parametrize(
    ("location", "place"),
    [
        (LOCATION, PLACE),
        (UnknownLoc(), None),
        (NameLoc(StringAttr("loop"), LOCATION), PLACE),
        (NameLoc(StringAttr("loop"), NoneAttr()), None),
        (CallSiteLoc(LOCATION, located(9)), PLACE),
        (FusedLoc((UnknownLoc(), LOCATION, located(9)), NoneAttr()), PLACE),
        (FusedLoc((), NoneAttr()), None),
    ],
    ids=str,
)
def test_locations_are_resolved_to_a_place(location, place):
    assert resolve(location) == place


def test_an_operation_without_location_is_where_its_parent_is():
    inner = test.TestOp()
    outer = test.TestOp(regions=[Region(Block([inner]))])
    assert location_of(inner) is None
    outer.location = LOCATION
    assert location_of(inner) == PLACE


def test_definitions_of_values_have_places():
    block = Block(arg_types=[i32])
    op = test.TestOp(result_types=[i32])
    block.add_op(op)
    parent = test.TestOp(regions=[Region(block)])
    parent.location = LOCATION
    op.location = located(7)
    assert definition_of(op.results[0]) == SourceLocation("k.mlir", 7, 1)
    assert definition_of(block.args[0]) == PLACE
    block.args[0].location = located(8)
    assert definition_of(block.args[0]) == SourceLocation("k.mlir", 8, 1)


def test_warnings_reach_who_listens():
    warn(PLACE, "nobody hears this")
    heard: list[Diagnostic] = []
    with handling(heard.append):
        warn(PLACE, "odd")
        remark(None, "chosen")
    warn(PLACE, "too late")
    assert [str(diagnostic) for diagnostic in heard] == ["k.mlir:3:5: warning: odd", "remark: chosen"]


SOURCE = SourceBuffer("k.mlir", "first\n  second line\n\tthird\n" + "x" * 500 + "!" + "y" * 500 + "\n\x1b[31mred\r\n")


@pytest.mark.parametrize(
    ("line", "column", "quote"),
    [
        (1, 1, ["first", "^"]),
        (2, 3, ["  second line", "  ^"]),
        (3, 2, ["\tthird", "\t^"]),
        (2, 99, ["  second line", "             ^"]),
        (4, 501, ["x" * 60 + "!" + "y" * 59, " " * 60 + "^"]),
        (4, 1, ["x" * 120, "^"]),
        (5, 6, ["?[31mred", "     ^"]),
        (9, 1, []),
    ],
)
def test_the_line_is_quoted_with_a_caret(line, column, quote):
    diagnostic = Diagnostic(Severity.ERROR, "wrong", SourceLocation("k.mlir", line, column))
    assert render(diagnostic, {"k.mlir": SOURCE}).split("\n") == [f"k.mlir:{line}:{column}: error: wrong", *quote]


def test_notes_follow_and_unknown_files_are_not_quoted():
    about = note(SourceLocation("other.py", 1, 1), "made here")
    text = render(Diagnostic(Severity.ERROR, "wrong", PLACE, (about,)), {"k.mlir": SOURCE})
    assert text.split("\n") == ["k.mlir:3:5: error: wrong", "\tthird", "\t   ^", "other.py:1:1: note: made here"]


def test_positions_and_lines_of_a_source():
    source = SourceBuffer("k", "ab\nc\n", first_line=10)
    places = [source.locate(position)[1:] for position in range(6)]
    assert places == [(10, 1), (10, 2), (10, 3), (11, 1), (11, 2), (12, 1)]
    assert [source.line(number) for number in (9, 10, 11, 12, 13)] == [None, "ab", "c", "", None]


def test_locations_are_inherited_only_where_there_is_none():
    known, unknown = test.TestOp(), test.TestOp()
    known.location = located(7)
    inherit_location(LOCATION, known, unknown)
    assert (location_of(known), location_of(unknown)) == (SourceLocation("k.mlir", 7, 1), PLACE)


class Split(RewritePattern):
    """Replaces an operation with a result by two without."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: test.TestOp, rewriter: PatternRewriter) -> None:
        if "split" in op.attributes:
            inner = test.TestOp(regions=[Region(Block([test.TestOp()]))])
            rewriter.replace(op, [inner, test.TestOp()], [])


def test_a_listener_gives_new_operations_the_location_of_the_old():
    first, second = test.TestOp(attributes={"split": i32}), test.TestOp(attributes={"split": i32})
    first.location, second.location = located(1), located(2)
    module = ModuleOp([first, second])
    PatternRewriteWalker(Split(), listener=LocationListener(), apply_recursively=False).rewrite_module(module)
    lines = [location_of(op).line for op in module.walk() if op is not module]
    assert lines == [1, 1, 1, 2, 2, 2]


def test_gaps_are_filled_from_what_stands_before():
    ops = [test.TestOp(), test.TestOp(), test.TestOp(regions=[Region(Block([test.TestOp()]))]), test.TestOp()]
    ops[1].location = located(4)
    module = ModuleOp(ops)
    module.location = located(1)
    fill_locations(module)
    assert [location_of(op).line for op in module.walk()] == [1, 1, 4, 4, 4, 4]
