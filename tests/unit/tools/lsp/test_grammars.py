"""The grammars for highlighting, applied by Python's regular expressions to kernels and their code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.paths import EXAMPLES
from tools import xegpu_lsp, xegpu_opt
from tools.lsp.navigation import Kind, tokenize


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assert xegpu_lsp.main([f"--grammars={tmp_path / 'new'}"]) == 0
    return tmp_path / "new"


def scopes(grammar: Path, line: str) -> dict[str, str]:
    """Returns the scope of each piece of a line; the first pattern that matches earliest wins, as in editors."""
    patterns = [
        (entry["name"], re.compile(entry.get("match") or f"{entry['begin']}.*?(?:{entry['end']})"))
        for entry in json.loads(grammar.read_text())["patterns"]
    ]
    found: dict[str, str] = {}
    position = 0
    while position < len(line):
        matches = [(match.start(), name, match) for name, rule in patterns if (match := rule.search(line, position))]
        if not matches:
            break
        _, name, match = min(matches, key=lambda entry: entry[0])
        found[match[0].strip()] = name
        position = max(match.end(), position + 1)
    return found


def test_the_extension_names_its_files(folder: Path) -> None:
    extension = json.loads((folder / "package.json").read_text())
    languages = {entry["id"] for entry in extension["contributes"]["languages"]}
    for entry in extension["contributes"]["grammars"]:
        assert entry["language"] in languages
        assert json.loads((folder / entry["path"]).read_text())["scopeName"] == entry["scopeName"]


def test_mlir(folder: Path) -> None:
    grammar = folder / "mlir.tmLanguage.json"
    line = '%v = xegpu.load_nd %t <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<8x16xf32> // "x"'
    assert scopes(grammar, line) == {
        "%v": "variable.other.value.mlir",
        "xegpu.load_nd": "keyword.operator.operation.mlir",
        "%t": "variable.other.value.mlir",
        "#xegpu.cache_hint": "entity.other.attribute-name.mlir",
        "!xegpu.tensor_desc": "entity.name.type.mlir",
        "8": "constant.numeric.mlir",
        "16": "constant.numeric.mlir",
        "f32": "storage.type.mlir",
        '// "x"': "comment.line.double-slash.mlir",
    }
    for line in (EXAMPLES / "softmax.mlir").read_text().splitlines():
        found = scopes(grammar, line)
        for token in tokenize(line):
            if token.kind is Kind.VALUE:
                assert found[token.text] == "variable.other.value.mlir"


def test_xe_assembly(folder: Path, tmp_path: Path) -> None:
    code = tmp_path / "softmax.asm"
    words = [str(EXAMPLES / "softmax.mlir"), "--target", "pvc", "-t", "xe-asm", "-o", str(code)]
    assert xegpu_opt.main(words) == 0
    instructions = 0
    for line in code.read_text().splitlines():
        found = scopes(folder / "xe-asm.tmLanguage.json", line)
        match = re.match(r"\s+(?:\([^)]*\) )?([a-z][\w.]*)(?= \(\d+\|)", line)
        if match is not None:
            instructions += 1
            assert found[match[1]] == "keyword.operator.instruction.xe-asm", line
    assert instructions > 20


def test_a_folder_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert xegpu_lsp.main([f"--grammars={tmp_path / 'file'}"]) == 1
    assert "error: cannot be made: File exists" in capsys.readouterr().err
