"""Names and modules that are imported when they are first used, so that a program does not wait for the others."""

from xegpu.on_demand.modules import module_on_demand
from xegpu.on_demand.names import import_names, public_names

__all__ = ["import_names", "module_on_demand", "public_names"]
