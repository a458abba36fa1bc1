"""ZEBIN, the container of Intel GPU programs: reads, checks, builds and writes it.

>>> zebin = read("gemm.zebin")
>>> zebin.kernels["gemm"].execution_env.simd_size
"""

from xegpu import __version__ as __version__
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    from zebin.binary.disassembly import (
        CodeListing as CodeListing,
        disassemble as disassemble,
        native_platform as native_platform,
    )
    from zebin.binary.file import map_file as map_file, read as read, write as write
    from zebin.binary.model import Zebin as Zebin, ZebinKernel as ZebinKernel
    from zebin.building.builder import build as build, pack as pack
    from zebin.containers.archive import (
        GENERIC_IR as GENERIC_IR,
        is_archive as is_archive,
        write_archive as write_archive,
    )
    from zebin.containers.choice import (
        image_in as image_in,
        image_target as image_target,
        images_for as images_for,
    )
    from zebin.containers.image import OffloadImage as OffloadImage
    from zebin.containers.spirv import spirv_kernels as spirv_kernels
    from zebin.containers.unpacking import device_images as device_images, is_container as is_container
    from zebin.debug import line_tables as line_tables
    from zebin.debug.image import (
        FIRST_ADDRESS as FIRST_ADDRESS,
        code_addresses as code_addresses,
        debug_image as debug_image,
    )
    from zebin.debug.options import DebugOptions as DebugOptions
    from zebin.demangling import demangled as demangled
    from zebin.device import TargetDevice as TargetDevice
    from zebin.editing import EditError as EditError, Editor as Editor, edit as edit
    from zebin.elf.foreign import SPIRV_MODULE as SPIRV_MODULE, ForeignFileError as ForeignFileError
    from zebin.errors import (
        BinaryLocation as BinaryLocation,
        Finding as Finding,
        FindingSeverity as FindingSeverity,
        ZebinError as ZebinError,
        excerpt as excerpt,
    )
    from zebin.facts.reader import FactsError as FactsError, read_facts as read_facts
    from zebin.products import (
        CORE_OF_FAMILY as CORE_OF_FAMILY,
        config_name as config_name,
        core_name as core_name,
        family_name as family_name,
    )
    from zebin.rules import parse_ze_info as parse_ze_info
