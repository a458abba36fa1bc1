"""Delays imports until they are needed, so that a program does not wait for what it does not use."""

from xegpu.on_demand.imports import import_names as import_names, imports_on_demand as imports_on_demand
