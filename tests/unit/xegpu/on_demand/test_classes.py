"""Data classes are those of Python, which are made when they are first used."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar

import pytest

from xegpu.on_demand import dataclass

T = TypeVar("T")


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 2
    tags: tuple[str, ...] = dataclasses.field(default=(), kw_only=True)
    names: list[str] = dataclasses.field(default_factory=list, compare=False)


@dataclass(frozen=True)
class Place(Point):
    """A point with a height."""

    z: float = 0.0

    def __repr__(self) -> str:
        return f"at {self.z}"


@dataclass(eq=False)
class Counter:
    count: int = 0


@dataclass
class Tally:
    count: int = 0


@dataclass(frozen=True, slots=True)
class Small:
    value: int


@dataclass(frozen=True)
class Box(ABC, Generic[T]):
    content: T

    @abstractmethod
    def opened(self) -> T: ...


@dataclass(frozen=True)
class Open(Box[int]):
    def opened(self) -> int:
        return self.content


class Plain(Point):
    def note(self, text: str) -> None:
        self.noted = text  # an attribute that is no field


def test_instances_behave_as_those_of_dataclasses() -> None:
    assert Point(1) == Point(1, 2)
    assert Point(1, names=["a"]) == Point(1)
    assert hash(Point(1)) == hash(Point(1, 2))
    assert Point(1) != Point(2)
    assert repr(Point(1, tags=("a",))) == "Point(x=1, y=2, tags=('a',), names=[])"
    assert repr(Place(1, z=3.0)) == "at 3.0"
    assert Point(1) != Place(1)
    assert dataclasses.replace(Place(1), z=1.0) == Place(1, z=1.0)
    assert Counter() != Counter()
    assert len({Counter(), Counter()}) == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(Tally())
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Point()  # type: ignore[call-arg]
    match Point(3, 4):
        case Point(x, y):
            assert (x, y) == (3, 4)


def test_classes_have_what_dataclasses_have() -> None:
    @dataclasses.dataclass(frozen=True)
    class Twin:
        x: int
        y: int = 2

    @dataclass(frozen=True)
    class Lazy:
        x: int
        y: int = 2

    assert dataclasses.is_dataclass(Lazy)
    assert [(field.name, field.default) for field in dataclasses.fields(Lazy)] == [
        (field.name, field.default) for field in dataclasses.fields(Twin)
    ]
    assert vars(Lazy).keys() == vars(Twin).keys()
    for options in ({"eq": False}, {"repr": False}, {"init": False}, {"match_args": False}, {"eq": True}):
        plain, delayed = (type("C", (), {"__annotations__": {"x": "int"}}) for _ in range(2))
        dataclasses.dataclass(**options)(plain)
        dataclasses.fields(dataclass(**options)(delayed))
        assert vars(delayed).keys() == vars(plain).keys()
    assert Lazy.__doc__ == "Lazy(x: 'int', y: 'int' = 2)"
    assert Lazy.__match_args__ == Twin.__match_args__
    assert not hasattr(Lazy, "x"), "only the default of a field stays an attribute of the class"
    assert Lazy.y == 2


def test_fields_cannot_be_changed() -> None:
    point = Place(1)
    for name in ("x", "z", "other"):
        with pytest.raises(dataclasses.FrozenInstanceError, match=f"cannot assign to field '{name}'"):
            setattr(point, name, 3)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x  # type: ignore[misc]
    plain = Plain(1)
    plain.note("seen")
    assert plain.noted == "seen"
    with pytest.raises(dataclasses.FrozenInstanceError):
        plain.x = 3
    counter = Counter()
    counter.count += 1
    assert counter == counter and counter.count == 1


def test_the_first_use_may_be_any() -> None:
    uses: list[Callable[[type, object], object]] = [
        lambda cls, _: dataclasses.fields(cls),
        lambda cls, _: cls(1),
        lambda cls, bare: bare == bare,
        lambda cls, bare: hash(bare),
        lambda cls, bare: repr(bare),
        lambda cls, bare: cls.__match_args__,
    ]
    for use in uses:

        @dataclass(frozen=True)
        class Fresh:
            x: int

        bare = Fresh.__new__(Fresh)  # as pickle makes it
        object.__setattr__(bare, "x", 1)
        use(Fresh, bare)
        assert bare == Fresh(1)
        assert hash(bare) == hash(Fresh(1))
    assert pickle.loads(pickle.dumps(Point(5))) == copy.copy(Point(5)) == Point(5)


def test_other_kinds_of_classes() -> None:
    assert not hasattr(Small(1), "__dict__")
    assert Small(1) == Small(1)
    assert Open(3).opened() == 3
    assert isinstance(Open(3), Box)
    with pytest.raises(TypeError, match="abstract"):
        Box(3)  # type: ignore[abstract]


def test_threads_may_complete_a_class_at_the_same_time() -> None:
    failures: list[BaseException] = []
    for _ in range(30):

        @dataclass(frozen=True)
        class Fresh:
            x: int
            y: list[int] = dataclasses.field(default_factory=list)

        start = threading.Barrier(4)

        def use(cls: type[Fresh], start: threading.Barrier) -> None:
            try:
                start.wait()
                assert cls(1) == cls(1)
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=use, args=(Fresh, start)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []
