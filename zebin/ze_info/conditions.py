"""Conditions under which an attribute of a record has a meaning, given by other attributes of the record."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from xegpu.on_demand import dataclass


@dataclass(frozen=True)
class AttributeCondition:
    """Holds if one of `alternatives` does: each attribute that it names has one of the given words."""

    alternatives: tuple[Mapping[str, Collection[str]], ...]

    def holds(self, record: object) -> bool:
        """Returns True if the record satisfies the condition."""
        for words in self.alternatives:
            if all(getattr(record, name) in allowed for name, allowed in words.items()):
                return True
        return False

    def __or__(self, other: AttributeCondition) -> AttributeCondition:
        return AttributeCondition(self.alternatives + other.alternatives)

    def __str__(self) -> str:
        return ", or ".join(
            " and ".join(f"{name} {' or '.join(allowed)}" for name, allowed in words.items())
            for words in self.alternatives
        )


def when(**words: str | Collection[str]) -> AttributeCondition:
    """Returns the condition that each attribute has the given word, or one of the given words."""
    return AttributeCondition(
        ({name: (word,) if isinstance(word, str) else tuple(word) for name, word in words.items()},)
    )
