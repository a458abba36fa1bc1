"""Conversion of the complete `.ze_info` section between text and records."""

from __future__ import annotations

import re

from zebin.elf.model import Section
from zebin.errors import FindingSeverity, Report
from zebin.yaml import read_entries
from zebin.yaml.nodes import Mapping, Node, Scalar, Sequence
from zebin.yaml.source import SourceText, TextReport, read_text
from zebin.yaml.writer import write_yaml
from zebin.ze_info.budget import MemoryBudget
from zebin.ze_info.kinds import ReadContext, describe
from zebin.ze_info.records import ListKind, Record, RecordKind, read_record, write_record
from zebin.ze_info.schema import MAJOR_VERSION, NEWEST_MINOR_VERSION, ZeInfo

_VERSION = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")


def read_ze_info(section: Section, report: Report, *, strict: bool = False) -> tuple[ZeInfo, TextReport]:
    """Returns the records of the section, and a report that maps a record's `at` to the file.

    Errors in the contents go to `report`.

    Raises:
        ZebinError: If the text cannot be read to its end.
    """
    source = read_text(section, report)
    text_report = TextReport(source, report)
    return _read_root(text_report, strict), text_report


def read_ze_info_text(text: str, report: Report, *, strict: bool = False) -> tuple[ZeInfo, TextReport]:
    """Returns the same of a text that is not part of a file.

    Raises:
        ZebinError: If the text cannot be read to its end.
    """
    text_report = TextReport(SourceText(text if text.endswith("\n") else text + "\n"), report)
    return _read_root(text_report, strict), text_report


def write_ze_info(ze_info: ZeInfo) -> bytes:
    """Returns the contents of the section, in the layout of Intel's compilers."""
    return write_yaml(write_record(ze_info)).encode()


def _read_root(report: TextReport, strict: bool) -> ZeInfo:
    """Reads top-level lists item by item, so that memory never holds the nodes of the complete text."""
    context = ReadContext(report, MemoryBudget(len(report.source.text)), strict=strict)
    lists = {key: (row.name, row.kind.item) for key, row in ZeInfo.by_key.items() if isinstance(row.kind, ListKind)}
    records: dict[str, list[Record]] = {}
    root = Mapping(at=0)
    for key, node, is_item in read_entries(report, lists):
        if is_item:
            name, kind = lists[key]
            _read_item(kind, key, node, records.setdefault(name, []), context)
            root.entries[key] = Sequence([])
        else:
            root.entries.setdefault(key, node)
        if key == "version":
            _check_version(root.entries[key], context)
        if report.drops(FindingSeverity.ERROR):
            break
    if not root.entries:
        return ZeInfo(kernels=[])
    if "version" not in root.entries:
        report.warning("version.missing", "text does not state its version", 0)
    ze_info = read_record(ZeInfo, root, context)
    for name, items in records.items():
        setattr(ze_info, name, items)
    return ze_info


def _read_item(kind: RecordKind[Record], key: str, node: Node, records: list[Record], context: ReadContext) -> None:
    context.report.path += [key, len(records)]
    item = kind.read(node, context)
    context.report.path.clear()
    if item is not None:
        records.append(item)


def _check_version(node: Node, context: ReadContext) -> None:
    """Records the version that the text declares.

    Raises:
        ZebinError: If the major version is not supported.
    """
    report = context.report
    report.path.append("version")
    expected = f"{MAJOR_VERSION}.<number>"
    match = _VERSION.fullmatch(node.text) if isinstance(node, Scalar) else None
    if not isinstance(node, Scalar) or match is None:
        report.error("version.format", "version is not two numbers", node.at, found=describe(node), expected=expected)
        report.path.pop()
        return
    major, minor = int(match[1]), int(match[2])
    if major != MAJOR_VERSION:
        raise report.fatal("version.major", "unsupported major version", node.at, found=node.text, expected=expected)
    if not node.quoted:
        report.info("version.unquoted", "unquoted version, which other YAML tools read as a number", node.at)
    context.minor, context.newer = minor, minor > NEWEST_MINOR_VERSION
    if context.newer:
        known = f"at most {MAJOR_VERSION}.{NEWEST_MINOR_VERSION}"
        report.warning("version.newer", "version is newer than any known", node.at, found=node.text, expected=known)
    report.path.pop()
