"""The page docs/isa.md: the text of page.md, with parts made from the tables.

`{{name}}` in the template is replaced by what `PARTS[name]` returns.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import files

from xegpu.isa.code.program import VERSION
from xegpu.isa.document import encoding, images, instructions, machine, messages
from xegpu.isa.document.markdown import numbers_text
from xegpu.isa.model.image_messages import COORDINATES
from xegpu.isa.model.messages import VECTOR_SIZES, Flush, MemoryScope
from xegpu.isa.model.surface_states import (
    SAMPLER_BYTES,
    SAMPLER_SIGNATURE,
    SURFACE_BYTES,
    SURFACE_SIGNATURE,
    Addressing,
    Border,
    ChannelType,
    Filter,
    Swizzle,
)
from xegpu.targets import TARGETS


def page() -> str:
    """Returns the whole page."""
    template = files("xegpu.isa.document").joinpath("page.md").read_text()
    text = re.sub(r"\{\{(\w+)\}\}", lambda match: PARTS[match[1]](), template)
    return text.replace("[[contents]]", _contents(text))


def _contents(text: str) -> str:
    titles = re.findall(r"^## (.+)$", text, re.MULTILINE)
    return " · ".join(f"[{title}](#{re.sub('[^a-z0-9]+', '-', title.lower())})" for title in titles)


PARTS: dict[str, Callable[[], str]] = {
    "contents": lambda: "[[contents]]",  # known when all other parts are filled in
    "targets": machine.targets,
    "conditions": machine.conditions,
    "types": machine.data_types,
    "nans": machine.nans,
    "primitives": machine.primitives,
    "instructions": instructions.instructions,
    "idioms": instructions.idioms,
    "dpas_types": messages.dpas_types,
    "data_sizes": messages.data_sizes,
    "caches": messages.caches,
    "atomics": messages.atomics,
    "flushes": lambda: ", ".join(f"`{flush.text}`" for flush in Flush),
    "scopes": lambda: ", ".join(f"`{scope.text}`" for scope in MemoryScope),
    "gathers": messages.gathers,
    "vectors": lambda: numbers_text(VECTOR_SIZES),
    "message_bytes": lambda: numbers_text(sorted({target.platform.max_message_bytes for target in TARGETS.values()})),
    "blocks": messages.blocks,
    "coordinates": lambda: ", ".join(f"`{text}`" for text in COORDINATES),
    "surface_bytes": lambda: str(SURFACE_BYTES),
    "surface_signature": lambda: f"{SURFACE_SIGNATURE:#x}",
    "sampler_bytes": lambda: str(SAMPLER_BYTES),
    "sampler_signature": lambda: f"{SAMPLER_SIGNATURE:#x}",
    "channel_types": lambda: images.numbered(ChannelType),
    "swizzles": lambda: images.numbered(Swizzle),
    "addressings": lambda: images.numbered(Addressing),
    "filters": lambda: images.numbered(Filter),
    "borders": lambda: images.numbered(Border),
    "image_shapes": images.image_shapes,
    "image_layouts": images.image_layouts,
    "example": encoding.example,
    "structured": encoding.structured,
    "version": lambda: f"{VERSION[0]}.{VERSION[1]}",
    "layouts": encoding.layouts,
    "codes": encoding.codes,
    "words": encoding.words,
}
