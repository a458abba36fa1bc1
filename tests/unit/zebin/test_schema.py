"""The table of ze_info: complete, and enough to write and read every record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from tests.amounts import examples
from tests.unit.zebin.support import records_of
from tests.unit.zebin.test_samples import plain
from zebin import ZebinError
from zebin.rules import parse_ze_info
from zebin.ze_info import (
    ExecutionEnv,
    KernelInfo,
    PayloadArgument,
    UserAttributes,
    ZeInfo,
    schema,
    write_ze_info,
)
from zebin.ze_info.kinds import BOOL, FLOAT, INT32, INT32X3, TEXT, WordKind
from zebin.ze_info.records import ListKind, Record, RecordAttribute, RecordKind, write_record

RECORDS = [
    value
    for value in vars(schema).values()
    if isinstance(value, type) and issubclass(value, Record) and value is not Record
]

int32 = st.integers(-(1 << 31), (1 << 31) - 1)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
BASIC: dict[object, st.SearchStrategy[object]] = {
    INT32: int32,
    BOOL: st.booleans(),
    TEXT: texts,
    FLOAT: st.integers(-1000, 1000).map(lambda n: n / 8),
    INT32X3: st.tuples(*[st.integers(0, (1 << 31) - 1)] * 3),
}


@st.composite
def records(draw: st.DrawFn, record_type: type[Record]) -> Record:
    """A record with all that is required and some of the rest."""
    attributes = {row.name: draw(values(row)) for row in record_type.attributes if row.required or draw(st.booleans())}
    build: Callable[..., Record] = record_type
    return build(**attributes)


def values(row: RecordAttribute) -> st.SearchStrategy[object]:
    kind = row.kind
    if isinstance(kind, WordKind):
        return st.sampled_from(list(kind.words.values()))
    if isinstance(kind, RecordKind):
        return records(kind.record_type).filter(lambda record: bool(write_record(record).entries))
    if isinstance(kind, ListKind):
        return st.lists(records(kind.item.record_type), min_size=1, max_size=2)
    return BASIC[kind]


@pytest.mark.parametrize("record_type", RECORDS, ids=lambda r: r.__name__)
def test_keys_are_unique_and_every_field_is_declared(record_type: type[Record]) -> None:
    spellings = [word for row in record_type.attributes for word in (row.key, *row.aliases)]
    assert len(spellings) == len(set(spellings))
    declared = {field.name for field in fields(record_type)} - {field.name for field in fields(Record)}
    assert declared == {row.name for row in record_type.attributes}
    assert all(0 <= row.since <= schema.NEWEST_MINOR_VERSION for row in record_type.attributes)


@settings(max_examples=examples(40), deadline=None)
@given(st.data())
def test_every_record_is_written_and_read_back(data: st.DataObject) -> None:
    ze_info = data.draw(records(ZeInfo))
    assert isinstance(ze_info, ZeInfo)
    ze_info.version = "1.61"
    assert records_of(write_ze_info(ze_info).decode()) == ze_info


@settings(max_examples=examples(40), deadline=None)
@given(st.data())
def test_every_record_is_written_as_yaml(data: st.DataObject) -> None:
    ze_info = data.draw(records(ZeInfo))
    assert isinstance(ze_info, ZeInfo)
    assert yaml.load(write_ze_info(ze_info), yaml.BaseLoader) == plain(write_record(ze_info))


def test_defaults_are_not_written_and_required_values_are() -> None:
    argument = PayloadArgument(arg_type="arg_bypointer", offset=0, size=0, arg_index=-1, is_pipe=False)
    assert list(write_record(argument).entries) == ["arg_type", "offset", "size"]


def test_order_is_that_of_the_table_not_of_assignment() -> None:
    env = ExecutionEnv(simd_size=16, grf_count=128, barrier_count=1)
    assert list(write_record(env).entries) == ["barrier_count", "grf_count", "simd_size"]


def test_a_stated_default_is_kept() -> None:
    text = (
        "---\nversion:         '1.61'\nkernels:\n  - name:            k\n    execution_env:\n"
        "      grf_count:       128\n      simd_size:       16\n"
        "      work_group_walk_order_dimensions: [ 0, 1, 2 ]\n...\n"
    )
    assert write_ze_info(parse_ze_info(text)).decode() == text


def test_defaults_of_the_specification() -> None:
    env = ExecutionEnv(grf_count=128, simd_size=16)
    assert env.work_group_walk_order_dimensions == (0, 1, 2)
    assert (env.slm_size, env.has_dpas, env.thread_scheduling_mode) == (0, False, None)
    assert UserAttributes().reqd_work_group_size == (0, 0, 0)
    argument = PayloadArgument(arg_type="local_size", offset=0, size=12)
    assert (argument.arg_index, argument.sampler_index, argument.source_offset, argument.bti_value) == (-1, -1, -1, -1)


def test_a_nested_record_of_defaults_is_not_written() -> None:
    env = ExecutionEnv(grf_count=128, simd_size=16)
    kernel = KernelInfo(name="k", execution_env=env, user_attributes=UserAttributes())
    assert list(write_record(kernel).entries) == ["name", "execution_env"]


def test_camel_case_keys_are_literal() -> None:
    keys = {row.key for record_type in RECORDS for row in record_type.attributes}
    assert {"argNo", "byteOffset", "sizeInBytes", "isInDirect", "C", "Kcm_loop_costs"} <= keys


def test_lists_are_not_shared_between_records() -> None:
    first = KernelInfo(name="a", execution_env=ExecutionEnv(grf_count=128, simd_size=16))
    second = KernelInfo(name="b", execution_env=ExecutionEnv(grf_count=128, simd_size=16))
    first.payload_arguments.append(PayloadArgument(arg_type="local_size", offset=0, size=12))
    assert second.payload_arguments == []


def test_attributes_of_the_specification_are_all_there() -> None:
    """Counts by record, so that a line lost from the table is noticed."""
    assert {record_type.__name__: len(record_type.attributes) for record_type in RECORDS} == {
        "UserAttributes": 7,
        "ExecutionEnv": 40,
        "PayloadArgument": 16,
        "PerThreadPayloadArgument": 3,
        "BindingTableIndex": 2,
        "PerThreadMemoryBuffer": 5,
        "InlineSampler": 4,
        "ExperimentalProperties": 3,
        "DebugEnv": 2,
        "KernelInfo": 10,
        "FunctionInfo": 2,
        "HostAccess": 2,
        "ArgInfo": 6,
        "KernelMiscInfo": 2,
        "CostArgument": 4,
        "LoopCount": 3,
        "LoopCost": 4,
        "KernelCostInfo": 4,
        "ZeInfo": 7,
    }


@pytest.mark.parametrize("text", ["version: '1.61'\n", "version: '1.61'\nkernels: 3\n", "kernels: &x\n"])
def test_a_text_that_is_not_sound_raises(text: str) -> None:
    with pytest.raises(ZebinError):
        parse_ze_info(text)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("simd_size: 16", "simd_size: 0"), "enum.simd"),
        (("grf_count: 128", "grf_count: 7"), "value.grf"),
        (("name: k", "name: 'a/b'"), "kernel.name"),
    ],
)
def test_a_text_obeys_the_rules_of_files(change: tuple[str, str], code: str) -> None:
    text = "version: '1.61'\nkernels:\n  - name: k\n    execution_env:\n      grf_count: 128\n      simd_size: 16\n"
    assert [kernel.name for kernel in parse_ze_info(text).kernels] == ["k"]
    with pytest.raises(ZebinError) as caught:
        parse_ze_info(text.replace(*change))
    assert caught.value.finding.code == code
