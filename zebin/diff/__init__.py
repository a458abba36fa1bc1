"""The differences in meaning between two ZEBINs. File offsets and unstated defaults do not count."""

from zebin.diff.change import Change as Change
from zebin.diff.files import diff as diff
