"""The outputs of `xegpu-opt` that extend or replace those of xDSL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from xdsl.utils.target import Target

# Each output is imported when it is asked for: name: (module, class).
_FORMATS: Mapping[str, tuple[str, str]] = {
    "layout": ("tools.opt.layout_target", "LayoutTarget"),
    "mlir": ("tools.opt.mlir_target", "MLIRTextTarget"),
    "xe-asm": ("tools.opt.kernel_targets", "XeAsmTarget"),
    "zebin": ("tools.opt.kernel_targets", "ZebinTarget"),
}


def _factory(module: str, name: str) -> Callable[[], type[Target]]:
    def load() -> type[Target]:
        loaded = getattr(import_module(module), name)
        assert isinstance(loaded, type)
        assert issubclass(loaded, Target)
        return loaded

    return load


def output_format_names() -> list[str]:
    """Returns the names of the outputs."""
    return list(_FORMATS)


def output_formats() -> dict[str, Callable[[], type[Target]]]:
    """Returns the factories of outputs by name."""
    return {name: _factory(*where) for name, where in _FORMATS.items()}
