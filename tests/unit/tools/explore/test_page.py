"""The explorer's page in a browser: typing, stages, links between lines, runs, comparison, export, keys, contrast."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.unit.tools.cli.commands import command_line

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("playwright", reason="needs playwright: pip install -e '.[browser]'")

from playwright.sync_api import Browser, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(CHROMIUM is None, reason="needs a browser: apt-get install chromium"),
]

MISTAKEN = {"scrollable-region-focusable"}
"""A rule of Axe that does not see that the text in CodeMirror's scrolling box takes the focus."""

SECONDS = 30_000
"""The time in milliseconds that the page may take for anything, on a busy machine."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    words = command_line("xegpu-explore", "--no-browser", "--timeout", "60")
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[4]
        finally:
            process.kill()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1600, "height": 900}, accept_downloads=True)
    context.set_default_timeout(SECONDS)
    shown = context.new_page()
    errors: list[str] = []
    shown.on("pageerror", lambda error: errors.append(str(error)))
    shown.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    shown.goto(address)
    said(shown, "Compiled in")
    yield shown
    context.close()
    assert errors == []


expect.set_options(timeout=SECONDS)


def said(page: Page, text: str) -> None:
    expect(page.locator("#status")).to_contain_text(text)


def lines(page: Page, pane: int) -> list[str]:
    """The lines of a pane that are lit."""
    return page.locator(".pane").nth(pane).locator(".cm-line.linked").all_inner_texts()


def line(page: Page, text: str):
    return page.locator("#editor .cm-line", has_text=text).first


def written(page: Page, text: str) -> None:
    """Replaces the kernel, and waits until the page compiles it, which changes the address."""
    before = page.url
    page.locator("#editor .cm-content").focus()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(text)
    expect(page).not_to_have_url(before)


def test_lines_light_up_in_all_panes(page: Page) -> None:
    line(page, "xegpu.dpas").hover()
    assert any("xe.dpas" in each for each in lines(page, 0))
    assert [re.search(r"\bdpas\b", each) is not None for each in lines(page, 1)] == [True]
    page.locator(".pane").nth(1).locator(".cm-line", has_text="dpas").hover()
    assert "xegpu.dpas" in page.locator("#editor .cm-line.linked").inner_text()


def test_errors_of_what_is_typed_stand_at_their_places(page: Page) -> None:
    line(page, "gpu.return").click()
    page.keyboard.press("Home")
    page.keyboard.type("nonsense ")
    said(page, "error")
    expect(page.locator("#messages button.error").first).to_contain_text("25:")
    expect(page.locator("#editor .cm-lintRange-error").first).to_be_visible()
    for _ in range(9):
        page.keyboard.press("Backspace")
    said(page, "Compiled in")
    expect(page.locator("#messages button")).to_have_count(0)


def test_options_and_stages(page: Page) -> None:
    page.get_by_label("Stage of pane 1").select_option("xe-allocate-registers")
    expect(page.locator(".pane").first.locator(".cm-content")).to_contain_text("xe.kernel")
    page.get_by_label("Stage of pane 1").select_option("native code")
    expect(page.locator(".pane").first.locator(".cm-content")).to_contain_text("sync.")
    page.get_by_label("Target").select_option("arc")
    expect(page.locator(".pane").nth(1).locator(".cm-content")).to_contain_text(".grf 32")
    page.get_by_role("button", name="Add a pane").click()
    expect(page.locator(".pane")).to_have_count(3)


def test_the_address_holds_the_state(page: Page, browser: Browser) -> None:
    before = page.url
    page.get_by_label("Unroll").select_option("2")
    expect(page).not_to_have_url(before)
    again = browser.new_page()
    again.goto(page.url)
    said(again, "Compiled in")
    expect(again.get_by_label("Unroll")).to_have_value("2")
    again.close()


def test_the_binary_shows_bytes(page: Page) -> None:
    page.get_by_role("tab", name="Binary").click()
    expect(page.locator(".bytes")).to_contain_text("7f 45 4c 46")
    page.get_by_role("button", name=".ze_info").click()
    expect(page.locator(".bytes mark").first).to_contain_text("76 65 72 73")  # "vers"


def test_versions_are_compared(page: Page) -> None:
    page.get_by_role("tab", name="Compare").click()
    page.get_by_role("button", name="Keep this version").click()
    page.get_by_label("Unroll").select_option("2")
    row = page.locator("#view-Compare tr", has_text="dpas")
    expect(row).to_have_text(re.compile("dpas\\s*1\\s*2\\s*1"))
    page.get_by_label("Text of").select_option("assembly")
    expect(page.locator(".cm-mergeView .cm-changedLine").first).to_be_visible()


def test_a_run_shows_results_and_a_profile(page: Page) -> None:
    page.get_by_role("tab", name="Run").click()
    page.get_by_role("button", name="Run", exact=True).click()
    said(page, "Ran in")
    expect(page.locator("#run-results canvas")).to_have_count(4)  # three arrays and the timeline
    page.locator("#run-results canvas").nth(2).hover(position={"x": 3, "y": 3})
    expect(page.locator("#run-results .readout").nth(2)).to_contain_text("[0, 0] = ")
    expect(page.locator("#view-Run")).to_contain_text("Roofline")
    expect(page.locator("#editor .cm-figures .figure:visible").first).to_be_visible()


@pytest.mark.skipif(shutil.which("clang-22") is None, reason="needs clang-22")
def test_findings_stand_at_their_lines(page: Page) -> None:
    page.get_by_label("Example").select_option("SAXPY (OpenCL C)")
    page.get_by_role("tab", name="Run").click()
    expect(page.get_by_label("Work-groups")).to_have_value("16")  # that of the example, when it has been compiled
    page.get_by_label("Work-groups").fill("17")
    page.get_by_label("Check for bugs").check()
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".finding").first).to_be_visible(timeout=SECONDS)
    expect(page.locator("#editor .cm-lintRange-error").first).to_be_visible()


def test_a_host_program_prints_and_launches(page: Page) -> None:
    written(page, (ROOT / "examples/programs/prefix_sum.mlir").read_text())
    said(page, "Compiled in")
    page.get_by_role("tab", name="Run").click()
    expect(page.locator("#view-Run select").first).to_have_value("program main")
    expect(page.get_by_label("Work-groups")).to_be_hidden()
    page.get_by_role("button", name="Run", exact=True).click()
    said(page, "Ran in")
    expect(page.locator("#run-results pre")).to_contain_text("1000 elements, different: 0")
    page.get_by_label("Launch", exact=True).select_option("2")
    expect(page.get_by_label("Launch", exact=True).locator("option:checked")).to_contain_text("add_totals")
    expect(page.locator("#run-results table").first).to_contain_text("estimated cycles")


def test_native_code_is_edited_and_run(page: Page) -> None:
    page.get_by_label("Stage of pane 1").select_option("native code")
    page.locator(".pane").first.get_by_role("button", name="Edit").click()
    expect(page.get_by_label("Language")).to_have_value("xe-native")
    expect(page.locator(".pane").first.locator(".cm-content")).to_contain_text("/* 000000 */")
    page.get_by_role("tab", name="Run").click()
    page.get_by_role("button", name="Run", exact=True).click()
    said(page, "Ran in")
    expect(page.locator("#run-results figcaption").nth(2)).to_contain_text("c: 64x64xfloat32, from -")
    expect(page.locator("#source-legend")).to_contain_text("cycles")


@pytest.mark.skipif(shutil.which("clang-22") is None, reason="needs clang-22")
def test_images_are_proposed_and_shown(page: Page) -> None:
    page.get_by_label("Language").select_option("opencl")
    page.get_by_label("Target").select_option("arc")
    written(
        page,
        """kernel void f(read_only image2d_t a, sampler_t s, write_only image2d_t b) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(b, p, read_imagef(a, s, p));
}""",
    )
    said(page, "Compiled in")
    page.get_by_role("tab", name="Run").click()
    proposed = page.locator(".arguments input")
    expect(proposed.nth(0)).to_have_value("image:rgba8unorm:arange:64x64x4xui8")
    expect(proposed.nth(1)).to_have_value("sampler:clamp_edge:nearest")
    page.get_by_label("Work-groups").fill("8, 64")
    page.get_by_label("Work-items of each").fill("8")
    page.get_by_role("button", name="Run", exact=True).click()
    said(page, "Ran in")
    page.locator("#run-results canvas").nth(1).hover(position={"x": 7, "y": 3})
    expect(page.locator("#run-results .readout").nth(1)).to_have_text("[0, 1] = r 4, g 5, b 6, a 7")


def test_layouts_name_lane_register_and_address(page: Page) -> None:
    page.get_by_label("Example").select_option("Lanes with a map (XeGPU)")
    page.get_by_role("tab", name="Layouts").click()
    expect(page.locator("#view-Layouts figcaption")).to_contain_text("16 work-items")
    canvas = page.locator("#view-Layouts canvas")
    canvas.hover(position={"x": 50, "y": 40})
    readout = page.locator("#view-Layouts .readout")
    where = re.compile(r"\[1, 1\] of work-item 1: register 1 of the value, byte 4; address base \+ 1 . pitch \+ 4")
    expect(readout).to_contain_text(where)


def test_messages_show_a_block_and_its_registers(page: Page) -> None:
    page.get_by_role("tab", name="Messages").click()
    page.get_by_role("combobox", name="Message").select_option("1")
    expect(line(page, "<{packed}>")).to_have_class(re.compile("linked"))
    memory, registers = page.locator("#view-Messages canvas").all()
    captions = page.locator("#view-Messages figcaption")
    expect(captions.nth(0)).to_contain_text("all inside")
    expect(captions.nth(1)).to_contain_text("VNNI")
    readouts = page.locator("#view-Messages .readout")
    memory.hover(position={"x": 24 * 3 + 12, "y": 24 * 4 + 12})  # behind a margin of an element
    where = re.compile(r"row 3, column 2 .*: register r\d+, bytes 10 to 11; address base \+ 3 . pitch \+ 4")
    expect(readouts.nth(0)).to_contain_text(where)
    registers.hover(position={"x": 48 + 24 * 5 + 12, "y": 24 + 12})
    expect(readouts.nth(1)).to_contain_text(where)
    page.get_by_label("Column of the block").fill("20")
    page.get_by_label("Column of the block").press("Enter")
    expect(captions.nth(0)).to_contain_text("64 outside of the surface: zeros in the registers")


def test_pictures_are_read_by_keys(page: Page) -> None:
    page.get_by_role("tab", name="Messages").click()
    memory = page.locator("#view-Messages canvas").first
    memory.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    readout = page.locator("#view-Messages .readout").first
    expect(readout).to_contain_text("row 0, column 0 of the surface")
    page.keyboard.press("Tab")
    expect(readout).to_be_empty()


def test_an_exported_page_needs_no_server(page: Page, browser: Browser, tmp_path: Path) -> None:
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    file = tmp_path / "kernel.html"
    download.value.save_as(file)
    context = browser.new_context(offline=True)
    shown = context.new_page()
    errors: list[str] = []
    shown.on("pageerror", lambda error: errors.append(str(error)))
    shown.goto(file.as_uri())
    said(shown, "exported")
    line(shown, "xegpu.dpas").hover()
    assert [re.search(r"\bdpas\b", each) is not None for each in lines(shown, 1)] == [True]
    shown.get_by_label("Stage of pane 1").select_option("native code")
    expect(shown.locator(".pane").first.locator(".cm-content")).to_contain_text("sync.")
    shown.get_by_role("tab", name="Messages").click()
    expect(shown.locator("#view-Messages figcaption").nth(1)).to_contain_text("Registers r")
    context.close()
    assert errors == []


def test_the_page_is_used_by_keys(page: Page) -> None:
    page.get_by_role("tab", name="Stages").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Binary")).to_be_focused()
    expect(page.locator("#view-Binary")).to_be_visible()
    page.locator("#editor .cm-content").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#editor .cm-content")).not_to_be_focused()


def test_a_long_stage_scrolls(page: Page, address: str) -> None:
    """The kernel is put into the address, as another program would do it."""
    body = "\n".join(f"    %v{i} = arith.addf %x, %x : f32" for i in range(5000))
    state = {"source": f"func.func @f(%x: f32) {{\n{body}\n    return\n}}", "panes": ["as read"], "pipeline": "cse"}
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(json.dumps(state).encode()) + packer.flush()
    page.goto("about:blank")
    page.goto(f"{address}#{base64.urlsafe_b64encode(packed).decode().rstrip('=')}")
    said(page, "Compiled in")
    pane = page.locator(".pane").first
    pane.locator(".cm-content").focus()
    page.keyboard.press("Control+End")
    expect(pane.locator(".cm-line", has_text="return")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_hard_to_read(page: Page, scheme: str) -> None:
    """Axe finds no serious violation, contrast included, on any view; it is installed from npm where it is missing."""
    script = _axe()
    page.emulate_media(color_scheme=scheme)
    for tab in page.get_by_role("tab").all():
        tab.click()
        if tab.inner_text() == "Run":
            page.get_by_role("button", name="Run", exact=True).click()
            said(page, "Ran in")
        session = page.context.new_cdp_session(page)
        session.send("Runtime.evaluate", {"expression": script})
        answer = session.send(
            "Runtime.evaluate",
            {"expression": "axe.run().then((r) => JSON.stringify(r.violations))", "awaitPromise": True},
        )
        found = json.loads(answer["result"]["value"])
        serious = [
            (each["id"], [node["html"][:200] for node in each["nodes"]][:3])
            for each in found
            if each["impact"] in ("serious", "critical") and each["id"] not in MISTAKEN
        ]
        assert serious == [], tab.inner_text()


def _axe() -> str:
    folder = Path.home() / ".cache" / "xegpu-toolkit-tests" / "axe"
    script = folder / "node_modules/axe-core/axe.min.js"
    if not script.exists():
        if shutil.which("npm") is None:
            pytest.skip("needs npm, which installs axe-core")
        folder.mkdir(parents=True, exist_ok=True)
        words = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "axe-core@4"]
        if subprocess.run(words, cwd=folder, check=False, capture_output=True).returncode:
            pytest.skip("needs axe-core, which npm cannot install")
    return script.read_text()
