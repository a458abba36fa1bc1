"""Reads and verifies MLIR text: corrections and extensions of xDSL's parser and verifier, meant for upstreaming.

xDSL's parser keeps no locations of its own, reports errors after the text that they are about, takes time that grows
with the square of some inputs, and fails with Python's exceptions for broken ones; its verifier stops at the first
error and does not check dominance. The methods that override xDSL's are marked `override`.

https://mlir.llvm.org/docs/LangRef/
"""
