"""Shrinks a random kernel to the statements that it takes to go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tests.unit.passes.kernels.fuzzing.program import Body, Choice, Loop, Program, Statement, Store, constant
from tests.unit.passes.kernels.fuzzing.values import Variable


def shrink(program: Program, fails: Callable[[Program], bool], tries: int = 400) -> Program:
    """The smallest program found that still fails, after so many tries."""
    program = _without_unused(program)
    while True:
        for candidate in _smaller(program):
            tries -= 1
            if tries < 0:
                return program
            candidate = _without_unused(candidate)
            if candidate.text() != program.text() and candidate.stores and fails(candidate):
                program = candidate
                break
        else:
            return program


def _smaller(program: Program) -> Iterator[Program]:
    for body in _smaller_bodies(program.body):
        yield replace(program, body=body)


def _smaller_bodies(body: Body) -> Iterator[Body]:
    """Bodies with one statement less, or replaced by constants or by a simpler one."""
    for index, statement in reversed(list(enumerate(body.statements))):
        for new in _replacements(statement):
            yield replace(body, statements=(*body.statements[:index], *new, *body.statements[index + 1 :]))
    for index, value in enumerate(body.yields):
        for other in _available(body, value):
            yield replace(body, yields=(*body.yields[:index], other, *body.yields[index + 1 :]))


def _available(body: Body, value: Variable) -> Sequence[Variable]:
    """Results of statements in a block that could be yielded for a value: the first one of its type."""
    found = [v for s in body.statements for v in s.results if v.type == value.type and v.uniform >= value.uniform]
    return [v for v in found[:1] if v != value]


def _replacements(statement: Statement) -> Iterator[Sequence[Statement]]:
    if isinstance(statement, Store):
        yield ()
        return
    if not _is_constant(statement):
        for number in (0, 1):
            yield [constant(v, number) for v in statement.results]
    if isinstance(statement, Choice | Loop) and statement.results:
        for index in range(len(statement.results)):
            yield [constant(statement.results[index], 0), _without_result(statement, index)]
    for index, block in enumerate(statement.blocks):
        for smaller in _smaller_bodies(block):
            blocks = (*statement.blocks[:index], smaller, *statement.blocks[index + 1 :])
            yield (statement.with_blocks(blocks),)


def _is_constant(statement: Statement) -> bool:
    return " = arith.constant" in statement.text() and "\n" not in statement.text().strip()


def _dropped(values: Sequence[Variable], index: int) -> tuple[Variable, ...]:
    return (*values[:index], *values[index + 1 :])


def _without_result(statement: Choice | Loop, index: int) -> Statement:
    """The same with one result less; what a loop carried for it is a constant inside."""
    results = _dropped(statement.results_, index)
    if isinstance(statement, Choice):
        sides = tuple(replace(side, yields=_dropped(side.yields, index)) for side in statement.sides)
        return replace(statement, sides=sides, results_=results)
    inside = statement.inside[index]
    body = replace(
        statement.body,
        statements=(constant(inside, 0), *statement.body.statements),
        yields=_dropped(statement.body.yields, index),
    )
    test = statement.test
    if test is not None:
        test = replace(test, statements=(constant(inside, 0), *test.statements))
    starts, carried = _dropped(statement.starts, index), _dropped(statement.inside, index)
    return replace(statement, starts=starts, inside=carried, body=body, test=test, results_=results)


def _without_unused(program: Program) -> Program:
    """Without the statements whose results nobody reads."""
    return replace(program, body=_pruned(program.body, set()))


def _pruned(body: Body, used: set[str]) -> Body:
    used |= {v.name for v in body.yields}
    kept: list[Statement] = []
    for statement in reversed(body.statements):
        writes = isinstance(statement, Store) or any(isinstance(s, Store) for b in statement.blocks for s in b.walk())
        if writes or any(v.name in used for v in statement.results):
            statement = statement.with_blocks([_pruned(block, used) for block in statement.blocks])
            used |= {v.name for v in statement.operands}
            kept.append(statement)
    return replace(body, statements=tuple(reversed(kept)))
