"""Attributes that only some records have, and what belongs to other versions or is not known to drivers."""

from __future__ import annotations

import pytest

from tests.unit.zebin.support import container, expect, findings
from tests.unit.zebin.test_malformed_ze_info import changed, file_of
from zebin import FindingSeverity, read
from zebin.ze_info import PayloadArgument, PerThreadMemoryBuffer
from zebin.ze_info.records import Record, RecordAttribute
from zebin.ze_info.schema import NEWEST_MINOR_VERSION

ERROR, WARNING, INFO = FindingSeverity.ERROR, FindingSeverity.WARNING, FindingSeverity.INFO

LOCAL_SIZE = "      - arg_type: local_size\n        offset: 0\n        size: 12\n"
VALUE = "        offset: 40\n        size: 4\n        arg_index: 1\n"
POINTER = "        offset: 32\n        size: 8\n        arg_index: 0\n"
SCRATCH = "        usage: spill_fill_space\n        size: 65536\n"
GLOBAL = "        size: 4096\n"

MISPLACED = [
    ("arg_index: 0", LOCAL_SIZE),
    ("addrmode: stateless", LOCAL_SIZE),
    ("addrspace: global", VALUE),
    ("access_type: readonly", VALUE),
    ("sampler_index: 0", POINTER),
    ("source_offset: 0", POINTER),
    ("slm_alignment: 16", POINTER),
    ("image_type: image_2d", POINTER),
    ("image_transformable: true", POINTER),
    ("sampler_type: texture", POINTER),
    ("is_pipe: true", VALUE),
    ("is_ptr: true", POINTER),
    ("bti_value: 3", POINTER),
    ("slot: 1", GLOBAL),
    ("is_simt_thread: true", SCRATCH),
]


@pytest.mark.parametrize(("line", "behind"), MISPLACED, ids=lambda value: value.split(":")[0].strip())
def test_an_attribute_that_means_nothing(line: str, behind: str) -> None:
    finding = expect(file_of(changed(behind, f"{behind}        {line}\n")), WARNING, "key.condition")
    assert line.split(":")[0] in finding.message
    assert finding.expected.startswith("only with ")


def conditional(record_type: type[Record]) -> set[str]:
    return {row.key for row in record_type.conditional if row.when is not None}


def test_every_condition_is_tested() -> None:
    assert {line.split(":")[0] for line, _ in MISPLACED} == conditional(PayloadArgument) | conditional(
        PerThreadMemoryBuffer
    )


@pytest.mark.parametrize(
    "line",
    [
        "        addrspace: global\n        access_type: readonly\n",
        "        access_type: readonly\n",
        "        slm_alignment: 16\n",
        "        image_type: image_2d\n",
        "        sampler_type: texture\n",
    ],
    ids=lambda line: line.split(":")[0].strip(),
)
def test_an_attribute_that_should_be_stated(line: str) -> None:
    expect(file_of(changed(line, "")), WARNING, "key.expected")


def test_a_base_has_a_mode_and_a_surface() -> None:
    base = "      - arg_type: const_base\n        offset: 64\n        size: 8\n        addrmode: stateless\n"
    base += "        bti_value: 3\n"
    assert findings(file_of(changed(LOCAL_SIZE, LOCAL_SIZE + base))) == []


def test_an_inline_sampler_has_a_space_and_an_index() -> None:
    sampler = "      - arg_type: inline_sampler\n        offset: 64\n        size: 8\n        addrmode: bindless\n"
    sampler += "        addrspace: sampler\n        sampler_index: 1\n"
    assert findings(file_of(changed(LOCAL_SIZE, LOCAL_SIZE + sampler))) == []


OLD = """---
version: '1.{minor}'
kernels:
  - name: k
    execution_env:
      grf_count: 128
      simd_size: 16
      {key}
    payload_arguments:
      - arg_type: {arg_type}
        offset: 0
        size: 8
...
"""


def old(minor: int, key: str = "slm_size: 0", arg_type: str = "printf_buffer") -> bytes:
    return container(OLD.format(minor=minor, key=key, arg_type=arg_type))


@pytest.mark.parametrize(
    ("key", "arg_type", "since"),
    [
        ("has_dpas: true", "printf_buffer", 5),
        ("eu_thread_count: 8", "printf_buffer", 24),
        ("require_iab: true", "printf_buffer", 54),
        ("slm_alloc_mode: 1", "printf_buffer", 73),
        ("slm_size: 0", "sync_buffer", 22),
        ("slm_size: 0", "scratch_pointer", 31),
    ],
)
def test_keys_and_words_are_not_older_than_the_version(key: str, arg_type: str, since: int) -> None:
    finding = expect(old(since - 1, key, arg_type), WARNING, "version.older")
    assert finding.expected == f"1.{since} or later"
    assert "version.older" not in {f.code for f in findings(old(since, key, arg_type))}


def test_what_is_too_young_is_said_once() -> None:
    kernel = "  - name: k{}\n    execution_env:\n      grf_count: 128\n      simd_size: 16\n      has_sample: true\n"
    text = "version: '1.20'\nkernels:\n" + "".join(kernel.format(n) for n in range(5))
    assert [f.code for f in findings(container(text))].count("version.older") == 1


def test_every_row_knows_its_version() -> None:
    def rows(record_type: type[Record]) -> list[RecordAttribute]:
        return [row for row in record_type.attributes if row.since]

    assert all(0 < row.since <= NEWEST_MINOR_VERSION for kind in Record.__subclasses__() for row in rows(kind))


@pytest.mark.parametrize(
    ("key", "arg_type"),
    [
        ("generate_local_id: true", "printf_buffer"),
        ("has_device_enqueue: true", "printf_buffer"),
        ("quantum_size: 1", "printf_buffer"),
        ("slm_size: 0", "region_group_size"),
        ("slm_size: 0", "flat_image_width"),
    ],
)
def test_what_current_drivers_do_not_know(key: str, arg_type: str) -> None:
    data = old(61, key, arg_type)
    expect(data, INFO, "key.driver")
    expect(data, ERROR, "key.driver", strict=True)


@pytest.mark.parametrize("key", ["hw_preemption_mode: 1", "actual_kernel_start_offset: 64"])
def test_keys_that_drivers_still_know(key: str) -> None:
    expect(old(61, key), WARNING, "key.unknown", strict=True)


def test_libraries_that_drivers_know() -> None:
    expect(
        file_of(changed("functions:\n", "required_libs:\n  - x: 1\nfunctions:\n")), WARNING, "key.unknown", strict=True
    )


@pytest.mark.parametrize(
    ("old_text", "new_text", "word"),
    [
        ("arg_type: local_size", "arg_type: group_size", "group_count"),
        ("addrmode: slm", "addrmode: shared_local_memory", "slm"),
    ],
)
def test_words_of_the_first_versions(old_text: str, new_text: str, word: str) -> None:
    data = file_of(changed(old_text, new_text))
    expect(data, WARNING, "enum.misspelt")
    arguments = read(data).kernels["k"].payload_arguments
    assert word in {argument.arg_type for argument in arguments} | {argument.addrmode for argument in arguments}
