"""Formulas of the table, and the types that they are computed in."""

from __future__ import annotations

import ast

import pytest

from xegpu.isa import BY_MNEMONIC, TABLE, IllegalInstruction, Instruction, InstructionFormat, assemble_program
from xegpu.isa.model.semantics import (
    PRIMITIVES,
    IntegerConstant,
    PredicateBits,
    PrimitiveCall,
    SourceOperand,
    boolean,
    computation_type,
    expression,
    formula,
    is_bit_copy,
)

ALU = [spec for spec in TABLE if spec.format is InstructionFormat.ALU]


def one(line: str) -> Instruction:
    return assemble_program(line).instructions[0]


@pytest.mark.parametrize("spec", ALU, ids=lambda spec: spec.mnemonic)
def test_a_formula_uses_every_source(spec):
    used = sorted({node.id for node in ast.walk(ast.parse(spec.semantics)) if isinstance(node, ast.Name)})
    sources = [name for name in used if name.startswith("src")]
    assert sources == [f"src{index}" for index in range(spec.sources)]
    assert formula(spec.semantics)


def test_every_primitive_is_used():
    def names(tree):
        if not isinstance(tree, PrimitiveCall):
            return set()
        return {tree.name}.union(*map(names, tree.arguments))

    formulas = [text for spec in ALU for text in (spec.semantics, spec.carry) if text]
    used = set().union(*(names(formula(text)) for text in formulas))
    assert used | {"min", "max"} == set(PRIMITIVES)  # sel with a condition is a minimum or a maximum


def test_formulas_become_trees():
    assert formula(BY_MNEMONIC["add"].semantics) == PrimitiveCall("add", (SourceOperand(0), SourceOperand(1)))
    assert formula(BY_MNEMONIC["mov"].semantics) == SourceOperand(0)
    assert formula(BY_MNEMONIC["not"].semantics) == PrimitiveCall("not", (SourceOperand(0),))
    assert formula(BY_MNEMONIC["sel"].semantics) == PrimitiveCall(
        "select", (PredicateBits(), SourceOperand(0), SourceOperand(1))
    )
    assert expression(one("sel (8|M0) (lt) r1:f r2:f r3:f")) == PrimitiveCall(
        "min", (SourceOperand(0), SourceOperand(1))
    )
    assert expression(one("sel (8|M0) (ge) r1:f r2:f r3:f")) == PrimitiveCall(
        "max", (SourceOperand(0), SourceOperand(1))
    )
    assert expression(one("(f0.0) sel (8|M0) r1:f r2:f r3:f")) == formula(BY_MNEMONIC["sel"].semantics)


@pytest.mark.parametrize("table", range(256))
def test_boolean_functions_have_their_truth_table(table):
    def value(tree, bits):
        match tree:
            case IntegerConstant(number):
                return number & 1
            case SourceOperand(index):
                return bits[index]
            case PrimitiveCall("not", (a,)):
                return 1 - value(a, bits)
            case PrimitiveCall(name, (a, b)):
                x, y = value(a, bits), value(b, bits)
                return {"and": x & y, "or": x | y, "xor": x ^ y}[name]

    tree = boolean(table, 3)
    for k in range(8):
        assert value(tree, [k & 1, k >> 1 & 1, k >> 2]) == table >> k & 1


@pytest.mark.parametrize(
    ("line", "type"),
    [
        # mov and predicated sel keep a float type; integers are at least 32 bits wide.
        ("mov (8|M0) r1:d r2:f", "f"),
        ("mov (8|M0) r1:f r2:bf", "bf"),
        ("mov (8|M0) r1:f r2:ub", "ud"),
        ("mov (8|M0) r1:d -r2:b", "d"),
        ("mov (8|M0) r1:q r2:ud", "uq"),
        ("mov (8|M0) r1:q -r2:ud", "q"),
        ("mov (8|M0) (sat)r1:d r2:q", "q"),
        ("mov (8|M0) r1:ud 0x76543210:v", "d"),
        ("mov (8|M0) r1:ud 0x76543210:uv", "ud"),
        ("mov (8|M0) r1:hf r2:uq", "uq"),
        ("(f0.0) sel (8|M0) r1:bf r2:bf r3:bf", "bf"),
        ("(f0.0) sel (8|M0) r1:f r2:bf r3:hf", "f"),
        ("(f0.0) sel (8|M0) r1:b r2:b r3:b", "d"),
        # Arithmetic: the widest source, at least 32 bits, as wide as a destination that wraps.
        ("add (8|M0) r1:b r2:b r3:ub", "d"),
        ("add (8|M0) r1:ub r2:ub r3:ub", "ud"),
        ("add (8|M0) r1:ub r2:ub -r3:ub", "d"),
        ("and (8|M0) r1:ub r2:ub ~r3:ub", "ud"),
        ("add (8|M0) r1:q r2:d r3:ud", "q"),
        ("mul (8|M0) r1:uq r2:ud r3:ud", "uq"),
        ("mad (8|M0) r1:d r2:w r3:w r4:q", "q"),
        ("add (8|M0) (sat)r1:d r2:d r3:d", "q"),
        ("add (8|M0) (sat)r1:b r2:b r3:b", "q"),
        ("cmp (8|M0) (eq)f0.0 null:q r2:d r3:d", "d"),
        # Ordered by value: the destination does not matter, mixed signedness takes twice the width.
        ("cmp (8|M0) (lt)f0.0 r1:q r2:d r3:d", "d"),
        ("cmp (8|M0) (lt)f0.0 r1:d r2:d r3:ud", "q"),
        ("cmp (8|M0) (lt)f0.0 r1:d r2:d r3:uw", "d"),
        ("cmp (8|M0) (lt)f0.0 r1:d r2:q r3:ud", "q"),
        ("sel (8|M0) (lt) r1:d r2:d r3:ud", "q"),
        ("div (8|M0) r1:q r2:d r3:ud", "q"),
        ("mod (8|M0) r1:q r2:d r3:d", "d"),
        # Shifts take their signedness from the operation.
        ("shr (8|M0) r1:d r2:d r3:d", "ud"),
        ("asr (8|M0) r1:ud r2:ud r3:ud", "d"),
        ("shl (8|M0) r1:q r2:d r3:uw", "q"),
        ("rol (8|M0) r1:ud r2:uw r3:uw", "uw"),
        ("avg (8|M0) r1:ud r2:d r3:ud", "q"),
        ("csel (8|M0) (lt) r1:q r2:d r3:d r4:d", "d"),
        # Floats.
        ("add (8|M0) r1:hf r2:hf r3:hf", "hf"),
        ("add (8|M0) r1:f r2:hf r3:hf", "hf"),
        ("add (8|M0) r1:bf r2:bf r3:bf", "f"),
        ("add (8|M0) r1:bf r2:bf r3:hf", "f"),
        ("mad (8|M0) r1:hf r2:hf r3:hf r4:f", "f"),
        ("mul (8|M0) r1:df r2:df r3:df", "df"),
        ("sel (8|M0) (ge) r1:bf r2:bf r3:bf", "f"),
    ],
)
def test_computation_type(line, type):
    assert computation_type(one(line)).text == type


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("add (8|M0) r1:f r2:f r3:d", "mixes integer and float sources: f, d"),
        ("add (8|M0) r1:f r2:f r3:df", "cannot mix float types f, df"),
        ("cmp (8|M0) (lt)f0.0 null:d r2:q r3:uq", "would need more than 64 bits"),
        ("add (8|M0) (sat)r1:q r2:q r3:q", "would need more than 64 bits"),
        ("add (8|M0) (sat)r1:q r2:d r3:d", "would need more than 64 bits"),
    ],
)
def test_sources_that_do_not_go_together(line, message):
    with pytest.raises(IllegalInstruction, match=message):
        computation_type(one(line))


@pytest.mark.parametrize(
    ("line", "copies"),
    [
        ("mov (8|M0) r1:f r2:f", True),
        ("mov (8|M0) r1:f 1.0:f", True),
        ("(f0.0) sel (8|M0) r1:f r2:f r3:f", True),
        ("mov (8|M0) r1:ud r2:d", False),
        ("mov (8|M0) r1:f -r2:f", False),
        ("mov (8|M0) r1:f (abs)r2:f", False),
        ("mov (8|M0) (sat)r1:f r2:f", False),
        ("sel (8|M0) (lt) r1:f r2:f r3:f", False),
        ("(f0.0) sel (8|M0) r1:f r2:f r3:hf", False),
        ("add (8|M0) r1:f r2:f r3:f", False),
    ],
)
def test_bit_copies(line, copies):
    assert is_bit_copy(one(line)) == copies
