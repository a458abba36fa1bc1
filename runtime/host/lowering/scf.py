"""Structured control flow. Parallel loops execute one iteration after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.scf import ConditionOp
from xdsl.ir import Block, Operation, Region, SSAValue

from runtime.host.data.numbers import width
from runtime.host.data.types import INDEX
from runtime.host.emission.bounds import Bounds, bounds_of
from runtime.host.emission.emitter import FunctionEmitter, Variables, lowers
from runtime.llvm import IRBlock, Value, constant
from xegpu.dialects.upstream.memref import AllocaScopeOp
from xegpu.dialects.upstream.scf import ExecuteRegionOp, ForOp, IfOp, IndexSwitchOp, ParallelOp, ReduceOp, WhileOp


def variables_for(emitter: FunctionEmitter, op: Operation, values: Sequence[SSAValue]) -> list[Variables]:
    """Returns memory for values."""
    return [emitter.variables(op, value.type) for value in values]


def read(emitter: FunctionEmitter, values: Sequence[SSAValue], variables: Sequence[Variables]) -> None:
    """Binds values to the current values of variables."""
    for value, variable in zip(values, variables, strict=True):
        emitter.values[value] = variable.get()


def passing(emitter: FunctionEmitter, variables: Sequence[Variables]) -> Callable[[Operation], None]:
    """Returns a function that ends a region: what follows has the values that it yields."""

    def leave(op: Operation) -> None:
        emitter.pass_values(variables, op.operands)

    return leave


@lowers(IfOp)
def if_(emitter: FunctionEmitter, op: IfOp) -> None:
    choice(emitter, op, emitter.one(op.cond), op.true_region, op.false_region)


def choice(emitter: FunctionEmitter, op: Operation, condition: Value, first: Region, second: Region) -> None:
    """Emits the region that a condition chooses; the second one may be without blocks."""
    results = variables_for(emitter, op, op.results)
    with emitter.code.if_(condition) as chosen:
        emitter.region(first, passing(emitter, results))
    if second.blocks:
        with chosen.else_():
            emitter.region(second, passing(emitter, results))
    read(emitter, op.results, results)


@lowers(ExecuteRegionOp, AllocaScopeOp)
def execute_region(emitter: FunctionEmitter, op: Operation) -> None:
    """Memory of a scope is freed at the end of the call."""
    results = variables_for(emitter, op, op.results)
    emitter.region(op.regions[0], passing(emitter, results))
    read(emitter, op.results, results)


@lowers(IndexSwitchOp)
def index_switch(emitter: FunctionEmitter, op: IndexSwitchOp) -> None:
    code, results = emitter.code, variables_for(emitter, op, op.results)
    default, after = code.block("default"), code.block("switched")
    regions: dict[int, tuple[IRBlock, Region]] = {}
    for number, region in zip(op.cases.get_values(), op.case_regions, strict=True):
        regions.setdefault(number, (code.block("case"), region))
    code.switch(emitter.one(op.arg), default, [(number, case) for number, (case, _) in regions.items()])
    for case, region in ((default, op.default_region), *regions.values()):
        code.begin(case)
        emitter.region(region, passing(emitter, results))
        code.jump(after)
    code.begin(after)
    read(emitter, op.results, results)


@lowers(WhileOp)
def while_(emitter: FunctionEmitter, op: WhileOp) -> None:
    code, before, after = emitter.code, op.before_region.block, op.after_region.block
    carried, results = variables_for(emitter, op, before.args), variables_for(emitter, op, op.results)
    emitter.pass_values(carried, op.arguments)
    with code.loop() as loop:
        read(emitter, before.args, carried)

        def decide(condition: Operation) -> None:
            assert isinstance(condition, ConditionOp)
            emitter.pass_values(results, condition.args)
            code.jump_unless(emitter.one(condition.condition), loop.after)

        emitter.region(op.before_region, decide)
        read(emitter, after.args, results)
        emitter.region(op.after_region, passing(emitter, carried))
    read(emitter, op.results, results)


def counted(
    emitter: FunctionEmitter,
    op: Operation,
    lower: Value,
    upper: Value,
    step: Value,
    body: Callable[[Value], None],
    bounds: Bounds | None = None,
) -> None:
    """Emits a loop over signed numbers, with the code of `body` for each; `bounds` are accesses checked before it."""
    code, type = emitter.code, lower.type
    zero, one = constant(type, 0), constant(type, 1)
    if not step.name.isdigit() or step.name == "0":
        emitter.fail_if(code.compare("icmp sle", step, zero), op, "has the step {0}, expected a positive one", step)
    with code.if_(code.compare("icmp slt", lower, upper)):
        # Counting rounds cannot overflow where adding the step to the number could.
        further = code.binary("sub", code.binary("sub", upper, lower), one)
        is_simple = step.name == "1"
        further = further if is_simple else code.binary("udiv", further, step)
        if bounds is None:
            _rounds(emitter, lower, step, further, body)
        else:
            last = code.binary("add", lower, further if is_simple else code.binary("mul", further, step))
            with code.if_(bounds.condition(emitter, lower, last)) as choice, emitter.knowing(bounds.accesses):
                _rounds(emitter, lower, step, further, body)
            with choice.else_():
                _rounds(emitter, lower, step, further, body)


def _rounds(emitter: FunctionEmitter, lower: Value, step: Value, further: Value, body: Callable[[Value], None]) -> None:
    """Emits one iteration, followed by `further` other ones."""
    code, type = emitter.code, lower.type
    with code.loop(constant(type, 0)) as rounds:
        (done,) = rounds.values
        code.jump_unless(code.compare("icmp ule", done, further), rounds.after)
        is_static = lower.name.isdigit()
        number = done if step.name == "1" else code.binary("mul nuw nsw" if is_static else "mul nuw", done, step)
        if lower.name != "0":
            number = code.binary("add nsw" if is_static else "add", lower, number)
        body(number)
        rounds.repeat(code.binary("add nuw", done, constant(type, 1)))


@lowers(ForOp)
def for_(emitter: FunctionEmitter, op: ForOp) -> None:
    if width(op.lb.type) < 2:
        emitter.refuse(op, "of i1 numbers is not supported in host code")
    lower, upper, step = (emitter.one(value) for value in (op.lb, op.ub, op.step))
    carrying_loop(emitter, op, (lower, upper, step), op.body, op.iter_args)


def carrying_loop(
    emitter: FunctionEmitter,
    op: Operation,
    numbers: tuple[Value, Value, Value],
    region: Region,
    inits: Sequence[SSAValue],
) -> None:
    """Emits a loop from one number up to another in steps, which carries values and results in the last ones."""
    number, *arguments = region.block.args
    carried = variables_for(emitter, op, arguments)
    emitter.pass_values(carried, inits)

    def body(current: Value) -> None:
        emitter.give(number, current)
        read(emitter, arguments, carried)
        emitter.region(region, passing(emitter, carried))

    lower, upper, step = numbers
    bounds = bounds_of(number, region) if lower.type == INDEX else None
    counted(emitter, op, lower, upper, step, body, bounds)
    read(emitter, op.results, carried)


@lowers(ParallelOp)
def parallel(emitter: FunctionEmitter, op: ParallelOp) -> None:
    reduced = variables_for(emitter, op, op.results)
    emitter.pass_values(reduced, op.initVals)
    _nest(emitter, op, 0, lambda: emitter.region(op.body, _reduce(emitter, reduced)))
    read(emitter, op.results, reduced)


def _nest(emitter: FunctionEmitter, op: ParallelOp, depth: int, innermost: Callable[[], None]) -> None:
    """Emits the loops of a parallel loop from dimension `depth` on."""
    arguments = op.body.block.args
    lower, upper, step = (emitter.one(values[depth]) for values in (op.lowerBound, op.upperBound, op.step))

    def body(current: Value) -> None:
        emitter.give(arguments[depth], current)
        if depth + 1 == len(arguments):
            innermost()
        else:
            _nest(emitter, op, depth + 1, innermost)

    counted(emitter, op, lower, upper, step, body)


def _reduce(emitter: FunctionEmitter, reduced: Sequence[Variables]) -> Callable[[Operation], None]:
    """Returns a function that ends an iteration: its values are combined with the ones so far."""

    def leave(op: Operation) -> None:
        assert isinstance(op, ReduceOp)
        for value, variable, region in zip(op.args, reduced, op.reductions, strict=True):
            block: Block = region.block
            emitter.values[block.args[0]] = variable.get()
            emitter.values[block.args[1]] = emitter.parts(value)
            emitter.region(region, passing(emitter, [variable]))

    return leave
