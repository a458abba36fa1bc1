"""The dialects that xegpu-toolkit knows, and how a context gets them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from xdsl.context import Context
from xdsl.ir import Dialect
from xdsl.universe import Universe

from xegpu.dialects.adoption import adopt as adopt
from xegpu.dialects.construction import initialize as initialize
from xegpu.dialects.upstream.builtin import add_rules

DIALECTS: Mapping[str, tuple[str, str]] = {
    "affine": ("xegpu.dialects.upstream.affine", "Affine"),
    "arith": ("xegpu.dialects.upstream.arith", "Arith"),
    "dlti": ("xegpu.dialects.upstream.dlti", "DLTI"),
    "func": ("xegpu.dialects.upstream.func", "Func"),
    "gpu": ("xegpu.dialects.upstream.gpu", "GPU"),
    "image": ("xegpu.dialects.image", "Image"),
    "index": ("xegpu.dialects.upstream.index", "Index"),
    "linalg": ("xegpu.dialects.upstream.linalg", "Linalg"),
    "llvm": ("xegpu.dialects.upstream.llvm", "LLVM"),
    "math": ("xegpu.dialects.upstream.math", "Math"),
    "memref": ("xegpu.dialects.upstream.memref", "MemRef"),
    "scf": ("xegpu.dialects.upstream.scf", "Scf"),
    "spirv": ("xegpu.dialects.upstream.spirv", "SPIRV"),
    "vector": ("xegpu.dialects.upstream.vector", "Vector"),
    "xe": ("xegpu.dialects.xe", "Xe"),
    "xegpu": ("xegpu.dialects.xegpu", "XeGPU"),
    "xetile": ("xegpu.dialects.xetile", "XeTile"),
    "xevm": ("xegpu.dialects.upstream.xevm", "XeVM"),
}
"""The home of each of our dialects, by prefix: (module, name of the `Dialect` in it); imported when first needed."""


def _factory(module: str, name: str) -> Callable[[], Dialect]:
    def load() -> Dialect:
        dialect = getattr(import_module(module), name)
        assert isinstance(dialect, Dialect)
        return dialect

    return load


def dialects() -> dict[str, Callable[[], Dialect]]:
    """Factories of all dialects by prefix: xDSL's, with ours added; ours replace those that they extend."""
    ours = {prefix: _factory(*where) for prefix, where in DIALECTS.items()}
    return {**Universe.get_multiverse().all_dialects, **ours}


def register_dialects(context: Context) -> None:
    """Makes all dialects known to `context`; none is imported before it is used. Rules of builtin ops are added."""
    for prefix, factory in dialects().items():
        context.register_dialect(prefix, factory)
    add_rules()
