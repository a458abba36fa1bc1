"""Transform schedules in a file: skipped with a remark, wherever a module may have them."""

from __future__ import annotations

from passes.pipelines import read_module
from xegpu.diagnostics import Diagnostic, Severity, SourceBuffer, handling

TEXT = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @m(%op: !transform.any_op {transform.readonly}) -> !transform.any_op attributes {a = "}"} {
    transform.match.operation_name %op ["}", "linalg.matmul"] : !transform.any_op // a brace } in a comment
    transform.yield %op : !transform.any_op
  }
  func.func @f() {
    return
  }
  transform.sequence failures(propagate) {
  ^bb0(%arg0: !transform.any_op):
    %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
  }
  func.func @g() {
    call @f() : () -> ()
    return
  }
}
"""


def test_schedules_are_skipped_with_a_remark() -> None:
    seen: list[Diagnostic] = []
    with handling(seen.append):
        _, module = read_module(SourceBuffer("t.mlir", TEXT))
    assert [op.name for op in module.body.ops] == ["func.func", "func.func"]
    assert [(found.severity, str(found.location)) for found in seen] == [
        (Severity.REMARK, "t.mlir:2:3"),
        (Severity.REMARK, "t.mlir:9:3"),
    ]
    assert "--transform-interpreter" in seen[0].message
    last = module.body.block.last_op
    assert last is not None and str(last.location) == 'loc("t.mlir":13:3)'
