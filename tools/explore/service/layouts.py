"""Pictures of a kernel: who has each element of its values, and which bytes its block-2D messages move."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Attribute

from runtime.mux import CompileOptions, compile_module, has_kernels
from tools.explore.protocol import ASSEMBLIES, ASSEMBLY, CompileRequest, Json
from tools.explore.service.assembly import assembled
from tools.explore.service.compiling import Compilation, applied, read, steps_of
from tools.explore.service.messages import block_messages, messages_of
from tools.explore.service.tiles import DrawnTile, drawn_type, drawn_value
from xegpu.dialects.xegpu import LayoutAttr, SliceAttr
from xegpu.isa.text import format_instruction
from xegpu.targets import Target, get
from xegpu.view import types_in

MOST_PICTURES = 64


def layouts(request: CompileRequest) -> dict[str, Json]:
    """Returns pictures of the tiles in all stages of a kernel, each with the first stage that has it, and messages."""
    target = get(request.target)
    found: dict[str, tuple[str, list[DrawnTile]]] = {}
    messages: list[Json] = []
    compilation = Compilation()
    with compilation.collecting():
        if request.language == ASSEMBLY:
            assembly = assembled(request)
            names = [
                format_instruction(instruction, grf_bytes=assembly.grf_bytes).strip()
                for instruction in assembly.instructions
            ]
            lines = [line for line, _ in assembly.places]
            messages += block_messages(assembly.instructions, names, lines, assembly.grf_bytes)
        elif request.language not in ASSEMBLIES:
            context, module = read(request, compilation)
            steps = steps_of(request, context)
            for stage in chain(["as read"], applied(steps, context, module)):
                for title, tiles in _drawn(module, target, found):
                    found[title] = stage, tiles
            if has_kernels(module):
                binary = compile_module(module, None, options=CompileOptions(context=context))
                messages += messages_of(binary, request.filename)
    pictures: list[Json] = [
        {"title": title, "stage": stage, "grf_bytes": target.platform.grf_bytes, **tile.json()}
        for title, (stage, tiles) in found.items()
        for tile in tiles
    ]
    return {"pictures": pictures[:MOST_PICTURES], "messages": messages}


def _drawn(
    module: ModuleOp, target: Target, known: dict[str, tuple[str, list[DrawnTile]]]
) -> Iterator[tuple[str, list[DrawnTile]]]:
    """Yields the values of a module that are not known yet, with their pictures."""
    seen: set[tuple[Attribute, ...]] = set()
    for type, *layout in chain(((type,) for type in types_in(module)), _values_with_layouts(module)):
        if (type, *layout) in seen:
            continue
        seen.add((type, *layout))
        title = ", ".join(map(str, (type, *layout)))
        if title not in known:
            match layout:
                case [LayoutAttr() | SliceAttr() as given] if isinstance(type, VectorType):
                    yield title, list(drawn_value(type, given))
                case _:
                    yield title, list(drawn_type(type, target))


def _values_with_layouts(module: ModuleOp) -> Iterator[tuple[Attribute, Attribute]]:
    """Yields the types of the results whose layout an attribute of their operation tells, with the layout."""
    for op in module.walk():
        for number, type in enumerate(op.result_types):
            layout = op.attributes.get(f"layout_result_{number}")
            if layout is not None:
                yield type, layout
