"""Tensors in host code: the command that their refusal names makes programs that run."""

from __future__ import annotations

import shlex

import pytest

from runtime import run
from runtime.host.data.types import BUFFERIZE
from tests.peer.mlir_opt import VERSIONS, accepted, each
from xegpu.diagnostics import CompileError

PROGRAM = """
func.func private @printMemrefF32(tensor<*xf32>)
func.func @twice(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = arith.addf %a, %a : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
func.func @main() {
  %x = arith.constant 1.5 : f32
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x8xf32>
  %a = linalg.fill ins(%x : f32) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = call @twice(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %row = tensor.empty() : tensor<4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%row : tensor<4xf32>) -> tensor<4xf32>
  %sums = linalg.reduce { arith.addf } ins(%b : tensor<4x8xf32>) outs(%start : tensor<4xf32>) dimensions = [1]
  %u = tensor.cast %sums : tensor<4xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}
"""


def test_tensors_are_refused_with_the_command() -> None:
    with pytest.raises(CompileError, match="bufferize the program first, with") as error:
        run(PROGRAM)
    assert BUFFERIZE in str(error.value)


@each(*VERSIONS)
def test_the_command_makes_a_program_that_runs(version: int, capsys: pytest.CaptureFixture[str]) -> None:
    run(accepted(version, PROGRAM, *shlex.split(BUFFERIZE)[1:]))
    assert "[24,  24,  24,  24]" in capsys.readouterr().out
