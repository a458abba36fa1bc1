"""The XeGPU of LLVM 22 goes through real mlir-opt 22, both ways; what that refuses is refused here as well."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from tests.paths import GALLERY, ROOT
from tests.peer.mlir_opt import accepted, check_exchange, mlir_opt, needs
from tests.unit.xegpu.dialects.support import parse
from xegpu.diagnostics import CompileError
from xegpu.mlir import verify

_FOLDER = ROOT / "tests" / "lit" / "dialects" / "xegpu"
_XEVM = ROOT / "tests" / "lit" / "dialects" / "xevm"
_OF_MAIN = ("@chunks_by_type", "%ba, %bb", "<{layout_a", "other = 3", "-> vector<16x16xf16>")
"""Parts of our text that only later versions read."""


@needs(22)
def test_everything_is_exchanged() -> None:
    text = (_FOLDER / "llvm22.mlir").read_text()
    functions = re.findall(r"^func\.func .*?^}$|^func\.func private .*?$", text, re.MULTILINE | re.DOTALL)
    assert len(functions) > 6
    for function in functions:
        if "@chunks_by_type" in function:
            continue
        lines = [line for line in function.splitlines() if not any(part in line for part in _OF_MAIN)]
        check_exchange(22, "\n".join(lines))


@needs(22)
@pytest.mark.parametrize("file", [_FOLDER / "llvm22-invalid.mlir", _XEVM / "ops-invalid.mlir"], ids=["xegpu", "xevm"])
def test_what_mlir_opt_refuses_is_refused(file: Path) -> None:
    """Each case of the invalid file is invalid to mlir-opt, too, unless the file checks more."""
    cases = file.read_text().split("// -----")
    refused = 0
    for case in cases:
        body = re.sub(r"//.*", "", case)
        refused += mlir_opt(22, body).returncode != 0
        with pytest.raises(CompileError):
            verify(parse(body))
    assert refused > len(cases) / 2


_FLAGS = {"": "transpose = false, pack_register = false", "transpose": "transpose = true, pack_register = false"}
_FLAGS["pack"] = "transpose = false, pack_register = true"


def _blocks() -> list[str]:
    """Loads, stores and prefetches of blocks of many sizes, legal and not."""
    found = []
    for bits, width, height, blocks in itertools.product((8, 16, 32), (8, 16, 64), (12, 32), (1, 2, 4)):
        sizes = f"elem_size_in_bits = {bits} : i32, tile_width = {width} : i32, tile_height = {height} : i32"
        blocks_text = f"v_blocks = {blocks} : i32"
        part = f"vector<{max(1, width * height * blocks // 16)}xi{bits}>"
        types = "!llvm.ptr<1>, i32, i32, i32, i32, i32"
        if width * height % 16 == 0:
            for name, flags in _FLAGS.items():
                count = width * height * blocks * bits // 512
                result = f"vector<{count}xi32>" if name == "pack" and count else part
                properties = f"<{{{sizes}, {blocks_text}, {flags}}}>"
                found.append(f"%0 = xevm.blockload2d %p, %i, %i, %i, %i, %i {properties} : ({types}) -> {result}")
            if blocks == 1:
                found.append(
                    f"%v = ub.poison : {part}\n"
                    f"xevm.blockstore2d %p, %i, %i, %i, %i, %i, %v <{{{sizes}}}> : ({types}, {part})"
                )
        found.append(f"xevm.blockprefetch2d %p, %i, %i, %i, %i, %i <{{{sizes}, {blocks_text}}}> : ({types})")
    return [f"func.func @f(%p: !llvm.ptr<1>, %i: i32) {{\n{text}\nreturn\n}}" for text in found]


@pytest.mark.sampled(every=3)
@needs(22)
def test_blocks_of_xevm_are_legal_where_they_are_to_mlir_opt() -> None:
    """Whatever one of the two accepts, the other accepts."""
    cases = _blocks()
    separator = "\n// -----\n"
    errors = mlir_opt(22, separator.join(cases), "--split-input-file").stderr
    refused = {int(line) for line in re.findall(r"<stdin>:(\d+):\d+: error", errors)}
    line, ours, theirs = 1, [], []
    for case in cases:
        after = line + case.count("\n") + 2
        if refused & set(range(line, after)):
            theirs.append(case)
        try:
            verify(parse(case))
        except CompileError:
            ours.append(case)
        line = after
    assert ours == theirs
    assert 0 < len(ours) < len(cases)


@needs(22)
@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    "path", sorted(GALLERY.glob("*/*_llvm22*.mlir")), ids=lambda path: f"{path.parent.name}-{path.name.split('.')[0]}"
)
def test_the_gallery_is_read_by_it(path: Path) -> None:
    """As it is written, and as it is printed here."""
    text = path.read_text()
    accepted(22, text)
    accepted(22, str(parse(text)))
