"""Names the rule that a text violates at the position where it cannot be read.

PyYAML's parser reports the position and the construct in which it noticed an error. The finding is derived from the
text there, which makes it independent of the wording of libyaml and of PyYAML's parser in Python.
"""

from __future__ import annotations

import re

import yaml

from zebin.errors import ZebinError, excerpt
from zebin.yaml.source import TextReport

_LONGEST_KEY = 1024
"""Characters of a key on one line (YAML 1.1, section 9.3.2)."""

_ITEM_OR_KEY = re.compile(r"- |-$|[A-Za-z_][\w.-]*(?: +[\w.-]+)* *:(?: |$)", re.ASCII)
_BRACKET = re.compile(r"[\[{]")
_ESCAPE = re.compile(r"\\(?:x\w{0,2}|u\w{0,4}|U\w{0,8}|.?)", re.ASCII)

_REFUSED = {
    "{": ("yaml.subset", "inline mapping"),
    "|": ("yaml.subset", "block scalar"),
    ">": ("yaml.subset", "block scalar"),
    "?": ("yaml.subset", "complex key"),
    "'": ("yaml.subset", "quoted key"),
    '"': ("yaml.subset", "quoted key"),
    "&": ("yaml.alias", "anchor"),
    "*": ("yaml.alias", "alias"),
    "<<": ("yaml.alias", "merge key"),
    "!": ("yaml.tag", "tag"),
    "%": ("yaml.syntax", "reserved character"),
    "@": ("yaml.syntax", "reserved character"),
    "`": ("yaml.syntax", "reserved character"),
    "]": ("yaml.syntax", "bracket that closes nothing"),
    "}": ("yaml.syntax", "bracket that closes nothing"),
    ",": ("yaml.syntax", "comma outside a list"),
}
"""The code and message of the finding, by the first characters of the refused text."""


def rest_of_line(text: str, at: int) -> str:
    """Returns the text from position `at` to the end of its line."""
    end = text.find("\n", at)
    return text[at : end if end >= 0 else len(text)].removesuffix("\r")


def starts_item_or_key(text: str, at: int) -> bool:
    """Returns True if a list item or a key stands at position `at`."""
    return _ITEM_OR_KEY.match(rest_of_line(text, at)) is not None


def refusal(report: TextReport, at: int, code: str = "yaml.syntax", message: str = "not a key") -> ZebinError:
    """Returns the error for the text at `at`, named by its first character or else by `code` and `message`."""
    rest = rest_of_line(report.source.text, at)
    code, message = _REFUSED.get(rest[:2]) or _REFUSED.get(rest[:1], (code, message))
    return report.fatal(code, message, at, found=excerpt(rest), expected="'key: value'")


def explanation(report: TextReport, error: yaml.MarkedYAMLError) -> ZebinError:
    """Returns the error for the position at which PyYAML's parser gave up."""
    text = report.source.text
    at = min(error.problem_mark.index, len(text)) if error.problem_mark is not None else len(text)
    construct = error.context or ""
    start = error.context_mark.index if error.context_mark is not None else at
    if "quoted scalar" in construct:
        return _quoted(report, start, at)
    if "simple key" in construct:
        return refusal(report, start)
    if "flow level" in construct:
        return _deep_brackets(report, at)
    if "flow" in construct:
        return inline_list(report, start, at)
    line_start = text.rfind("\n", 0, at) + 1
    before = text[line_start:at]
    indentation = len(before) - len(before.lstrip(" "))
    if text.startswith("\t", at):
        return report.fatal("yaml.tab", "tab in the indentation", at, expected="spaces")
    if text[at : at + 1] in _REFUSED:
        return refusal(report, at)
    if text.startswith(":", at):
        if not before.strip(" "):
            return refusal(report, at)
        if len(before) - indentation > _LONGEST_KEY:
            expected = f"at most {_LONGEST_KEY} characters"
            return report.fatal("yaml.syntax", "long key", line_start + indentation, expected=expected)
        if ": " not in before:
            return bad_indentation(report, line_start + indentation)
        at = line_start + before.index(": ") + 2
    elif indentation == len(before):
        return bad_indentation(report, at)
    found = excerpt(rest_of_line(text, at))
    return report.fatal("yaml.syntax", "more than one value on a line", at, found=found)


def bad_indentation(report: TextReport, at: int) -> ZebinError:
    """Returns the error for a line whose content starts at `at`, in a column that matches nothing above it."""
    column = at - (report.source.text.rfind("\n", 0, at) + 1)
    return report.fatal("yaml.indent", "indentation matches no key above", at, found=f"{column} spaces")


def inline_list(report: TextReport, start: int, at: int) -> ZebinError:
    """Returns the error for a list that starts with a bracket at `start` and goes wrong at `at`."""
    text = report.source.text
    line_end = start + len(rest_of_line(text, start))
    if at > line_end:
        return report.fatal("yaml.subset", "inline list over several lines", line_end, expected="']'")
    expected = "words or numbers separated by commas"
    return report.fatal("yaml.subset", "inline list", at, found=excerpt(rest_of_line(text, at)), expected=expected)


def nested_list(report: TextReport, at: int) -> ZebinError:
    """Returns the error for a list that starts at `at`, inside of an inline list."""
    return report.fatal(
        "yaml.depth", "list inside an inline list", at, found=excerpt(rest_of_line(report.source.text, at))
    )


def _deep_brackets(report: TextReport, at: int) -> ZebinError:
    """Returns the error for brackets of which libyaml has met too many at `at`, looking ahead on one line.

    It names the first bracket of the line that would have been refused.
    """
    text = report.source.text
    line_start = text.rfind("\n", 0, at) + 1
    first, *inner = [match.start() for match in _BRACKET.finditer(text, line_start, at + 1)]
    if text[first] == "{" or not inner:
        return refusal(report, first)
    return nested_list(report, inner[0]) if text[inner[0]] == "[" else inline_list(report, first, inner[0])


def _quoted(report: TextReport, start: int, at: int) -> ZebinError:
    """Returns the error for a scalar whose quote is at `start`: an escape at or before `at`, or no closing quote."""
    text = report.source.text
    backslash = text.rfind("\\", start, at + 1)
    escape = _ESCAPE.match(text, backslash) if backslash >= 0 else None
    if text.startswith('"', start) and escape is not None and at <= escape.end() and "\n" not in text[start:at]:
        return report.fatal("yaml.syntax", "unknown escape", backslash, found=excerpt(escape[0]))
    return unclosed_quote(report, start)


def unclosed_quote(report: TextReport, start: int) -> ZebinError:
    """Returns the error for a scalar whose quote at `start` is not closed on its line."""
    found = excerpt(rest_of_line(report.source.text, start))
    return report.fatal("yaml.syntax", "quote is not closed on its line", start, found=found)
