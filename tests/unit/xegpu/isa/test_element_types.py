"""The table of element types agrees with the ISA, with numpy and with the names of xDSL's types."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, FloatTF32Type, IndexType
from xdsl.ir import Attribute

from passes.kernel.register_types import element_type
from xegpu.isa import ELEMENT_TYPES, DataType, ElementType

FLOATS = {
    BFloat16Type(): DataType.BF,
    Float16Type(): DataType.HF,
    Float32Type(): DataType.F,
    Float64Type(): DataType.DF,
    FloatTF32Type(): DataType.TF32,
}


@pytest.mark.parametrize("element", ELEMENT_TYPES.values(), ids=list(ELEMENT_TYPES))
def test_arrays_hold_elements_of_the_size_in_registers(element: ElementType) -> None:
    dtypes = [np.dtype(getattr(ml_dtypes, name, name)) for name in element.dtypes]
    assert len({dtype.itemsize for dtype in dtypes}) == 1
    if element.data_type is not None and element.name != "i1":  # which takes a byte in memory and a word in registers
        assert dtypes[0].itemsize == element.data_type.size
        assert (dtypes[0].kind not in "iu") is element.data_type.is_float


@pytest.mark.parametrize("type", [*FLOATS, IndexType()], ids=str)
def test_types_are_found_by_their_names(type: Attribute) -> None:
    assert type.name == str(type)
    assert ELEMENT_TYPES[type.name].data_type is FLOATS.get(type, DataType.UQ)


@pytest.mark.parametrize("type", [*FLOATS, IndexType()], ids=str)
def test_tf32_is_an_f_in_registers(type: Attribute) -> None:
    found = element_type(type)
    assert found is (DataType.F if type == FloatTF32Type() else ELEMENT_TYPES[type.name].data_type)
