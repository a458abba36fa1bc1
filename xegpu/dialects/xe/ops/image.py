"""Messages to images: texels that are read, written and sampled."""

from __future__ import annotations

from xdsl.dialects.builtin import I32, IntegerAttr, UnitAttr
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, opt_operand_def, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.xe.ops.attributes import ImageAttr
from xegpu.dialects.xe.ops.base import SendOp, check_range, number, possible_targets, target_around
from xegpu.dialects.xe.ops.types import GRFType
from xegpu.isa.formats import HANDLE_BYTES, check_form, validate
from xegpu.isa.model import IllegalInstruction, Instruction, channel_bytes, grf
from xegpu.targets import Target


class ImageOp(SendOp):
    """A message to an image: each lane reads, samples or stores the texel at its coordinates.

    `surface` holds the address of the image's state, `sampler` that of a sampler's: a qword for all lanes. `image`
    names the shared function, the components, and the coordinates. Each of these fills whole registers, one behind
    the other. A predicate leaves lanes of `into` as they are. The offsets say where in their registers coordinates,
    states, data and result begin, in bytes.

    ```mlir
    %t = xe.sample_lz[%uv : !xe.grf<128, 32>] surface %p : !xe.grf<64, 32> sampler %p : !xe.grf<64, 32>
        {exec_size = 16 : i32, image = #xe.image<smpl, xyzw, uv>, sampler_offset = 8 : i32} -> !xe.grf<256, 32>
    ```
    ```mlir
    xe.store_quad if %flag : !xe.flag[%uv : !xe.grf<128, 32>] surface %p : !xe.grf<64, 32>
        data %t : !xe.grf<256, 32> {exec_size = 16 : i32, image = #xe.image<tgm, xyzw, uv>}
    ```
    """

    surface = operand_def(GRFType)
    sampler = opt_operand_def(GRFType)
    image = prop_def(ImageAttr)
    surface_offset = opt_prop_def(IntegerAttr[I32])
    sampler_offset = opt_prop_def(IntegerAttr[I32])

    assembly_format = (
        "(`into` $into^ `:` type($into))? (`if` $flag^ `:` type($flag))? `[` $address `:` type($address) `]`"
        " `surface` $surface `:` type($surface) (`sampler` $sampler^ `:` type($sampler))?"
        " (`data` $data^ `:` type($data))? attr-dict (`->` type($result)^)?"
    )

    def __init__(
        self,
        image: ImageAttr,
        address: SSAValue,
        surface: tuple[SSAValue, int],
        sampler: tuple[SSAValue, int] | None = None,
        *,
        exec_size: int = 1,
        result: GRFType | None = None,
        data: tuple[SSAValue, int] | None = None,
        no_mask: bool = True,
    ):
        handle, handle_offset = surface
        sampler_handle, sampler_offset = (None, 0) if sampler is None else sampler
        stored, data_offset = (None, 0) if data is None else data
        super().__init__(
            operands=[handle, sampler_handle, None, None, address, stored],
            result_types=[result],
            properties={
                "image": image,
                "exec_size": number(exec_size),
                "no_mask": UnitAttr() if no_mask else None,
                "surface_offset": number(handle_offset) if handle_offset else None,
                "sampler_offset": number(sampler_offset) if sampler_offset else None,
                "data_offset": number(data_offset) if data_offset else None,
            },
        )

    @property
    def tied(self) -> SSAValue | None:
        return self.into

    def accesses(self, target: Target) -> tuple[int, int]:
        """Returns the bytes of the coordinates, and those of the components that are stored or returned."""
        image = self.image.data
        block = channel_bytes(self.exec_size.value.data, target.platform.grf_bytes, target.platform.physical_simd_width)
        return image.coordinates * block, len(image.components) * block

    def verify_(self) -> None:
        self.check_lanes()
        target = target_around(self)
        self._check_instruction(target)
        coordinates, components = map(min, zip(*map(self.accesses, possible_targets(self)), strict=True))
        for what, offset, used, register in (
            ("the coordinates", self.address_offset, coordinates, self.address),
            ("the surface", self.surface_offset, HANDLE_BYTES, self.surface),
            ("the sampler", self.sampler_offset, HANDLE_BYTES, self.sampler),
            ("the data", self.data_offset, components, self.data),
            ("the result", self.result_offset, components, self.result),
        ):
            if register is not None:
                check_range(what, 0 if offset is None else offset.value.data, used, register)

    def _check_instruction(self, target: Target | None) -> None:
        """Checks that there is such a message, and that the target has it."""
        place = grf(0)
        instruction = Instruction(
            self.SPEC,
            self.exec_size.value.data,
            image=self.image.data,
            address=place,
            surface=place,
            sampler=None if self.sampler is None else place,
            data=None if self.data is None else place,
            returned=None if self.result is None else place,
        )
        try:
            check_form(instruction)
            if target is not None:
                validate(instruction, target, max(target.platform.grf_counts))
        except IllegalInstruction as error:
            raise VerifyException(str(error)) from None
