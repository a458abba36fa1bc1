"""`--help-pass`: prints the description and the options of a pass, taken from its class."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

from xdsl.passes import ModulePass, get_pass_option_infos


def describe(cls: type[ModulePass]) -> str:
    """Returns the description of a pass and its options with types, defaults and descriptions."""
    lines = [cls.name, "", inspect.getdoc(cls) or "No description."]
    documented = dict(_field_docs(cls))
    options = get_pass_option_infos(cls)
    if options:
        lines += ["", "Options:"]
    for option in options:
        name = option.name.replace("_", "-")
        default = "" if option.default_value is None else f", default {option.default_value or repr('')}"
        lines.append(f"  {name}: {option.expected_type}{default}")
        if option.name in documented:
            lines.append(f"      {documented[option.name]}")
    settings = " ".join(f"{option.name.replace('_', '-')}=..." for option in options)
    lines += [
        "",
        f"Example: xegpu-opt -p '{cls.name}{{{settings}}}'" if options else f"Example: xegpu-opt -p {cls.name}",
    ]
    return "\n".join(lines)


def _field_docs(cls: type) -> Iterator[tuple[str, str]]:
    """Yields each annotated field of a class and of its bases with the string literal below it."""
    for base in reversed(cls.__mro__):
        if issubclass(base, ModulePass):
            yield from _own_field_docs(base)


def _own_field_docs(cls: type) -> Iterator[tuple[str, str]]:
    try:
        tree = ast.parse(inspect.cleandoc(inspect.getsource(cls)))
    except (OSError, SyntaxError):
        return
    definition = tree.body[0]
    if not isinstance(definition, ast.ClassDef):
        return
    for field, text in zip(definition.body, definition.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
        ):
            yield field.target.id, " ".join(str(text.value.value).split())
