"""Failures of xDSL in the words of a compiler.

The tables below hold the texts of xDSL that are reworded. Nothing but the wording depends on them: a text that another
release of xDSL changes is shown as it is, and a test names it.
"""

from __future__ import annotations

import re

MAX_MESSAGE = 300
"""Characters of a message of xDSL, which may quote the input."""

_TOKENS = {
    "EOF": "the end of the input",
    "BARE_IDENT": "a name",
    "AT_IDENT": "a symbol",
    "HASH_IDENT": "an attribute",
    "PERCENT_IDENT": "a value",
    "CARET_IDENT": "a block",
    "EXCLAMATION_IDENT": "a type",
    "FLOAT_LIT": "a float",
    "INTEGER_LIT": "an integer",
    "STRING_LIT": "a string",
    "BYTES_LIT": "a string",
}

_WORDING = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (
            r"Operation has (\d+) results, but was given (\d+) to bind\.",
            r"operation defines \1 results but was provided \2 to bind",
        ),
        (
            r"SSA value tuple index out of bounds\. Tuple is of size (\d+) but tried to access element (\d+)\.",
            r"reference to invalid result number \2 of a value with \1 results",
        ),
        (
            r"SSA value %(\S+) is referenced with an index larger than its size",
            r"'%\1' has fewer results than are used",
        ),
        (
            r"Result (%\S+) is defined with type (.*), but used with type (.*)",
            r"definition of SSA value '\1' has type \2, but it is used with type \3",
        ),
        (r"End of file reached before closing string literal\.", "expected '\"' at the end of the string"),
        (r"Expected suffix identifier after \{first_char\}", "expected a name or a number behind this character"),
        (r"Unexpected character: (.*)", r"unexpected character '\1'"),
        (r"Hex string in denseAttr is invalid", "expected a string of hexadecimal digits that begins with 0x"),
    )
)
_TOKEN_KIND = re.compile(rf"got ({'|'.join(_TOKENS)})\b!?")


def reworded(text: object) -> str:
    """A message of xDSL on one line, of bounded length, without references to its own code."""
    message = " ".join(str(text).split())
    if len(message) > MAX_MESSAGE:
        message = message[:MAX_MESSAGE] + "..."
    message = _TOKEN_KIND.sub(lambda match: f"got {_TOKENS[match[1]]}", message)
    for pattern, replacement in _WORDING:
        message, count = pattern.subn(replacement, message, count=1)
        if count:
            break
    return message


def reason(error: Exception) -> str:
    """Returns the message of an error of xDSL, to end another message with; nothing for errors of Python itself."""
    # Look-ups, conversions and assertions of Python tell of tuples, dictionaries and attributes of objects.
    meant = type(error) in (Exception, ValueError, NotImplementedError)
    texts = [text for text in error.args if isinstance(text, str)] if meant else []
    return ": " + reworded(" ".join(texts)) if texts else ""
