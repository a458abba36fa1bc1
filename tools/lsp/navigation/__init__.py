"""Definitions and references in MLIR text, found without parsing it, so that broken text has them, too."""

from tools.lsp.navigation.names import Name as Name, NameIndex as NameIndex
from tools.lsp.navigation.tokens import Kind as Kind, tokenize as tokenize
