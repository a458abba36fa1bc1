"""Intel's disassembler and ours show the same text of what Intel's compiler makes of our kernels."""

from __future__ import annotations

import random
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.peer.generations import GENERATIONS, missing, program
from tests.peer.native.ocloc import NotBuilt, compiled
from tests.peer.opencl.cases import Case, cases
from xegpu.isa import DecodeError
from xegpu.isa.native import (
    assemble_native,
    decode_native,
    format_native,
    format_native_program,
    native_instructions,
)
from xegpu.targets import XE_HPC, XE_HPG, Platform
from zebin import read

KERNELS = sorted((Path(__file__).parent / "kernels").glob("*.cl"))
DEVICES = {"pvc": XE_HPC, "dg2": XE_HPG}
OPTIONS = {
    "default": "",
    "O0": "-cl-opt-disable",
    "large": "-cl-intel-256-GRF-per-thread",
    "stateless": "-cl-intel-greater-than-4GB-buffer-required",
    "bindless": "",
    "fast": "-cl-fast-relaxed-math",
    "debug": "-g",
}
INTERNAL_OPTIONS = {"bindless": "-cl-intel-use-bindless-mode -cl-intel-use-bindless-advanced-mode"}
NOT_BUILT = {("dg2", "dbl")}
"""Kernels for which a device has no types."""
NOT_BUILT_TODAY = {("pvc", "img")}
"""Kernels with images that today's compiler refuses for a device that has none."""

CASES = [
    pytest.param(kernel, device, options, id=f"{kernel.stem}-{device}-{options}")
    for kernel in KERNELS
    for device in DEVICES
    for options in OPTIONS
    if (device, kernel.stem) not in NOT_BUILT
]


def codes(kernel: Path, device: str, options: str, folder: Path, generation: str) -> list[bytes]:
    """Returns the code of the kernels of a file."""
    if generation == "today" and (device, kernel.stem) in NOT_BUILT_TODAY:
        pytest.skip("the device has no images")
    internal = ["-internal_options", INTERNAL_OPTIONS[options]] if options in INTERNAL_OPTIONS else []
    binary = compiled(kernel, device, folder, generation, OPTIONS[options], internal)
    return [bytes(kernel.text) for kernel in read(binary).kernels.values()]


def words_of(line: str) -> list[str]:
    """The text without comments and spaces, in the form of both generations.

    Today's assembler shows the regions of macro registers, and names options in another order.
    """
    *words, last = re.sub(r"(mme\d?)<1;1,0>", r"\1", line.split("//")[0]).split()
    return [*words, ",".join(sorted(last.strip("{}").split(","))) if last.startswith("{") else last]


def theirs(
    code: bytes, platform: Platform, folder: Path, generation: str = "installed"
) -> tuple[dict[int, list[str]], set[int]]:
    """Returns the text of iga64 by offset, and the offsets of the words that it refuses; skips the test without it."""
    if (iga := program("iga64", generation)) is None:
        pytest.skip(missing("iga64", "libigc-tools", generation))
    path = folder / "code.bin"
    path.write_bytes(code)
    command = [iga, "-d", f"-p={platform.native.encoding}", "-Xprint-pc", "-n", "--output-on-fail", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, errors="replace")
    lines = re.findall(r"/\* \[([0-9A-F]+)\] +\*/ (.*)", done.stdout)
    refused = {int(offset, 16) for offset in re.findall(r"byte offset 0x([0-9a-f]+): error", done.stderr)}
    return {int(offset, 16): words_of(text) for offset, text in lines}, refused


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize(("kernel", "device", "options"), CASES)
def test_text_and_bytes_are_the_same(kernel: Path, device: str, options: str, generation: str, tmp_path: Path) -> None:
    for code in codes(kernel, device, options, tmp_path, generation):
        check(code, DEVICES[device], tmp_path, generation)


def check(code: bytes, platform: Platform, folder: Path, generation: str) -> None:
    """Compares texts instruction by instruction, and what is assembled from ours with the code."""
    text, refused = theirs(code, platform, folder, generation)
    assert not refused
    for offset, instruction in native_instructions(platform, code):
        assert words_of(format_native(instruction)) == text[offset]
    assembled = assemble_native(platform, format_native_program(platform, code))
    assert code.startswith(assembled)
    assert not any(code[len(assembled) :])


CORPUS = [
    pytest.param(case, device, options, id=f"{case.name}-{device}-{options}")
    for case in cases()
    for device in DEVICES
    for options in OPTIONS
]
"""Kernels with what OpenCL C has; those that a device lacks types or images for are not built."""


@pytest.mark.sampled(every=800, all=8)
@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize(("case", "device", "options"), CORPUS)
def test_text_and_bytes_of_the_corpus(case: Case, device: str, options: str, generation: str, tmp_path: Path) -> None:
    source = tmp_path / "k.cl"
    source.write_text(case.text)
    try:
        made = codes(source, device, options, tmp_path, generation)
    except NotBuilt as error:
        pytest.skip(f"ocloc does not compile it: {str(error)[:200]}")
    for code in made:
        check(code, DEVICES[device], tmp_path, generation)


@cache
def _words(device: str, folder: Path) -> list[bytes]:
    platform, words = DEVICES[device], set()
    for kernel in KERNELS:
        if (device, kernel.stem) not in NOT_BUILT:
            for code in codes(kernel, device, "default", folder, "installed"):
                words |= {code[offset : offset + i.size] for offset, i in native_instructions(platform, code)}
    return sorted(words)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("device", DEVICES)
def test_mutated_words(device: str, seed: int, tmp_path: Path) -> None:
    """One to three flipped bits. What both show, they show alike, but for words that no assembler writes."""
    generator, platform = random.Random(seed), DEVICES[device]
    mutated = []
    for word in generator.sample(_words(device, tmp_path), 1500):
        bits = int.from_bytes(word, "little")
        for _ in range(generator.randint(1, 3)):
            bits ^= 1 << generator.choice([bit for bit in range(8 * len(word)) if bit != 29])
        mutated.append(bits.to_bytes(len(word), "little"))
    text, refused = theirs(b"".join(mutated), platform, tmp_path)
    offset, same, different = 0, 0, 0
    for word in mutated:
        shown = text.get(offset, ["illegal"])
        if offset not in refused and shown != ["illegal"] and "INVALID" not in " ".join(shown):
            try:
                ours = words_of(format_native(decode_native(platform, word)))
            except DecodeError:
                ours = []
            same, different = same + (ours == shown), different + (ours != shown)
        offset += len(word)
    assert same > 1000
    assert different < same / 100
