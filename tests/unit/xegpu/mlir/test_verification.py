"""Tests of the verifier: broken rules, broken structure, and uses before definitions."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given, settings, strategies as st
from xdsl.dialects import test
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Region

from tests.amounts import examples
from tests.unit.xegpu.dialects.support import context
from xegpu.diagnostics import CompileError, Diagnostic, SourceBuffer
from xegpu.mlir import parse_module, verify
from xegpu.mlir.dominance import dominated_blocks, undominated_uses
from xegpu.mlir.verification import MAX_ERRORS


def errors_of(text: str) -> tuple[Diagnostic, ...]:
    """Returns the errors that the verifier finds in a module that parses."""
    module = parse_module(context(), SourceBuffer("k.mlir", text))
    with pytest.raises(CompileError) as raised:
        verify(module)
    return raised.value.diagnostics


def errors_in(text: str) -> tuple[Diagnostic, ...]:
    """Returns the errors of a module, which parses; none if it is valid."""
    module = parse_module(context(), SourceBuffer("k.mlir", text))
    try:
        verify(module)
    except CompileError as error:
        return error.diagnostics
    return ()


def test_good_modules_pass():
    assert errors_in("func.func @f(%x: f32) -> f32 { return %x : f32 }") == ()


def test_a_broken_rule_names_operation_rule_and_values():
    text = """func.func @f(%d: !xegpu.tensor_desc<8x16xf32>) {
  %v = xegpu.load_nd %d : !xegpu.tensor_desc<8x16xf32> -> vector<5xf32>
  return
}"""
    (error,) = errors_of(text)
    assert str(error) == (
        "k.mlir:2:8: error: 'xegpu.load_nd' op Result shape [5] is not a valid distribution for tensor descriptor "
        "!xegpu.tensor_desc<8x16xf32>"
    )


def test_every_wrong_operation_is_reported_up_to_a_limit():
    lines = "\n".join(f"  %{i} = gpu.lane_id upper_bound 0" for i in range(MAX_ERRORS + 5))
    errors = errors_of(f"func.func @f() {{\n{lines}\n  return\n}}")
    assert len(errors) == MAX_ERRORS
    assert [error.location.line for error in errors] == list(range(2, MAX_ERRORS + 2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"xegpu.load_nd"() : () -> ()', "'xegpu.load_nd' op Expected at least 1 operand"),
        (
            "func.func @f(%x: f32) -> f32 { %y = arith.addf %x, %x : f32 }",
            "'arith.addf' op ends its block, but is not a terminator",
        ),
        ("func.func @f() { return\n cf.br ^bb1\n^bb1:\n return }", "'func.return' op must be the last operation"),
        ("func.func @f() -> f32 {\n^bb0:\n}", "'func.func' op block #0 of its region is empty, but needs a terminator"),
        ("func.func @f() -> f32 { cf.br ^bb1\n^bb1:\n}", "block #1 of its region is empty, but needs a terminator"),
    ],
)
def test_broken_structure(text, message):
    assert any(message in error.message for error in errors_of(text))


def test_failures_inside_verifiers_are_errors_of_the_operation(monkeypatch):
    """Some of xDSL's verifiers raise plain exceptions."""

    def fail(op):
        raise Exception("expected f32, got i32")

    monkeypatch.setattr(ReturnOp, "verify_", fail)
    (error,) = errors_of("func.func @f() {\n  return\n}")
    assert error.message.startswith("'func.return' op is malformed: expected f32, got i32")
    assert error.location.line == 2


@pytest.mark.parametrize(
    ("body", "operand"),
    [
        ("%a = arith.addi %b, %x : i32\n%b = arith.addi %x, %x : i32", 0),
        ("%a = arith.addi %x, %a : i32", 1),
        ("scf.if %t {\n%a = arith.addi %x, %b : i32\n}\n%b = arith.addi %x, %x : i32", 1),
    ],
    ids=["later", "itself", "after the region"],
)
def test_uses_before_definitions(body, operand):
    (error,) = errors_of(f"func.func @f(%x: i32, %t: i1) {{\n{body}\nreturn\n}}")
    assert f"'arith.addi' op operand #{operand} does not dominate this use" in error.message
    assert error.notes[0].message == "operand defined here"


@pytest.mark.parametrize(
    "body",
    [
        "scf.if %t {\n%b = arith.addi %x, %x : i32\n} else {\n%c = arith.addi %b, %x : i32\n}",
        "scf.if %t {\n%b = arith.addi %x, %x : i32\n}\n%c = arith.addi %b, %x : i32",
    ],
    ids=["other branch", "outside"],
)
def test_names_are_not_seen_outside_their_region(body):
    with pytest.raises(CompileError, match="use of undeclared SSA value name '%b'"):
        parse_module(context(), SourceBuffer("k.mlir", f"func.func @f(%x: i32, %t: i1) {{\n{body}\nreturn\n}}"))


def test_definitions_reach_along_every_path():
    text = """func.func @f(%c: i1, %x: i32) -> i32 {
  %a = arith.addi %x, %x : i32
  cf.cond_br %c, ^left, ^right
^left:
  %b = arith.addi %a, %x : i32
  cf.br ^join
^right:
  cf.br ^join
^join:
  %d = arith.addi %a, %b : i32
  return %d : i32
}"""
    (error,) = errors_of(text)
    assert error.location.line == 10
    assert "operand #1" in error.message


def test_unreachable_blocks_may_use_anything():
    text = """func.func @f(%x: i32) {
  return
^dead:
  %a = arith.addi %b, %x : i32
  cf.br ^dead2
^dead2:
  %b = arith.addi %x, %x : i32
  return
}"""
    assert errors_in(text) == ()


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    size = draw(st.integers(1, 7))
    return [draw(st.lists(st.integers(1, size - 1), max_size=3)) if size > 1 else [] for _ in range(size)]


@settings(deadline=None, max_examples=examples(200))
@given(graphs())
def test_dominators_are_the_blocks_on_every_path(graph):
    """Against the definition: a dominates b if b cannot be reached once a is taken away."""
    blocks = [Block(arg_types=[i32]) for _ in graph]
    for block, successors in zip(blocks, graph, strict=True):
        block.add_op(test.TestTermOp(successors=[blocks[s] for s in successors]))
    region = Region(blocks)

    def reachable(without: int | None) -> set[int]:
        seen: set[int] = set()
        pending = [0] if without != 0 else []
        while pending:
            node = pending.pop()
            if node not in seen and node != without:
                seen.add(node)
                pending += graph[node]
        return seen

    children = dominated_blocks(region)
    everywhere = reachable(None)
    assert {blocks.index(block) for block in children} == everywhere

    def below(block: Block) -> set[int]:
        return {blocks.index(block)}.union(*(below(child) for child in children[block]))

    for a, b in product(everywhere, everywhere):
        dominates = a == b or b not in reachable(without=a)
        assert (b in below(blocks[a])) == dominates


def test_many_blocks_are_no_problem():
    blocks = [Block() for _ in range(3000)]
    for block, successor in pairwise(blocks):
        block.add_op(test.TestTermOp(successors=[successor]))
    blocks[-1].add_op(test.TestTermOp())
    module = ModuleOp([test.TestOp(regions=[Region(blocks)])])
    assert list(undominated_uses(module)) == []


def test_a_use_of_a_value_around_an_isolated_op_is_reported_at_the_use():
    text = "%c = arith.constant 1 : i32\nfunc.func @f(%b: i32) {\n  %0 = arith.addi %c, %b : i32\n  return\n}"
    with pytest.raises(CompileError) as caught:
        verify(parse_module(context(), SourceBuffer("k.mlir", text)))
    (error,) = caught.value.diagnostics
    assert str(error) == "k.mlir:3:8: error: 'arith.addi' op uses a value defined outside the region"
    assert [str(note) for note in error.notes] == [
        "k.mlir:2:1: note: required by region isolation constraints of 'func.func'"
    ]


def test_inherent_attributes_do_not_stand_among_the_discardable_ones():
    text = '"func.func"() <{sym_name = "f", function_type = () -> ()}> ({}) {sym_name = "g"} : () -> ()'
    with pytest.raises(CompileError) as caught:
        verify(parse_module(context(), SourceBuffer("k.mlir", text)))
    assert "inherent attribute 'sym_name' is not allowed among the discardable ones" in str(caught.value)
