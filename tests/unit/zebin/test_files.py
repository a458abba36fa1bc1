"""Files are mapped, whatever they are."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.unit.zebin.support import DATA, sample
from zebin import ZebinError, read, write
from zebin.binary.file import map_file


def test_a_file_is_mapped() -> None:
    view = map_file(DATA / "vadd.pvc.zebin")
    assert isinstance(view.obj, mmap.mmap)
    assert view == sample("vadd.pvc.zebin")


def test_sections_of_a_file_are_views_of_it() -> None:
    zebin = read(str(DATA / "vadd.pvc.zebin"))
    text = zebin.section(".text.vadd")
    assert text is not None
    assert isinstance(text.data, memoryview)
    assert isinstance(text.data.obj, mmap.mmap)


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.touch()
    with pytest.raises(ZebinError) as caught:
        read(path)
    assert caught.value.finding.code == "file.foreign"


def test_a_pipe() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(sample("vadd.pvc.zebin"))
    assert list(read(f"/dev/fd/{reading}").kernels) == ["vadd"]
    os.close(reading)


@pytest.mark.parametrize("name", ["missing", "."])
def test_no_file(name: str, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"o such file|s a directory"):
        read(tmp_path / name)


def test_a_rewritten_file_replaces_the_mapped_one(tmp_path: Path) -> None:
    path = tmp_path / "k.zebin"
    path.write_bytes(sample("vadd.pvc.zebin"))
    zebin = read(path)
    new = tmp_path / "new"
    new.write_bytes(write(zebin))
    new.replace(path)
    assert zebin.kernels["vadd"].name in read(path).kernels


WITHOUT_COMPILER = """
import sys

class Refusal:
    def find_spec(self, name, path=None, target=None):
        parts = name.split(".")
        is_compiler = parts[0] in ("passes", "runtime", "tools", "xdsl")
        is_common = parts[1:2] in ([], ["targets"], ["suggestions"], ["on_demand"], ["records"])
        if is_compiler or (parts[0] == "xegpu" and not is_common):
            raise ImportError(name)

sys.meta_path.insert(0, Refusal())
import zebin
from zebin.diff import diff
from zebin.dump import as_json, json_chunks, tables_of

binary = zebin.read(sys.argv[1])
assert all(list(table.lines()) for table in tables_of(binary))
assert "".join(json_chunks(as_json(binary)))
assert not diff(binary, zebin.read(zebin.write(binary)))
assert zebin.edit(sys.argv[1]).set("kernels[0].execution_env.slm_size", 64).binary()
"""


def test_no_part_of_the_compiler_is_needed() -> None:
    command = [sys.executable, "-c", WITHOUT_COMPILER, str(DATA / "vadd.pvc.zebin")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
