"""The XeGPU of LLVM 22 goes through real mlir-opt 22, both ways; what that refuses is refused here as well."""

from __future__ import annotations

import re

import pytest

from tests.paths import ROOT
from tests.peer.mlir_opt import check_exchange, mlir_opt, needs
from tests.unit.xegpu.dialects.support import parse
from xegpu.diagnostics import CompileError, verify

_FOLDER = ROOT / "tests" / "lit" / "dialects" / "xegpu"
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
def test_what_mlir_opt_refuses_is_refused() -> None:
    """Each case of the invalid file is invalid to mlir-opt, too, unless the file checks more."""
    cases = (_FOLDER / "llvm22-invalid.mlir").read_text().split("// -----")
    refused = 0
    for case in cases:
        body = re.sub(r"//.*", "", case)
        refused += mlir_opt(22, body).returncode != 0
        with pytest.raises(CompileError):
            verify(parse(body))
    assert refused > len(cases) / 2
