"""The YAML of `.ze_info`: what is read, what is refused and where, and how text is written."""

from __future__ import annotations

from contextlib import suppress

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from tests.amounts import examples
from tests.unit.zebin.test_samples import plain
from zebin import FindingSeverity, ZebinError
from zebin.errors import Finding, Report
from zebin.yaml import Mapping, Node, Scalar, Sequence, events, read_entries, write_yaml
from zebin.yaml.events import PURE_PYTHON_LIMIT
from zebin.yaml.source import SourceText, TextReport
from zebin.yaml.writer import needs_quotes


@pytest.fixture(params=["libyaml", "python"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """PyYAML with libyaml, and as it is where that is missing."""
    monkeypatch.setattr(yaml, "__with_libyaml__", request.param == "libyaml")
    return str(request.param)


def load(text: str) -> tuple[dict[str, Node], list[Finding]]:
    """The top level as one mapping, and the findings."""
    report = Report()
    root: dict[str, Node] = {}
    for entry in read_entries(TextReport(SourceText(text if text.endswith("\n") else text + "\n"), report)):
        if entry.is_item:
            gathered = root.setdefault(entry.key, Sequence([]))
            assert isinstance(gathered, Sequence)
            gathered.items.append(entry.node)
        else:
            root.setdefault(entry.key, entry.node)
    return root, report.findings


def refusal(text: str) -> Finding:
    with pytest.raises(ZebinError) as caught:
        load(text)
    return caught.value.finding


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    "text",
    [
        "a: 1\nb: two words\nc: 'it''s'\n",
        "a:\n  - x: 1\n    y: 2\n  - x: 3\n",
        "a:\n  - 1\n  - 'two'\n",
        "a:\n  b:\n    c: [ 1, -2, 3 ]\n  d: 4\n",
        "---\na: on\nb: 1.20\nc: 0x17\nd: x2001-01-01\n...\n",
        "# comment\na: 1 # more\n\n   \nb: 'x # y'\n",
        "a: 1\r\nb:\r\n  - c: 2\r\n",
        'a: "tab\\tnew\\nquote\\" \\x41 \\u00e9 \\U0001F600"\n',
        "a:\n  -\n    b: 1\n  - c: 2\n",
        "a:\n  - - 1\n    - 2\n  - - 3\n",
        "a: -5\nb: x-y\nkernels_misc_info: 1\nc: http://x\nd: a:b\ne: 0o17\nf: 2001-01-01\n",
        "a: 1",
        "a b: 1\n",
        "kernels:\n    - name:   k\n      e:\n            f: 1\n",
    ],
)
def test_reads_as_pyyaml_does(text: str) -> None:
    root, findings = load(text)
    assert not findings
    assert {key: plain(node) for key, node in root.items()} == yaml.load(text, yaml.BaseLoader)


@pytest.mark.parametrize("value", ["9a", "0o17", "2001-01-01", "1e5", "a/b", "a:b", "(    192", "a^b", "a,b"])
def test_words_that_drivers_read_in_quotes_only(value: str) -> None:
    root, findings = load(f"a: {value}\nb: '{value}'\n")
    assert (root["a"], root["b"]) == (Scalar(value), Scalar(value, quoted=True))
    assert [(finding.code, finding.location.line) for finding in findings] == [("yaml.syntax", 1)]


def test_empty_value() -> None:
    root, _ = load("a:\nb: 1\n")
    assert root["a"] == Scalar("")


@pytest.mark.parametrize("text", ["", "\n\n", "---\n...\n", "# nothing\n", "   "])
def test_text_without_content(text: str) -> None:
    root, findings = load(text)
    assert (root, [f.code for f in findings]) == ({}, ["yaml.empty"])


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("a: 'x\n", "yaml.syntax", 1, 4),
        ('a: "x\nb: 1\n', "yaml.syntax", 1, 4),
        ('a: "\\q"\n', "yaml.syntax", 1, 5),
        ("a: 'x' y\n", "yaml.syntax", 1, 8),
        ("a: b: c\n", "yaml.syntax", 1, 4),
        ("a: \u00e9\n", "yaml.syntax", 1, 4),
        ("a: 1\nPNG junk\n", "yaml.syntax", 2, 1),
        ("a: @x\n", "yaml.syntax", 1, 4),
        ("%YAML 1.2\n---\na: 1\n", "yaml.syntax", 1, 1),
        ("a: 1\n\tb: 2\n", "yaml.tab", 2, 1),
        ("a:\n  \t- b\n", "yaml.tab", 2, 3),
        ("a:\n  - x: 1\n - y: 2\n", "yaml.indent", 3, 2),
        ("a: 1\n  b: 2\n", "yaml.indent", 2, 3),
        ("a:\n  - x: 1\n    y: 2\n     z: 3\n", "yaml.indent", 4, 6),
        ("a:\n- x: 1\n", "yaml.indent", 2, 1),
        ("  a: 1\nb: 2\n", "yaml.indent", 2, 1),
        ("a:\n  - 1\n  b: 2\n", "yaml.indent", 3, 3),
        ("a: &x 1\n", "yaml.alias", 1, 4),
        ("a: *x\n", "yaml.alias", 1, 4),
        ("a:\n  <<: *x\n", "yaml.alias", 2, 3),
        ("&x a: 1\n", "yaml.alias", 1, 1),
        ("a: !!int 3\n", "yaml.tag", 1, 4),
        ("a: !!python/object/apply:os.system [ ls ]\n", "yaml.tag", 1, 4),
        ("a: {b: 1}\n", "yaml.subset", 1, 4),
        ("a: |\n  text\n", "yaml.subset", 1, 4),
        ("a: >-\n  text\n", "yaml.subset", 1, 4),
        ("a: one\n  two\n", "yaml.subset", 2, 3),
        ("a:\n  text\n", "yaml.subset", 2, 3),
        ("a: [ 1,\n  2 ]\n", "yaml.subset", 1, 8),
        ("a: [ '1' ]\n", "yaml.subset", 1, 6),
        ("'a': 1\n", "yaml.subset", 1, 1),
        ("? a\n", "yaml.subset", 1, 1),
        ("a: [[1]]\n", "yaml.depth", 1, 5),
        ("a: " + "[" * 1000 + "\n", "yaml.depth", 1, 5),
        ("a: 1\nb: " + "[ " * 1000 + "\n", "yaml.depth", 2, 6),
        ("a: " + "{" * 1010 + "\n", "yaml.subset", 1, 4),
        ("a: [" + "{[" * 505 + "\n", "yaml.subset", 1, 5),
        ("a:\n  - " + "[" * 1010 + "\n", "yaml.depth", 2, 6),
        ("a: [ 1, ]\n", "yaml.subset", 1, 9),
        ("a: [ 1\n", "yaml.subset", 1, 7),
        ("a: [ 1, b: c ]\n", "yaml.subset", 1, 9),
        ("a: - b\n", "yaml.syntax", 1, 4),
        ("a: # \x85b: 1\n", "yaml.syntax", 1, 6),
        ("a: # \rb: 1\n", "yaml.syntax", 1, 6),
        ("a: '\x07'\n", "yaml.syntax", 1, 5),
        (": a\n", "yaml.syntax", 1, 1),
        ("a: '\nb: 1\n  '\n", "yaml.syntax", 1, 4),
        (f"{'a' * 1025}: 1\n", "yaml.syntax", 1, 1),
        (f"b: 1\n{'a' * 1025}: 1\n", "yaml.syntax", 2, 1),
        ("a: 1\n---\n  b: 1\n", "yaml.indent", 3, 3),
        ("- a\n", "yaml.root", 1, 1),
        ("just text\n", "yaml.root", 1, 1),
    ],
)
def test_refusals_name_rule_and_location(text: str, code: str, line: int, column: int) -> None:
    finding = refusal(text)
    assert (finding.code, finding.location.line, finding.location.column) == (code, line, column)


@pytest.mark.parametrize("escape", ["\\uD800", "\\UFFFFFFFF", "\\U00110000"])
def test_escapes_of_no_character(escape: str, parser: str) -> None:
    """PyYAML's parser in Python does not say where: it converts them, or ends in another exception."""
    finding = refusal(f'a: "{escape}"\n')
    assert (finding.code, finding.message) == ("yaml.syntax", "unknown escape")
    assert finding.location.column == 5 or parser == "python"


@pytest.mark.parametrize("entry", ["{}a:\n", "{}-\n"])
def test_depth_is_bounded(entry: str) -> None:
    text = "x:\n" + "".join(entry.format("  " * level) for level in range(1, 1000))
    assert refusal(text).code == "yaml.depth"


def test_nodes_and_items_are_bounded() -> None:
    assert refusal("a:\n" + "  - 1\n" * 100_000).code == "yaml.limit"
    text = "a:\n" + "  - 1\n" * 262_145
    with pytest.raises(ZebinError, match="too many items"):
        list(read_entries(TextReport(SourceText(text), Report()), {"a"}))


def test_alias_bomb_costs_nothing() -> None:
    lines = ["a0: &a0 [ x, x ]"] + [f"a{n}: &a{n} [ {', '.join([f'*a{n - 1}'] * 9)} ]" for n in range(1, 10)]
    finding = refusal("\n".join(lines))
    assert (finding.code, finding.location.line) == ("yaml.alias", 1)


@pytest.mark.parametrize("text", ["a: 1\nb: 2\na: 3\n", "x:\n  a: 1\n  b: 2\n  a: 3\n"])
def test_duplicate_keys_name_both_lines(text: str) -> None:
    _, (finding,) = load(text)
    assert finding.code == "key.duplicate"
    assert finding.severity is FindingSeverity.ERROR
    assert finding.location.line is not None
    assert finding.message.endswith(f"on line {finding.location.line - 2}")


def test_documents_are_read_as_one_with_a_warning() -> None:
    root, (finding,) = load("---\na: 1\n...\n---\nb: 2\n---\nc: 3\n")
    assert list(root) == ["a", "b", "c"]
    assert (finding.code, finding.severity, finding.location.line) == ("yaml.multidoc", FindingSeverity.WARNING, 5)


@pytest.mark.usefixtures("parser")
def test_documents_may_end_anywhere() -> None:
    """Drivers skip both markers; YAML allows no content behind `...`."""
    root, (finding,) = load("a: 1\n...\nb: 2\n...\n")
    assert list(root) == ["a", "b"]
    assert (finding.code, finding.location.line) == ("yaml.multidoc", 3)


def test_tabs_separate_as_spaces_do() -> None:
    """In drivers, and in libyaml; PyYAML's parser in Python refuses them."""
    assert load("a:\t1\t\nb: [\t1,\t2 ]\t# x\n") == load("a: 1\nb: [ 1, 2 ] # x\n")


def test_without_libyaml_long_texts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a: 1\n" + "# comment\n" * (PURE_PYTHON_LIMIT // 10 + 1)
    assert load(text) == ({"a": Scalar("1")}, [])
    monkeypatch.setattr(yaml, "__with_libyaml__", False)
    finding = refusal(text)
    assert finding.code == "yaml.limit"
    assert "libyaml" in finding.message
    assert load(text[: PURE_PYTHON_LIMIT - 1]) == ({"a": Scalar("1")}, [])


@pytest.mark.parametrize("value", ["'é' # é", '"\\u00e9"'])
@pytest.mark.usefixtures("parser")
def test_positions_behind_other_characters(value: str) -> None:
    """Marks of the parsers count characters: neither bytes nor UTF-16."""
    text = f"# \U0001f600 é\na: {value}\nb:\n  - c: 1\n"
    root, _ = load(text)
    (item,) = root["b"].items if isinstance(root["b"], Sequence) else ()
    assert isinstance(item, Mapping)
    assert (item.at, item.entries["c"].at) == (text.index("c:"), text.index("1\n"))


def test_an_empty_inline_list_is_read_with_a_warning() -> None:
    root, (finding,) = load("a: [  ]\n")
    assert root["a"] == Sequence([], inline=True)
    assert (finding.code, finding.severity) == ("yaml.empty", FindingSeverity.WARNING)


def test_an_empty_inline_list_that_drivers_do_not_read() -> None:
    """They cut the text at a word."""
    root, findings = load("kernels_misc_info:\n  - a: []\n")
    assert findings == []
    assert "kernels_misc_info" in root


@pytest.mark.parametrize("text", [" " * 3_000_000, "\n" * 3_000_000, "#" * 3_000_000, "a: " + "x " * 1_500_000])
def test_large_inputs_take_linear_time(text: str) -> None:
    """Behaviour, not time: a quadratic reader would run into the test's limit by far."""
    load(text)


@pytest.mark.parametrize("fill", [" ", "#", "\n", "x", "'", "a: |\n ", "\\"])
def test_what_the_parser_would_have_to_hold_is_bounded(fill: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "SCALAR_LIMIT", 100_000)
    start = 'a: 1\nb: "' if fill == "\\" else "a: 1\nb: "
    finding = refusal(start + fill * 300_000)
    assert finding.code == ("yaml.limit" if fill != "a: |\n " else "yaml.syntax")


BLOCK_WORDS = ("- ", "? ", ": ", "a: ", "a", "\n", "\n ", "\n  - ", "\r\n", "\t", " ", "---\n", "...\n", "\na: 1")
OTHER_WORDS = (*"[]{},'\"\\|>#é", "&a ", "*a ", "!a ", "%TAG !a! b\n", "\n<<: *a", "\n  - a: [1, 2]")
WORDS = st.sampled_from(BLOCK_WORDS + OTHER_WORDS)
SHAPES = st.lists(st.tuples(st.lists(WORDS, min_size=1, max_size=4).map("".join), st.integers(1, 20_000)), max_size=4)


@settings(max_examples=examples(100), deadline=None)
@given(SHAPES, st.booleans())
def test_texts_of_repeated_parts_are_read_or_refused(shape: list[tuple[str, int]], with_libyaml: bool) -> None:
    """Anchors, brackets, indentation, quotes and directives by the thousand."""
    text = "a:\n" + "".join(part * count for part, count in shape)
    with pytest.MonkeyPatch.context() as patch, suppress(ZebinError):
        patch.setattr(yaml, "__with_libyaml__", with_libyaml)
        load(text)


def test_positions_count_bytes_of_the_file() -> None:
    source = SourceText("a: 'é'\nb: {}\n", offset=100, label="section 1")
    report = Report()
    with pytest.raises(ZebinError) as caught:
        list(read_entries(TextReport(source, report)))
    location = caught.value.finding.location
    assert (location.offset, location.line, location.column, location.section) == (111, 2, 4, "section 1")


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        *[(word, False) for word in ("vadd", "on", "off", "yes", "no", "y", "n", "const volatile", "_1e5", "x.y")],
        *[(word, True) for word in ("", " a", "a ", "null", "Null", "~", "true", "FALSE", "1", "1.20", "-1", "0x1F")],
        *[
            (word, True)
            for word in ("float*;8", "a:b", "-x", "?", "#a", "it's", "a\nb", "é", "\x7f", "1e5", ".5", "\t")
        ],
        ("memref<?x8xf32>;8", True),
    ],
)
def test_what_is_quoted(text: str, quoted: bool) -> None:
    assert needs_quotes(text) is quoted


def test_layout() -> None:
    node = Mapping(
        {
            "version": Scalar("1.61", quoted=True),
            "kernels": Sequence(
                [
                    Mapping(
                        {
                            "name": Scalar("k"),
                            "execution_env": Mapping(
                                {
                                    "disable_mid_thread_preemption": Scalar("true"),
                                    "exactly_16_chars": Scalar("x"),
                                    "sixteen_less_15": Scalar("x"),
                                    "size": Sequence([Scalar("1"), Scalar("2")], inline=True),
                                }
                            ),
                        }
                    )
                ]
            ),
            "text": Scalar('a\n"é\U0001f600', quoted=True),
            "quote": Scalar("it's", quoted=True),
        }
    )
    assert write_yaml(node) == (
        "---\n"
        "version:         '1.61'\n"
        "kernels:\n"
        "  - name:            k\n"
        "    execution_env:\n"
        "      disable_mid_thread_preemption: true\n"
        "      exactly_16_chars: x\n"
        "      sixteen_less_15: x\n"
        "      size:            [ 1, 2 ]\n"
        'text:            "a\\n\\"\\xE9\\U0001F600"\n'
        "quote:           'it''s'\n"
        "...\n"
    )


keys = st.from_regex(r"[a-z_][a-z0-9_]{0,20}", fullmatch=True)
scalars = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).map(
    lambda text: Scalar(text, quoted=needs_quotes(text))
)
inline_lists = st.lists(st.from_regex(r"-?[0-9]{1,9}", fullmatch=True).map(Scalar), min_size=1, max_size=4).map(
    lambda items: Sequence(list(items), inline=True)
)


def mappings(values: st.SearchStrategy[Node]) -> st.SearchStrategy[Mapping]:
    return st.dictionaries(keys, values, min_size=1, max_size=4).map(Mapping)


nodes: st.SearchStrategy[Node] = st.recursive(
    scalars | inline_lists,
    lambda inner: mappings(inner) | st.lists(inner, min_size=1, max_size=3).map(Sequence),
    max_leaves=12,
)


@given(mappings(nodes))
def test_what_is_written_is_read_back(root: Mapping) -> None:
    read_back, findings = load(write_yaml(root))
    assert not findings
    assert read_back == root.entries


@given(mappings(nodes))
def test_what_is_written_is_yaml(root: Mapping) -> None:
    assert yaml.load(write_yaml(root), yaml.BaseLoader) == plain(root)


@given(st.text(st.sampled_from("ab:-'\"[]{}#&*!|>, \n\t0.1~?\\"), max_size=40))
def test_any_text_is_read_as_pyyaml_does_or_refused(text: str) -> None:
    """The reader accepts a part of YAML only, but what it accepts means the same there."""
    try:
        root, findings = load(text)
    except ZebinError:
        return
    if not findings:
        assert {key: plain(node) for key, node in root.items()} == yaml.load(text, yaml.BaseLoader)
