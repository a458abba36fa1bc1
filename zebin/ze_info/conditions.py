"""When an attribute of a record has a meaning: a condition on other attributes of the same record."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class AttributeCondition:
    """Holds when one of `alternatives` does, that is when each attribute it names has one of the words it gives."""

    alternatives: tuple[Mapping[str, Collection[str]], ...]

    def holds(self, record: object) -> bool:
        """Whether the record is of the kind that the condition describes."""
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
    """The condition that each attribute has the word, or one of the words, given for it."""
    return AttributeCondition(
        ({name: (word,) if isinstance(word, str) else tuple(word) for name, word in words.items()},)
    )
