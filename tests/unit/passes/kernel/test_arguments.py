"""Arguments of kernels that are vectors."""

from __future__ import annotations

import numpy as np
import pytest

import runtime
from tests.unit.passes.kernels.harness import DTYPES, compile_one, kernel_text, run
from xegpu.targets import ARC, PVC, Target

BODY = """
%c0 = arith.constant 0 : index
%w = arith.{add} %v, %v : {vector}
%e = vector.extract %v[{last}] : {element} from {vector}
memref.store %e, %p[%c0] : memref<1x{element}>
vector.store %w, %o[%c0] : memref<{count}x{element}>, {vector}"""


@pytest.mark.parametrize("mode", ["VectorComputeFunctionINTEL", ""], ids=["subgroup", "work-item"])
@pytest.mark.parametrize(
    ("element", "count", "target"), [("f32", 4, PVC), ("i8", 3, ARC), ("f64", 8, PVC), ("bf16", 16, ARC)]
)
def test_vectors(mode: str, element: str, count: int, target: Target) -> None:
    vector, add = f"vector<{count}x{element}>", "addi" if element.startswith("i") else "addf"
    body = BODY.format(add=add, vector=vector, last=count - 1, element=element, count=count)
    arguments = f"%k: i8, %v: {vector}, %o: memref<{count}x{element}>, %p: memref<1x{element}>"
    kernel = compile_one(kernel_text(arguments, body, mode), target)
    value = np.arange(1, count + 1).astype(DTYPES[element])
    number = int.from_bytes(value.tobytes(), "little")
    o, p = run(kernel, 3, number, np.zeros_like(value), value[:1], target=target)
    np.testing.assert_array_equal(o, value + value)
    assert p[0] == value[-1]


def test_an_array_is_passed_by_value() -> None:
    text = kernel_text(
        "%v: vector<2x2xi32>, %o: memref<2x2xi32>",
        "%c0 = arith.constant 0 : index\nvector.store %v, %o[%c0, %c0] : memref<2x2xi32>, vector<2x2xi32>",
    )
    kernel, result = runtime.Device().compile(text)["k"], np.zeros((2, 2), np.int32)
    kernel[1, 1](np.array([[1, 2], [3, 4]], np.int32), result)
    assert result.tolist() == [[1, 2], [3, 4]]
    with pytest.raises(TypeError, match="a numpy scalar, an array or bytes of size 16"):
        kernel[1, 1](np.zeros(3, np.int32), result)
