"""Every key of `.ze_info` that today's compiler writes is read without a finding, shown, and can be edited."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

from tests.peer.native.ocloc import compiled
from tools.zebin_dump import main as zebin_dump
from zebin import EditError, edit, read
from zebin.elf.constants import SectionType

SOURCE = Path(__file__).with_name("zebin_keys.cl")
OPTIONS = {"default": "", "debug": "-g", "O0": "-cl-opt-disable", "large": "-cl-intel-256-GRF-per-thread"}
IMAGES = "-D__opencl_c_images"
"""The macro that the compiler's header, unlike the standard, does not define for the GPUs that have images."""

BINARIES = [(gpu, options) for gpu in ("pvc", "dg2") for options in OPTIONS]
WRITTEN = 48
"""The fewest keys that all binaries have together."""


@cache
def made(gpu: str, options: str, folder: Path) -> bytes:
    return compiled(SOURCE, gpu, folder, "today", f"{OPTIONS[options]} {IMAGES if gpu == 'dg2' else ''}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keys")


def leaves(node: object, path: str = "", key: str = "") -> Iterator[tuple[str, str, object]]:
    """Yields the paths of values as the editor has them, the keys without names and numbers of items, and values."""
    if isinstance(node, dict):
        for word, value in node.items():
            yield from leaves(value, f"{path}.{word}".lstrip("."), f"{key}.{word}".lstrip("."))
    elif isinstance(node, list) and isinstance(node[0], dict):
        for number, item in enumerate(node):
            name = item["name"] if key == "kernels" else number
            yield from leaves(item, f"{path}[{name}]", key)
    else:
        yield path, key, node


def text_of(binary: bytes) -> str:
    (section,) = read(binary, lenient=True).elf.of_type(SectionType.ZEINFO)
    return bytes(section.data).rstrip(b"\0").decode()


WORDS = {
    "kernels.inline_samplers.addrmode": ("mirror", "repeat"),
    "kernels.inline_samplers.filtermode": ("linear", "nearest"),
    "kernels.payload_arguments.access_type": ("readonly", "readwrite"),
    "kernels.payload_arguments.addrmode": ("slm", "stateless"),
    "kernels.payload_arguments.addrspace": ("global", "image"),
    "kernels.payload_arguments.arg_type": ("arg_bypointer", "arg_byvalue"),
    "kernels.payload_arguments.image_type": ("image_2d", "image_3d"),
    "kernels.payload_arguments.sampler_type": ("texture", "vme"),
    "kernels.per_thread_memory_buffers.type": ("global", "scratch"),
    "kernels.per_thread_memory_buffers.usage": ("private_space", "single_space"),
    "kernels.per_thread_payload_arguments.arg_type": ("local_id", "packed_local_ids"),
}
"""Two words of each enumeration."""


def other(key: str, value: object) -> object:
    """Returns a value of the same type that differs."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case list():
            return [number + 1 for number in value]
        case _:
            return next(word for word in WORDS.get(key, ("other",)) if word != value)


@pytest.mark.parametrize(("gpu", "options"), BINARIES)
def test_every_key_is_known_and_shown(gpu: str, options: str, folder: Path) -> None:
    binary = made(gpu, options, folder)
    assert not read(binary).findings
    path = folder / "shown.zebin"
    path.write_bytes(binary)
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        assert zebin_dump(["--ze-info", str(path)]) == 0
    words = set(shown.getvalue().replace(",", " ").split())
    for _, key, _ in leaves(yaml.safe_load(text_of(binary))):
        if key != "version":
            assert key.rpartition(".")[2] in words or key.endswith(".name")


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(("gpu", "options"), BINARIES)
def test_every_key_can_be_edited(gpu: str, options: str, folder: Path) -> None:
    """Its own value leaves the file as it is, another one is found there, and none of another type is taken."""
    binary = made(gpu, options, folder)
    found = {key: (path, value) for path, key, value in leaves(yaml.safe_load(text_of(binary))) if key != "version"}
    for key, (path, value) in found.items():
        assert edit(binary).set(path, value).binary() == binary
        changed = edit(binary).set(path, other(key, value)).binary(force=True)
        if not key.endswith(".name"):
            assert {path: text for path, _, text in leaves(yaml.safe_load(text_of(changed)))}[path] == other(key, value)
        with pytest.raises(EditError):
            edit(binary).set(path, {"no": "value"})


def test_the_binaries_have_most_keys(folder: Path) -> None:
    keys = {
        key for gpu, options in BINARIES for _, key, _ in leaves(yaml.safe_load(text_of(made(gpu, options, folder))))
    }
    assert len(keys) >= WRITTEN
