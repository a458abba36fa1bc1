"""The driver below the API: the objects behind the handles, and the machinery that executes commands.

What the Python API and the tools' API use of it is exported here; applications use `runtime.ze`.
"""

from runtime.ze.driver.execution.command_list import (
    CommandList as CommandList,
    ImmediateCommandList as ImmediateCommandList,
)
from runtime.ze.driver.execution.commands import Submission as Submission, do_nothing as do_nothing, keeping as keeping
from runtime.ze.driver.execution.event import CounterEvent as CounterEvent, Event as Event, EventPool as EventPool
from runtime.ze.driver.execution.launch import Launch as Launch, prepare_launch as prepare_launch
from runtime.ze.driver.handle import (
    FOLLOWERS as FOLLOWERS,
    GONE as GONE,
    Handle as Handle,
    claimed as claimed,
    enumerator as enumerator,
    flag_set as flag_set,
    items as items,
    live as live,
    require_version as require_version,
    required as required,
    unsigned as unsigned,
)
from runtime.ze.driver.images.image import Image as Image
from runtime.ze.driver.images.sampler import Sampler as Sampler
from runtime.ze.driver.linux.mapping import is_accessible as is_accessible
from runtime.ze.driver.memory.operands import Operand as Operand
from runtime.ze.driver.modules.arguments import ArgumentValue as ArgumentValue, KernelArguments as KernelArguments
from runtime.ze.driver.modules.build import (
    FREE_REGISTER_INFO as FREE_REGISTER_INFO,
    REGISTER_REALLOCATION as REGISTER_REALLOCATION,
)
from runtime.ze.driver.modules.kernel import Kernel as Kernel, code_address as code_address
from runtime.ze.driver.modules.loading import LoadError as LoadError, load_module as load_module
from runtime.ze.driver.modules.module import Module as Module
from runtime.ze.driver.modules.program import OpenContents as OpenContents
from runtime.ze.driver.system.activity import Activity as Activity
from runtime.ze.driver.system.context import (
    Context as Context,
    default_context as default_context,
    default_context_of as default_context_of,
)
from runtime.ze.driver.system.device import Device as Device
from runtime.ze.driver.system.driver import Driver as Driver, simulated_driver as simulated_driver
from runtime.ze.driver.system.machine import Machine as Machine
from runtime.ze.driver.system.process import (
    drivers_of_process as drivers_of_process,
    system_cards as system_cards,
    watch_programs as watch_programs,
)
from runtime.ze.driver.system.processor import TICK_BITS as TICK_BITS
from runtime.ze.driver.system.properties import (
    DEVICE_EXTENSIONS as DEVICE_EXTENSIONS,
    MEMORY_EXTENSIONS as MEMORY_EXTENSIONS,
    MODULE_EXTENSIONS as MODULE_EXTENSIONS,
    pci_properties as pci_properties,
)
from runtime.ze.driver.system.usm import Usm as Usm
