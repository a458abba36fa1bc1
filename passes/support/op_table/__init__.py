"""Rules by operation: what a pass, or the host's compiler, does with the operations of each class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar, overload

from xdsl.ir import Operation

ContextT = TypeVar("ContextT")
ResultT = TypeVar("ResultT")
OpT = TypeVar("OpT", bound=Operation)
FirstT = TypeVar("FirstT", bound=Operation)
SecondT = TypeVar("SecondT", bound=Operation)
ThirdT = TypeVar("ThirdT", bound=Operation)

Rule = Callable[[ContextT, OpT], ResultT]
Registration = Callable[[Rule[ContextT, OpT, ResultT]], Rule[ContextT, OpT, ResultT]]


class OpTable(Generic[ContextT, ResultT]):
    """A table of rules: functions of a context, which all rules of the table share, and an operation.

    A rule belongs to classes of operations. As methods do, it serves the classes derived from them, too, unless these
    have a rule of their own; so a base class or an interface stands for a family of operations.
    """

    def __init__(self) -> None:
        self._rules: dict[type[Operation], Rule[ContextT, Operation, ResultT]] = {}
        self._found: dict[type[Operation], Rule[ContextT, Operation, ResultT] | None] = {}

    @overload
    def register(self, kind: type[OpT], /) -> Registration[ContextT, OpT, ResultT]: ...
    @overload
    def register(
        self, first: type[FirstT], second: type[SecondT], /
    ) -> Registration[ContextT, FirstT | SecondT, ResultT]: ...
    @overload
    def register(
        self, first: type[FirstT], second: type[SecondT], third: type[ThirdT], /
    ) -> Registration[ContextT, FirstT | SecondT | ThirdT, ResultT]: ...
    @overload
    def register(self, /, *kinds: type[OpT]) -> Registration[ContextT, OpT, ResultT]: ...
    def register(self, /, *kinds: type[OpT]) -> Registration[ContextT, OpT, ResultT]:
        """Makes a function the rule of classes of operations; its parameter is one of them, or a base of all.

        Raises `ValueError` if one of them has a rule.
        """

        def enter(rule: Rule[ContextT, OpT, ResultT]) -> Rule[ContextT, OpT, ResultT]:
            def checked(context: ContextT, op: Operation) -> ResultT:
                assert isinstance(op, kinds)
                return rule(context, op)

            for kind in kinds:
                if kind in self._rules:
                    raise ValueError(f"{kind.__qualname__} has a rule already")
                self._rules[kind] = checked
            self._found.clear()
            return rule

        return enter

    def get(self, op: Operation) -> Rule[ContextT, Operation, ResultT] | None:
        """Returns the rule of an operation; None if it has none."""
        kind = type(op)
        if kind not in self._found:
            self._found[kind] = next((self._rules[base] for base in kind.__mro__ if base in self._rules), None)
        return self._found[kind]

    def __getitem__(self, op: Operation) -> Rule[ContextT, Operation, ResultT]:
        """Returns the rule of an operation that has one."""
        rule = self.get(op)
        if rule is None:
            raise KeyError(op.name)
        return rule

    def __contains__(self, op: Operation) -> bool:
        """Returns whether an operation has a rule."""
        return self.get(op) is not None

    @property
    def rules(self) -> Mapping[type[Operation], Rule[ContextT, Operation, ResultT]]:
        """The rules by the classes that they were registered for."""
        return self._rules
