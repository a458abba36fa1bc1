"""The part of YAML that `.ze_info` is written in."""

from zebin.yaml.nodes import Mapping, Node, Scalar, Sequence
from zebin.yaml.reader import read_entries
from zebin.yaml.writer import write_yaml

__all__ = ["Mapping", "Node", "Scalar", "Sequence", "read_entries", "write_yaml"]
