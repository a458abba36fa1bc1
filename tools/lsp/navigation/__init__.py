"""Definitions and references in MLIR text, found without parsing it, so that broken text has them, too."""

from __future__ import annotations

from tools.lsp.navigation.names import Name, NameIndex
from tools.lsp.navigation.tokens import Kind, Token, tokenize

__all__ = ["Kind", "Name", "NameIndex", "Token", "tokenize"]
