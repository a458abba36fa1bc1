"""Output of profiles to files, in the format that the file's name asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from runtime.simulator.profile.document import profile_json
from runtime.simulator.profile.profile import Profile
from runtime.simulator.profile.roofline import roofline_svg
from runtime.simulator.profile.timeline import chrome_trace
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # its tables take longer to import than many launches
    import runtime.simulator.profile.text as text

FORMS: Mapping[str, Callable[[Profile], str]] = {
    ".trace.json": chrome_trace,
    ".json": profile_json,
    ".svg": roofline_svg,
}
"""Formats by the end of a file's name; all others are text."""


def rendered(profile: Profile, name: str) -> str:
    """Returns the profile in the format for a file of that name."""
    form = next((form for end, form in FORMS.items() if name.lower().endswith(end)), text.profile_text)
    return form(profile)


def write_profile(profile: Profile, path: str | Path) -> None:
    """Writes a profile: tables as text, `.json`, `.trace.json` for Chrome's viewer, or the roofline as `.svg`.

    Raises `OSError` for a file that cannot be written.
    """
    Path(path).write_text(rendered(profile, str(path)), encoding="utf-8")
