"""The part of YAML that `.ze_info` is written in."""

from __future__ import annotations

from collections.abc import Container, Iterator

from xegpu.on_demand import imports_on_demand
from zebin.yaml.nodes import (
    Mapping as Mapping,
    Node as Node,
    Scalar as Scalar,
    Sequence as Sequence,
    TopLevelEntry as TopLevelEntry,
)
from zebin.yaml.source import TextReport as TextReport
from zebin.yaml.writer import write_yaml as write_yaml

with imports_on_demand(globals()):  # PyYAML takes 10 ms to import: not for commands that read no YAML
    import zebin.yaml.reader as reader


def read_entries(report: TextReport, lists: Container[str] = ()) -> Iterator[TopLevelEntry]:
    """Yields the top level of the document. Lists under keys in `lists` come item by item, so that no complete tree
    exists.

    Raises:
        ZebinError: At the first syntax error. Duplicate keys are reported and left out.
    """
    return reader.YamlReader(report).entries(lists)
