"""Pass pipelines as text, in the forms of `mlir-opt` and of `xdsl-opt`.

`cse,xe-pipeline{target=pvc}` runs passes on the whole module. `builtin.module(cse,gpu.module(canonicalize))` names the
operations, its anchors, that passes run on: `canonicalize` runs on each `gpu.module` on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, get_pass_option_infos
from xdsl.utils.arg_spec import ArgSpec, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError

from passes.support.pass_sequence import apply_step
from passes.support.target_option import TargetOption
from passes.upstream_names import ELSEWHERE, RENAMED
from xegpu import suggestion

PassTable = Mapping[str, Callable[[], type[ModulePass]]]
"""The factories of passes by name."""

_TOP = ModuleOp.name
_OPENING = {"(": ")", "{": "}"}


class PipelineError(ValueError):
    """The text of a pipeline is wrong."""


_DEEPEST = 64
"""The depth of brackets that a pipeline may have, which no module needs."""


@dataclass(frozen=True)
class NestedPasses(ModulePass):
    """Passes that run on each operation of one kind which is directly inside of the module, one operation at a time.

    While they run, the operation is alone in a module of its own, so that nothing outside of it changes.
    """

    anchor: str
    inner: tuple[ModulePass, ...]

    name = "nested-passes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.apply_each(op, lambda _, step, alone: apply_step(step, ctx, alone))

    def apply_each(self, module: ModuleOp, run: Callable[[int, ModulePass, ModuleOp], None]) -> None:
        """Calls `run` with the number of each pass, the pass, and the module that it is to change."""
        for anchored in [op for op in module.body.block.ops if op.name == self.anchor]:
            following = anchored.next_op
            module.body.block.detach_op(anchored)
            alone = ModuleOp([anchored])
            try:
                for number, step in enumerate(self.inner):
                    run(number, step, alone)
            finally:
                for op in list(alone.body.block.ops):
                    alone.body.block.detach_op(op)
                    if following is None:
                        module.body.block.add_op(op)
                    else:
                        module.body.block.insert_op_before(op, following)

    def spec(self, *, include_default: bool = False) -> ArgSpec:
        steps = ",".join(str(step.spec(include_default=include_default)) for step in self.inner)
        return ArgSpec(f"{self.anchor}({steps})", {})


def parse_passes(text: str, known: PassTable, context: Context, target: str = "") -> list[ModulePass]:
    """Returns the passes of a pipeline.

    Args:
        text: The pipeline; empty for no passes.
        known: The passes that it may name.
        context: The context with the dialects of anchors.
        target: The GPU of passes that the pipeline tells none; empty for the one that a module names.

    Raises:
        PipelineError: If the text is wrong, or names something unknown.
    """
    items = list(_items(text))
    if len(items) == 1:
        anchor, inner = _anchor(items[0])
        if anchor == _TOP:
            items = list(_items(inner))
    return list(_passes(items, known, context, target))


def _passes(items: Iterable[str], known: PassTable, context: Context, target: str) -> Iterator[ModulePass]:
    for item in items:
        anchor, inner = _anchor(item)
        if anchor is None:
            made = _pass(item, known)
            yield replace(made, target=made.target or target) if isinstance(made, TargetOption) else made
        elif context.get_optional_op(anchor) is None:
            raise PipelineError(f"'{anchor}' is not an operation that passes can run on: '{item}'")
        else:
            yield NestedPasses(anchor, tuple(_passes(_items(inner), known, context, target)))


def _items(text: str) -> Iterator[str]:
    """Yields the parts between commas outside of brackets and quotes."""
    closing: list[str] = []
    start, quote = 0, ""
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in _OPENING:
            closing.append(_OPENING[char])
            if len(closing) > _DEEPEST:
                raise PipelineError(f"more than {_DEEPEST} brackets in each other")
        elif closing and char == closing[-1]:
            closing.pop()
        elif char in ")}":
            raise PipelineError(f"unexpected '{char}' after '{text[:at]}'")
        elif char == "," and not closing:
            yield text[start:at].strip()
            start = at + 1
    if closing or quote:
        raise PipelineError(f"expected '{quote or closing[-1]}' at the end of '{text}'")
    if text.strip():
        yield text[start:].strip()


_VALUES = {"str": "a word", "int": "an integer"}
"""Says what options of a type take, for messages."""


def _anchor(item: str) -> tuple[str | None, str]:
    """Splits `gpu.module(cse)` into the anchor and the passes in it; without brackets, the anchor is None."""
    name, bracket, rest = item.partition("(")
    if not bracket or "{" in name:
        return None, item
    if not item.endswith(")"):
        raise PipelineError(f"expected ',' after the last ')' of '{item}'")
    return name.strip(), rest[:-1]


def _pass(item: str, known: PassTable) -> ModulePass:
    try:
        specs = list(parse_pipeline(item))
    except ArgSpecParseError as error:
        raise PipelineError(str(error)) from None
    if len(specs) != 1:
        raise PipelineError(f"expected a pass, found '{item}'")
    (spec,) = specs
    name = RENAMED.get(spec.name, spec.name)
    if name not in known:
        instead = f": {ELSEWHERE[name]}" if name in ELSEWHERE else suggestion(name, known)
        raise PipelineError(f"there is no pass '{name}'{instead}")
    spec, factory = replace(spec, name=name), known[name]()
    options = {
        option.name.replace("_", "-"): option.expected_type.strip("'") for option in get_pass_option_infos(factory)
    }
    for name, values in spec.parameters.items():
        expected = options.get(name.replace("_", "-"))
        if expected is None:
            hint = suggestion(name, options) or f"; its options: {', '.join(options) or 'none'}"
            raise PipelineError(f"pass '{spec.name}' has no option '{name}'{hint}")
        if expected in _VALUES and not (len(values) == 1 and type(values[0]).__name__ == expected):
            given = ",".join(map(str, values)) or "nothing"
            raise PipelineError(f"pass '{spec.name}': expected {_VALUES[expected]} as option '{name}', got {given}")
    try:
        return factory.from_spec(spec)
    except ValueError as error:
        raise PipelineError(f"pass '{spec.name}': {error}") from None
