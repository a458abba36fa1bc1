"""Forms of today's dialects: what a version of mlir-opt reads is read here, or refused with a reason that names it."""

from __future__ import annotations

import re

import pytest

from tests.paths import ROOT
from tests.peer.mlir_opt import MODERN, mlir_opt, needs
from tests.unit.xegpu.dialects.support import custom, parse
from xegpu.diagnostics import CompileError
from xegpu.mlir import verify

_TEXTS = (ROOT / "tests" / "data" / "upstream" / "forms.mlir").read_text().split("// -----\n")
FORMS = {text.splitlines()[0].removeprefix("// "): text for text in _TEXTS}

_LATER = r"those of later GPUs \(Xe3p\)"
REFUSED = {
    **dict.fromkeys(
        ("lane_shuffle pack", "lane_shuffle unpack f8", "truncf to f8E5M2", "dpas_mx f8 with scales"), _LATER
    ),
    **dict.fromkeys(("dpas f8E4M3FN", "load_nd of f8", "load_nd of f4"), _LATER),
    **dict.fromkeys(("xevm.mma_mx", "xevm.truncf", "xevm.extf"), _LATER),
    **dict.fromkeys(("load_nd of i4", "dpas i4"), "integers of 4 bits are supported as parts of bytes only"),
    "warp operation": "mlir-opt leaves it where it cannot distribute",
    "extf from f8": "unknown operation 'xegpu.extf'",
    "convert_layout without input": "property 'input_layout' expected",
}
"""These forms are refused, each for a reason; no version of mlir-opt up to 23 reads the last two."""


@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_read_and_printed_or_refused_with_its_reason(name: str) -> None:
    if name in REFUSED:
        with pytest.raises(CompileError, match=REFUSED[name]):
            verify(parse(FORMS[name]))
        return
    module = parse(FORMS[name])
    verify(module)
    verify(parse(custom(module)))


@needs(MODERN[-1])
@pytest.mark.sampled(every=4)
def test_what_is_read_here_is_read_by_a_version_of_mlir_opt() -> None:
    """The forms are upstream's, not ones of our own."""
    separator = "// -----\n"
    names = [name for name in FORMS if name not in REFUSED]
    output = mlir_opt(MODERN[-1], separator.join(FORMS[name] for name in names), "--split-input-file").stderr
    assert not re.findall(r"error: .*", output)
