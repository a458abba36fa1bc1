"""Delays imports and the methods of data classes until they are needed, so that programs do not wait for what they do
not use.
"""

from xegpu.on_demand.imports import import_names as import_names, imports_on_demand as imports_on_demand
from xegpu.on_demand.libraries import missing_library as missing_library

with imports_on_demand(globals()):
    from xegpu.on_demand.classes import dataclass as dataclass
