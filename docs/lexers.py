"""Lexers that color MLIR and the assembly of Xe in the site; Pygments has none."""

from __future__ import annotations

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

_NUMBER = r"-?\b(?:0x[0-9a-fA-F]+|\d+(?:\.\d*(?:[eE][-+]?\d+)?)?)\b"


class MlirLexer(RegexLexer):
    """Tokens of MLIR's generic and custom syntax: https://mlir.llvm.org/docs/LangRef/#notation."""

    name = "MLIR"
    aliases = ("mlir",)
    tokens = {
        "root": [
            (r"\s+", Text),
            (r"//.*", Comment.Single),
            (r'"(?:[^"\\]|\\.)*"', String.Double),
            (r"%[\w.$-]+(?:[:#]\d+)?", Name.Variable),
            (r"@(?:[\w.$-]+|\"[^\"]*\")", Name.Function),
            (r"\^[\w.$-]+", Name.Label),
            (r"[!#][\w.$-]+", Keyword.Type),
            (r"\b(?:vector|tensor|memref)(?=<)", Keyword.Type),
            (r"\b(?:[su]?i\d+|index|none|bf16|tf32|f\d+(?:E\d+M\d+\w*)?)\b", Keyword.Type),
            (r"(?<=<)\d+(?:x\d+)*x(?=[a-z!])|\bx(?=[\dfib!])", Number.Integer),
            (r"\b(?:true|false|unit|dense|loc|attributes|to|step|iter_args|else)\b", Keyword),
            (r"\b[a-z_]\w*(?:\.\w+)+", Name.Builtin),
            (_NUMBER, Number),
            (r"->|=|:", Operator),
            (r"[\w$.]+", Name),
            (r"[^\w\s]", Punctuation),
        ]
    }


class XeAssemblyLexer(RegexLexer):
    """Tokens of the virtual Xe instruction set, and of native code in the syntax of Intel's assembler."""

    name = "Xe assembly"
    aliases = ("asm", "xe-asm")
    tokens = {
        "root": [
            (r"\s+", Text),
            (r"//.*", Comment.Single),
            (r"/\*.*?\*/", Comment.Multiline),
            (r"^\s*[\w.$]+:(?=\s|$)", Name.Label),
            (r"\([^()|]*\|M\d+\)", Keyword.Pseudo),
            (r"\((?:W|[~W&]*f\d+\.\d+[^)]*|[a-z]{2})\)(?:f\d+\.\d+)?", Keyword.Pseudo),
            (r"\b(?:r|acc|a|f|s)\d+(?:\.\d+)?(?:<[\d;,]+>)?(?::[a-z0-9]+)?", Name.Variable),
            (r"\b(?:null|cr0|sr0|ce0|tm0|ip)\b(?:\.\d+)?(?::[a-z0-9]+)?", Name.Variable.Global),
            (_NUMBER, Number),
            (r"[a-z_][\w.]*", Name.Builtin),
            (r"[^\w\s]", Punctuation),
            (r"\w+", Name),
        ]
    }
