"""Rules of the `index` dialect: those of the operations of `arith` that do the same."""

from __future__ import annotations

from xdsl.ir import Operation

from passes.analysis.integers.arith import constant_fact
from passes.analysis.integers.comparisons import comparison_of
from passes.analysis.integers.fact import IntegerFact, constant
from passes.analysis.integers.table import RULES, LaunchShape, bits_of, enter, rule, source
from passes.support.normal_forms.index import COUNTERPARTS
from xegpu.dialects.upstream.index import BoolConstantOp, CmpOp, ConstantOp, SizeOfOp

enter(RULES, {name: RULES[kind.name] for name, kind in COUNTERPARTS.items()})


@source(ConstantOp, BoolConstantOp)
def _constant(op: Operation, launch: LaunchShape) -> IntegerFact:
    return constant_fact(op.properties["value"], bits_of(op.results[0].type), launch.lanes)


@source(SizeOfOp)
def _size(op: SizeOfOp, launch: LaunchShape) -> IntegerFact:
    bits = bits_of(op.results[0].type)
    return constant(bits, bits, launch.lanes)


@rule(CmpOp)
def _compare(op: CmpOp, a: IntegerFact, b: IntegerFact) -> IntegerFact:
    return comparison_of(op.predicate.data.value, a, b)
