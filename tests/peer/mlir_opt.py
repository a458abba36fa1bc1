"""Running real mlir-opt, and comparing what it and we make of a module."""

from __future__ import annotations

import re
import subprocess

import pytest
from xdsl.dialects import builtin
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.dialects.linalg.abstract_ops import NamedOperation
from xdsl.irdl import IRDLOperation

from tests.peer.generations import either
from tests.unit.xegpu.dialects.support import custom, generic, parse
from xegpu.dialects.upstream.gpu import ModuleEndOp, ModuleOp
from xegpu.dialects.xegpu import CreateNdDescOp

MODERN = (22, 23)
"""The versions that have the XeGPU of LLVM 22; `scripts/peers` fetches the newest."""
VERSIONS = (19, *MODERN)

# LLVM 22 does not print what an encoding says by default.
_DEFAULT = re.compile(r"(, )?(memory_space = global|array_length = 1 : i64|boundary_check = true|chunk_size = 1 : i64)")


def needs(version: int) -> pytest.MarkDecorator:
    """Skips a test where that mlir-opt is missing."""
    return pytest.mark.skipif(
        _path(version) is None, reason=f"mlir-opt-{version} (package mlir-{version}-tools) is not installed"
    )


def each(*versions: int) -> pytest.MarkDecorator:
    """Runs a test with each of the versions, those that are missing aside."""
    return pytest.mark.parametrize("version", [pytest.param(version, marks=needs(version)) for version in versions])


def _path(version: int) -> str | None:
    return either(f"mlir-opt-{version}")


def mlir_opt(version: int, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    path = _path(version)
    assert path is not None
    return subprocess.run([path, *options], input=text, capture_output=True, text=True, check=False)


def accepted(version: int, text: str, *options: str) -> str:
    """Returns the output of mlir-opt, which must accept the text."""
    done = mlir_opt(version, text, *options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def meaning(module: builtin.ModuleOp) -> str:
    """The module in generic form, without names, defaults, and what mlir-opt adds while it parses."""
    for op in list(module.walk()):
        if isinstance(op, ModuleEndOp):
            op.detach()
            continue
        if isinstance(op, IRDLOperation):
            for name, definition in op.get_irdl_definition().properties.items():
                if definition.default_value is not None and op.properties.get(name) == definition.default_value:
                    del op.properties[name]
        op.attributes.pop("linalg.memoized_indexing_maps", None)
        if isinstance(op, NamedOperation):
            maps = ArrayAttr(AffineMapAttr(map) for map in op.get_default_indexing_maps())
            if op.properties.get("indexing_maps") == maps:
                del op.properties["indexing_maps"]
        blocks = [block for region in op.regions for block in region.blocks]
        for named in (*op.results, *blocks, *(arg for block in blocks for arg in block.args)):
            named.name_hint = None
        if isinstance(op, CreateNdDescOp) and op.const_shape is None:
            op.properties.pop("const_strides", None)
        op.properties.pop("keyword_lists", None)  # how LLVM 22 writes the lists; the generic form has no keywords
        op.properties = dict(sorted(op.properties.items()))
        op.attributes = dict(sorted(op.attributes.items()))
    return _DEFAULT.sub("", generic(module)).replace("<, ", "<").replace(", #xegpu.block_tdesc_attr<>", "")


def check_exchange(version: int, text: str) -> None:
    """Both tools read what the other prints, in both forms, and it means the same."""
    ours = parse(text)
    forms = [custom(ours)]
    if version >= 22 or not any(isinstance(op, ModuleOp) for op in ours.walk()):
        forms.append(generic(ours))  # LLVM 19 wants a terminator in gpu.module, which LLVM 22 does not know
    expected = meaning(ours)
    for printed in forms:
        for options in ((), ("--mlir-print-op-generic",)):
            assert meaning(parse(accepted(version, printed, *options))) == expected
