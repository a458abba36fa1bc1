"""Images: texels that kernels read, write and sample."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from runtime.ze.driver.handle import Handle
from runtime.ze.driver.images.opencl_formats import channel_data_type, channel_order
from runtime.ze.driver.images.planes import ROW_ALIGNMENT, Plane
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.spec.results import ZeError, ze_result_t
from xegpu.isa.model import LAYOUTS, SHAPES, SURFACE_BYTES, SurfaceType
from xegpu.on_demand import imports_on_demand
from xegpu.targets import Feature

with imports_on_demand(globals()):
    import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from runtime.simulator import Allocation
    from xegpu.isa.model import SurfaceState


class Image(Handle):
    """Planes of texels in a device's memory. An image of one plain plane has a surface state for kernels.

    A view has the texels of its `source`, and cannot be used after it is destroyed.
    """

    noun: ClassVar[str] = "image"

    def __init__(
        self, context: Context, device: Device, planes: tuple[Plane, ...], source: Image | None = None
    ) -> None:
        super().__init__(context)
        self.context = context
        self.device = device
        self.source = source
        memory = context.machine.memory
        self._record: Allocation | None = None
        self._is_direct = len(planes) == 1 and planes[0].is_plain
        with ExitStack() as undo:
            try:
                if source is None:
                    self.storage: Allocation = self._allocate(planes)
                    undo.callback(memory.free, self.storage)
                else:
                    self.storage = source.storage
                if self._is_direct:
                    self._record = memory.allocate(SURFACE_BYTES, SURFACE_BYTES, "surface state", f"image #{self.id}")
            except MemoryError as error:
                raise ZeError(
                    ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, f"no room for an image: {error}"
                ) from error
            undo.pop_all()
        self.planes = tuple(
            replace(plane, surface=replace(plane.surface, base=self.storage.address + plane.surface.base))
            for plane in planes
        )
        if self._record is not None:
            self._record.view()[:] = self.surface.pack()

    def _allocate(self, planes: tuple[Plane, ...]) -> Allocation:
        last = planes[-1].surface
        size = last.base + last.extent
        self.device.require_room(size)
        memory = self.context.machine.memory
        return memory.allocate(size, ROW_ALIGNMENT, "image", f"image #{self.id}", account=self.device)

    @property
    def surface(self) -> SurfaceState:
        """The surface state of the first plane."""
        return self.planes[0].surface

    @property
    def is_usable(self) -> bool:
        """True if the texels are there."""
        return self.alive and (self.source is None or self.source.is_usable)

    def require_usable(self) -> None:
        """Raises `INVALID_ARGUMENT` for a view of an image that is destroyed."""
        if not self.is_usable:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{self!r} is a view of an image that is destroyed"
            )

    @property
    def state(self) -> int:
        """The address of the surface state.

        Raises:
            ZeError: `INVALID_ARGUMENT` for an image that kernels can access through views only.
        """
        if self._record is None:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
                f"{self!r} is of a media format: kernels take views of its planes",
            )
        return self._record.address

    @property
    def properties(self) -> dict[str, int]:
        """The numbers that kernels may ask for, by the `arg_type` of `.ze_info`; sizes that the type does not have are
        1.
        """
        surface = self.surface
        layers = SHAPES[SurfaceType(surface.type)].is_array
        return {
            "image_width": surface.width,
            "image_height": surface.height,
            "image_depth": 1 if layers else surface.depth,
            "image_array_size": surface.depth if layers else 1,
            "image_num_mip_levels": 1,
            "image_num_samples": 1,
            "image_channel_data_type": channel_data_type(surface),
            "image_channel_order": channel_order(surface),
        }

    def texels(self, number: int = 0) -> NDArray[np.uint8]:
        """Returns the bytes of a plane in place, `[slices or layers, rows, texels, bytes of a texel]`."""
        surface = self.planes[number].surface
        texel = LAYOUTS[surface.layout].texel_bytes
        shape = (surface.depth, surface.height, surface.width, texel)
        strides = (surface.slice_pitch, surface.row_pitch, texel, 1)
        whole = np.frombuffer(self.storage.view(), np.uint8)[surface.base - self.storage.address :]
        return np.lib.stride_tricks.as_strided(whole, shape, strides)

    @property
    def addresses(self) -> tuple[int, ...]:
        """The memory that commands use with the image."""
        return tuple(allocation.address for allocation in (self.storage, self._record) if allocation is not None)

    @property
    def has_texels(self) -> bool:
        """True until the texels are freed, which they are when no command can use them any more."""
        return self.context.machine.memory.find(self.storage.address) is self.storage

    @property
    def _own(self) -> list[Allocation]:
        """The memory that goes with the image: the texels of a view are its source's."""
        own = (self._record, self.storage if self.source is None else None)
        return [allocation for allocation in own if allocation is not None]

    @property
    def pending_use(self) -> str:
        is_used = any(self.context.users(allocation) for allocation in self._own)
        return f"{self!r} is used by a command that is still pending" if is_used else ""

    def retire(self) -> bool:
        if not super().retire():
            return False
        for allocation in self._own:
            self.context.free_when_unused(allocation)
        return True


def require_images(device: Device) -> None:
    """Raises `UNSUPPORTED_FEATURE` for a device without images."""
    if not device.target.platform.has(Feature.IMAGES):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, f"{device.target.name} has no images")
