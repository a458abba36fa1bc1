"""Data classes whose methods are made when the first of them is used.

`dataclasses.dataclass` writes and compiles six methods for each class, which takes longer than anything else that an
import does, and most programs use few of the classes that they import.
"""

from xegpu.records.lazy import dataclass as dataclass
