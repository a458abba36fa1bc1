"""The contract of the driver: what it supplies to a binary. Rules, linker and payload read these tables."""

from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    from zebin.contract.implicit import (
        IMPLICIT_LAYOUTS as IMPLICIT_LAYOUTS,
        LOCAL_ID_TABLE as LOCAL_ID_TABLE,
        PAYLOAD_SURFACE as PAYLOAD_SURFACE,
        SIMD_WIDTH as SIMD_WIDTH,
        SIZE as SIZE,
        VERSION as VERSION,
        ImplicitLayout as ImplicitLayout,
        implicit_layout as implicit_layout,
    )
    from zebin.contract.linking import (
        BUFFERS as BUFFERS,
        RELOCATIONS as RELOCATIONS,
        SURFACE_STATE_BYTES as SURFACE_STATE_BYTES,
        SYMBOLS as SYMBOLS,
        DriverNumber as DriverNumber,
        ModuleBuffer as ModuleBuffer,
        RelocatedPart as RelocatedPart,
        number_of as number_of,
    )
    from zebin.contract.payload import (
        PAYLOAD as PAYLOAD,
        PayloadKind as PayloadKind,
        PayloadSource as PayloadSource,
    )
