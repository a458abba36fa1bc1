"""The driver below the API: the objects behind the handles, and the machinery that executes commands.

What the Python API and the tools' API use of it is exported here; applications use `runtime.ze`.
"""

from __future__ import annotations

from runtime.ze.driver.execution.command_list import CommandList, ImmediateCommandList
from runtime.ze.driver.execution.command_queue import CommandQueue
from runtime.ze.driver.execution.commands import Submission, Work, do_nothing, keeping
from runtime.ze.driver.execution.event import CounterEvent, Event, EventPool
from runtime.ze.driver.execution.launch import Launch, prepare_launch
from runtime.ze.driver.handle import (
    FOLLOWERS,
    GONE,
    Handle,
    claimed,
    enumerator,
    flag_set,
    items,
    live,
    required,
    unsigned,
)
from runtime.ze.driver.images.image import Image
from runtime.ze.driver.images.sampler import Sampler
from runtime.ze.driver.memory.mapping import is_accessible
from runtime.ze.driver.memory.operands import Operand
from runtime.ze.driver.memory.usm import Usm
from runtime.ze.driver.modules.arguments import ArgumentValue, KernelArguments
from runtime.ze.driver.modules.build import FREE_REGISTER_INFO, REGISTER_REALLOCATION
from runtime.ze.driver.modules.kernel import Kernel, code_address
from runtime.ze.driver.modules.loading import LoadError, load_module
from runtime.ze.driver.modules.module import Module
from runtime.ze.driver.modules.program import OpenContents
from runtime.ze.driver.system.activity import Activity, ActivityListener
from runtime.ze.driver.system.context import Context, default_context
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.driver import Driver, simulated_driver
from runtime.ze.driver.system.machine import Machine
from runtime.ze.driver.system.process import drivers as drivers_of_process
from runtime.ze.driver.system.process import system_cards, watch_programs
from runtime.ze.driver.system.processor import TICK_BITS
from runtime.ze.driver.system.properties import DEVICE_EXTENSIONS, MEMORY_EXTENSIONS, MODULE_EXTENSIONS
from runtime.ze.driver.system.properties import pci as pci_properties

__all__ = [
    "DEVICE_EXTENSIONS",
    "FOLLOWERS",
    "FREE_REGISTER_INFO",
    "GONE",
    "MEMORY_EXTENSIONS",
    "MODULE_EXTENSIONS",
    "REGISTER_REALLOCATION",
    "TICK_BITS",
    "Activity",
    "ActivityListener",
    "ArgumentValue",
    "CommandList",
    "CommandQueue",
    "Context",
    "CounterEvent",
    "Device",
    "Driver",
    "Event",
    "EventPool",
    "Handle",
    "Image",
    "ImmediateCommandList",
    "Kernel",
    "KernelArguments",
    "Launch",
    "LoadError",
    "Machine",
    "Module",
    "OpenContents",
    "Operand",
    "Sampler",
    "Submission",
    "Usm",
    "Work",
    "claimed",
    "code_address",
    "default_context",
    "do_nothing",
    "drivers_of_process",
    "enumerator",
    "flag_set",
    "is_accessible",
    "items",
    "keeping",
    "live",
    "load_module",
    "pci_properties",
    "prepare_launch",
    "required",
    "simulated_driver",
    "system_cards",
    "unsigned",
    "watch_programs",
]
