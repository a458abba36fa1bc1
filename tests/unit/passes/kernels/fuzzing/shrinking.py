"""Shrinks a random kernel to the statements that it takes to go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tests.unit.passes.kernels.fuzzing.program import Body, Choice, Loop, Program, Statement, Store, constant
from tests.unit.passes.kernels.fuzzing.values import Variable


def shrink(program: Program, fails: Callable[[Program], bool], tries: int = 400) -> Program:
    """Returns the smallest program found that still fails, after at most so many tries."""
    pruned = without_unused(program)
    # If unused statements are needed for the failure, they stay.
    prunable = fails(pruned)
    if prunable:
        program = pruned
    tried = {program.text()}

    def shrunk() -> Program | None:
        nonlocal tries
        for candidate in _smaller(program):
            for variant in [without_unused(candidate), *([] if prunable else [candidate])]:
                if variant.stores and (text := variant.text()) not in tried and tries > 0:
                    tried.add(text)
                    tries -= 1
                    if fails(variant):
                        return variant
        return None

    while (smaller := shrunk()) is not None:
        program = smaller
    return program


def _smaller(program: Program) -> Iterator[Program]:
    for body in _smaller_bodies(program.body):
        yield replace(program, body=body)


def _smaller_bodies(body: Body) -> Iterator[Body]:
    """Yields bodies in which a run of statements gives zeros, long runs first, or one statement is a simpler one."""
    size = len(body.statements)
    while size:
        for start in reversed(range(0, len(body.statements), size)):
            run = body.statements[start : start + size]
            zeros = [s if _is_constant(s) else constant(v, 0) for s in run for v in s.results]
            if zeros != list(run):
                yield replace(body, statements=(*body.statements[:start], *zeros, *body.statements[start + size :]))
        size //= 2
    for index, statement in reversed(list(enumerate(body.statements))):
        for new in _replacements(statement):
            yield replace(body, statements=(*body.statements[:index], *new, *body.statements[index + 1 :]))
    for index, value in enumerate(body.yields):
        for other in _available(body, value):
            yield replace(body, yields=(*body.yields[:index], other, *body.yields[index + 1 :]))


def _available(body: Body, value: Variable) -> Sequence[Variable]:
    """Returns another result of a block's statements that could be yielded for a value, if there is one."""
    found = [v for s in body.statements for v in s.results if v.type == value.type and v.uniform >= value.uniform]
    return [v for v in found[:1] if v != value]


def _replacements(statement: Statement) -> Iterator[Sequence[Statement]]:
    if statement.results and not _is_constant(statement):
        yield [constant(v, 1) for v in statement.results]
    if not statement.results:
        counter = [constant(statement.counter, 0)] if isinstance(statement, Loop) else []
        yield from ((*counter, *block.statements) for block in reversed(statement.blocks))
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
    """Returns the same with one result less; the value that a loop carried for it is a constant inside."""
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


def without_unused(program: Program) -> Program:
    """Returns the program without the statements whose results are not used."""
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
