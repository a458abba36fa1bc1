"""Reads and verifies MLIR text: what corrects and extends xDSL's parser and verifier lies here, for xDSL to take over.

xDSL's parser keeps no locations of its own, reports errors after the text that they are about, takes time that grows
with the square of some inputs, and fails with Python's exceptions for broken ones; its verifier stops at the first
error and does not check dominance. The methods that override xDSL's are marked `override`.

https://mlir.llvm.org/docs/LangRef/
"""

from __future__ import annotations
