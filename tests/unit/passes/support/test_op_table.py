"""Rules by operation: classes and families, what is refused, and that mypy compares a rule with its operations."""

from pathlib import Path

import pytest
from mypy import api
from xdsl.dialects.arith import AddiOp, ConstantOp, SubiOp
from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

from passes.support.op_table import OpTable
from tests.paths import ROOT


def number(value: int) -> ConstantOp:
    return ConstantOp(IntegerAttr(value, i32))


def test_a_rule_serves_the_operations_that_it_is_registered_for() -> None:
    table = OpTable[str, str]()

    @table.register(AddiOp, SubiOp)
    def rule(context: str, op: AddiOp | SubiOp) -> str:
        return f"{context} {op.name}"

    one = number(1)
    assert table[AddiOp(one, one)]("lower", AddiOp(one, one)) == "lower arith.addi"
    assert table[SubiOp(one, one)]("lower", SubiOp(one, one)) == "lower arith.subi"
    assert table.get(one) is None
    assert one not in table
    with pytest.raises(KeyError, match=r"arith\.constant"):
        table[one]
    assert list(table.rules) == [AddiOp, SubiOp]


def test_a_base_class_stands_for_a_family_whose_members_may_have_their_own_rules() -> None:
    table = OpTable[None, str]()
    one = number(1)
    assert table.get(one) is None

    @table.register(IRDLOperation)
    def family(context: None, op: Operation) -> str:
        return "family"

    @table.register(AddiOp)
    def own(context: None, op: AddiOp) -> str:
        return "own"

    assert table[one](None, one) == "family"
    assert table[AddiOp(one, one)](None, AddiOp(one, one)) == "own"


def test_an_operation_has_one_rule() -> None:
    table = OpTable[None, None]()
    table.register(AddiOp)(lambda context, op: None)
    with pytest.raises(ValueError, match="AddiOp has a rule already"):
        table.register(SubiOp, AddiOp)(lambda context, op: None)


RULES = """
from typing import assert_type
from xdsl.dialects.arith import AddfOp, AddiOp, SelectOp, SubiOp
from xdsl.ir import Operation
from passes.support.op_table import OpTable

class Context: ...

table = OpTable[Context, str]()

@table.register(AddiOp)
def one(context: Context, op: AddiOp) -> str: return assert_type(op, AddiOp).name

@table.register(AddiOp)
def base(context: Context, op: Operation) -> str: return op.name

@table.register(AddiOp, AddfOp)
def two(context: Context, op: AddiOp | AddfOp) -> str: return op.name

@table.register(AddiOp, AddfOp, SelectOp)
def three(context: Context, op: AddiOp | AddfOp | SelectOp) -> str: return op.name

@table.register(AddiOp, AddfOp, SelectOp, SubiOp)
def many(context: Context, op: Operation) -> str: return op.name

@table.register(AddiOp)  # refused
def another(context: Context, op: AddfOp) -> str: return op.name

@table.register(AddiOp, AddfOp)  # refused
def one_of_two(context: Context, op: AddiOp) -> str: return op.name

@table.register(AddiOp, AddfOp, SelectOp, SubiOp)  # refused
def one_of_many(context: Context, op: AddiOp) -> str: return op.name

@table.register(AddiOp)  # refused
def another_result(context: Context, op: AddiOp) -> int: return 0

class Method(Context):
    @table.register(AddiOp)  # refused
    def another_context(self, op: AddiOp) -> str: return op.name

def use(context: Context, op: Operation) -> str:
    return assert_type(table[op](context, op), str)
"""


def test_mypy_compares_the_parameter_of_a_rule_with_its_operations(tmp_path: Path) -> None:
    rules = tmp_path / "rules.py"
    rules.write_text(RULES)
    output, _, _ = api.run(["--config-file", f"{ROOT}/pyproject.toml", "--no-error-summary", str(rules)])
    refused = {number for number, line in enumerate(RULES.splitlines(), 1) if line.endswith("# refused")}
    errors = {int(line.split(":")[1]) for line in output.splitlines() if ": error: " in line}
    assert errors == refused, output
