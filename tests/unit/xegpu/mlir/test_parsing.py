"""Locations of what is read, and the errors of text that cannot be read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from xdsl.dialects.builtin import ModuleOp

from tests.amounts import examples
from tests.unit.xegpu.dialects.support import context
from xegpu.diagnostics import CompileError, SourceBuffer, SourceLocation, location_of
from xegpu.mlir import parse_module


def parse(text: str, first_line: int = 1) -> ModuleOp:
    return parse_module(context(), SourceBuffer("k.mlir", text, first_line))


def error_of(text: str) -> CompileError:
    with pytest.raises(CompileError) as raised:
        parse(text)
    return raised.value


def test_every_operation_knows_where_its_name_stands():
    text = """// a comment
func.func @f(%x: f32) {
  %y = arith.addf %x, %x : f32
  "arith.mulf"(%y, %y) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  return
}"""
    locations = {op.name: location_of(op) for op in parse(text).walk()}
    assert locations == {
        "builtin.module": SourceLocation("k.mlir", 1, 1),
        "func.func": SourceLocation("k.mlir", 2, 1),
        "arith.addf": SourceLocation("k.mlir", 3, 8),
        "arith.mulf": SourceLocation("k.mlir", 4, 3),
        "func.return": SourceLocation("k.mlir", 5, 3),
    }


def test_lines_are_counted_from_the_first_line_of_the_source():
    module = parse("\nfunc.func private @f()", first_line=41)
    assert location_of(next(iter(module.body.block.ops))) == SourceLocation("k.mlir", 42, 1)


def test_explicit_locations_win():
    module = parse('func.func private @f() loc("kernel.py":7:3)')
    assert location_of(next(iter(module.body.block.ops))) == SourceLocation("kernel.py", 7, 3)


def test_operations_that_the_text_leaves_out_take_the_place_of_their_parent():
    module = parse("func.func @f(%n: index) {\n  scf.for %i = %n to %n step %n {\n  }\n  return\n}")
    implicit = next(op for op in module.walk() if op.name == "scf.yield")
    assert location_of(implicit) == SourceLocation("k.mlir", 2, 3)


def test_block_arguments_know_where_they_stand():
    module = parse("func.func @f(%a: f32,\n  %b: i32) {\n  cf.br ^bb1(%a : f32)\n^bb1(%c: f32):\n  return\n}")
    function = next(iter(module.body.block.ops))
    first, second = function.regions[0].blocks
    places = [(arg.location.line.data, arg.location.column.data) for arg in (*first.args, *second.args)]
    assert places == [(1, 14), (2, 3), (4, 6)]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("}", 1, 1, "expected an operation"),
        ("func.func @f() {\n  foo.bar\n}", 2, 3, "unknown operation 'foo.bar': there is no dialect 'foo'"),
        ("func.func @f() {\n  arith.subbi\n}", 2, 3, "unknown operation 'arith.subbi', did you mean 'arith.subi'?"),
        ("func.func @f() {\n  gpu.xyz\n}", 2, 3, "unknown operation 'gpu.xyz' in dialect 'gpu'"),
        ("%0 = arith.addf %x, %y : f32", 1, 17, "use of undeclared SSA value name '%x'"),
        ("func.func @f(%x: f32) { %x = arith.addf %x, %x : f32 return }", 1, 25, "redefinition of SSA value '%x'"),
        ("func.func @f(%x: f32) { %y = arith.addi %x, %x : i32 return }", 1, 41, "operand is used with type i32"),
        (
            "func.func @f(%x: f32) { %y = arith.addi %x, %x : f32 return }",
            1,
            30,
            "'arith.addi' op Unexpected attribute f32",
        ),
        ("func.func private @f(!xegpu.tensor_desc<f32>)", 1, 22, "expected non-zero rank tensor"),
        ("func.func private @f(i99999999)", 1, 22, "integer bitwidth is limited to 16777215 bits"),
        ("func.func private @f() attributes {a = #b}", 1, 40, "undefined symbol alias '#b'"),
        ("#a = #a\nmodule {}", 1, 6, "undefined symbol alias '#a'"),
        ('module attributes {a = "open', 1, 24, "expected '\"' at the end of the string"),
        ("module {\0}", 1, 9, "unexpected character"),
    ],
)
def test_errors_point_at_what_is_wrong(text, line, column, message):
    diagnostic = error_of(text).diagnostics[0]
    assert message in diagnostic.message
    assert diagnostic.location == SourceLocation("k.mlir", line, column)


def test_a_conflict_of_types_is_noted_where_the_value_is_defined():
    error = error_of("func.func @f(%x: f32) {\n  %y = arith.addi %x, %x : i32\n  return\n}")
    (note,) = error.diagnostics[0].notes
    assert note.location == SourceLocation("k.mlir", 1, 14)


def test_a_conflict_of_types_between_uses_is_noted_at_the_first_use():
    text = "func.func @f() {\n  %a = arith.addi %x, %x : i32\n  %b = arith.addf %x, %x : f32\n  return\n}"
    (note,) = error_of(text).diagnostics[0].notes
    assert note.location == SourceLocation("k.mlir", 2, 19)


@pytest.mark.parametrize(
    "text",
    [
        "module attributes {a = " + "[" * 50_000 + "]" * 50_000 + "} {}",
        "module {" * 5_000 + "}" * 5_000,
        "func.func private @f(" + "memref<4x" * 20_000 + "f32" + ">" * 20_000 + ")",
    ],
    ids=["attributes", "regions", "types"],
)
def test_deep_nesting_is_refused(text):
    assert "nested too deeply" in str(error_of(text))


@pytest.mark.parametrize(
    "text",
    [
        "arith.constant dense<0.0> : vector<100000x100000xf32>",
        'arith.constant dense<"0x00000000"> : tensor<100000x100000xf32>',
        "memref.global @g : memref<100000x100000xf32> = dense<0.0>",
    ],
)
def test_huge_constants_are_refused_before_they_are_made(text):
    assert "has more than 16777216 elements" in str(error_of(text))


def test_messages_do_not_repeat_huge_input():
    message = error_of("x" * 1_000_000).diagnostics[0].message
    assert len(message) < 200


def test_repeated_types_are_one_object():
    desc, memref = "!xegpu.tensor_desc<8x16xf32>", "memref<2x3xf32>"
    function = next(iter(parse(f"func.func private @f({desc}, {desc}, {memref}, {memref})").body.block.ops))
    a, b, c, d = function.properties["function_type"].inputs
    assert a is b
    assert c is d


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["memref<4xf32>", "memref<4xf32,  3>", "vector<4xf32>", "!xegpu.tensor_desc<8xf32 >", "index"]),
        max_size=6,
    )
)
def test_remembering_types_changes_nothing(types):
    """A type gives the same whether it was met before or not."""
    module = parse(f"func.func private @f({', '.join(types)})")
    alone = [parse(f"func.func private @f({text})") for text in types]
    together = next(iter(module.body.block.ops)).properties["function_type"].inputs.data
    assert together == tuple(next(iter(m.body.block.ops)).properties["function_type"].inputs.data[0] for m in alone)


@settings(deadline=None, max_examples=examples(200))
@given(st.text(max_size=80) | st.text(alphabet='%#!@^<>(){}[]:=,->"0123456789abfgimnrstuvx._ \n', max_size=80))
def test_any_text_is_a_module_or_one_error_with_a_place(text):
    diagnostics = []
    try:
        parse(text)
    except CompileError as error:
        diagnostics.extend(error.diagnostics)
    assert all(diagnostic.location is not None for diagnostic in diagnostics)


@pytest.mark.parametrize("text", ["", "// nothing", "// nothing\n\n", "#a = 1 : i32\n", "\n \t\r\n"])
def test_text_without_operations_is_an_empty_module(text):
    assert not parse(text).body.block.ops


def test_uses_do_not_bind_what_a_later_function_defines():
    text = """func.func @f(%b: i32) {
  %0 = arith.addi %3, %b : i32
  %1 = arith.addi %5, %0 : i32
  return
}
func.func @g(%x: TYPE) {
  %3 = arith.OP %x, %x : TYPE
  return
}"""
    for type, op in (("i32", "muli"), ("f32", "mulf")):
        error = error_of(text.replace("TYPE", type).replace("OP", op))
        assert [str(diagnostic) for diagnostic in error.diagnostics] == [
            "k.mlir:2:19: error: use of undeclared SSA value name '%3'",
            "k.mlir:3:19: error: use of undeclared SSA value name '%5'",
        ]


def test_uses_in_a_loop_bind_what_a_block_behind_it_defines():
    module = parse("""func.func @f(%c: i1) {
  cf.br ^bb2
^bb1:
  scf.if %c {
    %y = arith.addi %x, %x : i32
  }
  return
^bb2:
  %x = arith.constant 1 : i32
  cf.br ^bb1
}""")
    (sum_,) = (op for op in module.walk() if op.name == "arith.addi")
    assert sum_.operands[0].owner is sum_.operands[1].owner
    assert getattr(sum_.operands[0].owner, "name", None) == "arith.constant"


def test_values_of_a_region_are_unknown_behind_it():
    error = error_of("""func.func @f(%c: i1) {
  scf.if %c {
    %y = arith.constant 1 : i32
  }
  %z = arith.addi %y, %y : i32
  return
}""")
    assert str(error) == "k.mlir:5:19: error: use of undeclared SSA value name '%y'"


def test_use_of_a_value_of_the_own_region():
    """The region defines the name before the operation exists that uses it."""
    error = error_of("""func.func @f(%one: index) {
  scf.for %i = %zero to %one step %one {
    %zero = arith.constant 0 : index
  }
  return
}""")
    assert str(error) == "k.mlir:2:16: error: use of undeclared SSA value name '%zero'"


def test_every_undefined_block_is_reported_where_it_is_first_used():
    error = error_of("func.func @f() {\n  cf.br ^bb9\n^bb1:\n  cf.br ^bb7\n^bb2:\n  cf.br ^bb9\n}")
    assert [str(diagnostic) for diagnostic in error.diagnostics] == [
        "k.mlir:2:9: error: reference to an undefined block '^bb9'",
        "k.mlir:4:9: error: reference to an undefined block '^bb7'",
    ]


def test_blocks_are_defined_once():
    (diagnostic,) = error_of("func.func @f() {\n  cf.br ^a\n^a:\n  return\n^a:\n  return\n}").diagnostics
    assert str(diagnostic) == "k.mlir:5:1: error: redefinition of block '^a'"
    assert [str(note) for note in diagnostic.notes] == ["k.mlir:3:1: note: previously defined here"]


@pytest.mark.parametrize("name", ["99", "0", "a-b", "-", "bb2$", "bb1.x", "$"])
def test_any_name_of_a_block_is_read_and_printed(name):
    module = parse(f"func.func @f() {{\n  cf.br ^{name}\n^{name}:\n  return\n}}")
    assert str(parse(str(module))) == str(module)
