"""Streams: commands that the device executes in order while the host continues."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from runtime import ze
from runtime.api.arrays.buffer import Buffer
from runtime.api.event import Event
from runtime.api.sessions.session import NOTES, Claim, Session, note
from runtime.api.timeout import nanoseconds
from runtime.ze.driver import Handle, ImmediateCommandList, Launch, Operand, Submission, keeping

_ASYNCHRONOUS = ze.ze_command_queue_desc_t(mode=ze.ze_command_queue_mode_t.ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS)
_SUCCESS = ze.ze_result_t.ZE_RESULT_SUCCESS


def _destroy(commands: Handle) -> None:
    assert isinstance(commands, ImmediateCommandList)
    ze.zeCommandListDestroy(commands)


class Stream:
    """A queue that executes commands in order, in parallel with other streams; events synchronize streams.

    `Device.stream` creates streams; any number of threads may use one. At the end of `with` the stream is waited for
    and closed; an exception that ends the block also ends the command that is executing. Commands take `after`, events
    that must be signaled before they begin, and `signal`, one that they signal when they are done. Memory and events
    that commands use are kept until they are done.

    A fault on the device ends the work of all streams. The `synchronize` that reports it puts the device back into
    service.
    """

    def __init__(self, session: Session) -> None:
        NOTES.work_off()
        claim = Claim()
        note(self, session.context, partial(claim.destroy, destroy=_destroy))  # submitted commands are still executed
        commands = claim.create(lambda: ze.zeCommandListCreateImmediate(session.context, session.device, _ASYNCHRONOUS))
        assert isinstance(commands, ImmediateCommandList)
        self.commands = commands
        self.session = session

    def __repr__(self) -> str:
        return f"<Stream #{self.commands.id}{'' if self.is_open else ', closed'}>"

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self.synchronize()
        except BaseException:
            self._close(stops=True)
            raise
        self._close(stops=error is not None)

    @property
    def is_open(self) -> bool:
        """True if the stream takes commands."""
        return self.commands.alive and self.session.is_open

    @property
    def is_idle(self) -> bool:
        """True if everything is done."""
        return self.commands.stream.idle

    def synchronize(self, timeout: float | None = None) -> bool:
        """Waits at most `timeout` seconds until everything is done; returns whether it is. Raises `ZeError` for a
        fault.
        """
        return self._report(lambda: ze.zeCommandListHostSynchronize(self._list(), nanoseconds(timeout)) == _SUCCESS)

    def close(self) -> None:
        """Ends the stream: the command that is executing is finished, and those behind it are dropped."""
        self._close(stops=False)

    def _close(self, *, stops: bool) -> None:
        if self.is_open and self.commands.is_of_this_process:
            self.commands.stream.close(stops=stops)
            if self.commands.alive:  # another thread may close the stream, too
                ze.zeCommandListDestroy(self.commands)

    def copy(
        self,
        target: Buffer | NDArray[np.generic],
        source: Buffer | NDArray[np.generic],
        *,
        after: Sequence[Event] = (),
        signal: Event | None = None,
    ) -> None:
        """Copies an array: from or to the host, or between buffers.

        Raises:
            ValueError: The arrays differ in shape or type, or are not contiguous.
        """
        if target.shape != source.shape or target.dtype != source.dtype:
            raise ValueError(
                f"a copy of {source.dtype} elements of shape {source.shape} to {target.dtype} ones of {target.shape}"
            )
        to, origin, waits = self._operand(target), self._operand(source), _handles(after)
        self._append(
            lambda commands: ze.zeCommandListAppendMemoryCopy(
                commands, to, origin, source.nbytes, _handle(signal), waits
            ),
            (target, source, after, signal),
        )

    def fill(
        self,
        target: Buffer,
        value: complex | np.generic,
        *,
        after: Sequence[Event] = (),
        signal: Event | None = None,
    ) -> None:
        """Sets all elements of a buffer."""
        pattern = np.asarray(value).astype(target.dtype).tobytes()
        address, waits = target.view().address, _handles(after)
        self._append(
            lambda commands: ze.zeCommandListAppendMemoryFill(
                commands, address, pattern, len(pattern), target.nbytes, _handle(signal), waits
            ),
            (target, after, signal),
        )

    def wait(self, *events: Event) -> None:
        """Delays later commands until `events` are signaled."""
        waits = _handles(events)
        self._append(lambda commands: ze.zeCommandListAppendBarrier(commands, None, waits), events)

    def signal(self, event: Event) -> None:
        """Signals an event when all earlier commands are done."""
        self._append(lambda commands: ze.zeCommandListAppendSignalEvent(commands, event.handle), event)

    def reset(self, event: Event) -> None:
        """Resets an event when all earlier commands are done."""
        self._append(lambda commands: ze.zeCommandListAppendEventReset(commands, event.handle), event)

    def launch(self, launch: Launch, after: Sequence[Event], signal: Event | None, uses: object) -> Submission:
        """Executes a launch, which a kernel has prepared, keeps what it `uses` until it is done, and returns what
        `wait_for` waits for.
        """
        submissions: list[Submission] = []
        waits = _handles(after)
        self._append(
            lambda commands: submissions.append(commands.execute(launch, _handle(signal), waits, launch.may_use)),
            (uses, after, signal),
        )
        return submissions[0]

    def wait_for(self, submission: Submission, timeout: float | None) -> bool:
        """Waits at most `timeout` seconds until a submission is done; returns whether it is.

        Raises:
            ZeError: `DEVICE_LOST` if it was dropped after a fault, `INVALID_ARGUMENT` if the stream was closed.
        """
        return self._report(lambda: self.commands.stream.wait_for(submission, nanoseconds(timeout)))

    def _list(self) -> ImmediateCommandList:
        if not self.is_open:
            raise ValueError(f"{self!r} is used")
        return self.commands

    def _append(self, append: Callable[[ImmediateCommandList], None], uses: object) -> None:
        """Appends commands, which keep what they use until they are done."""
        NOTES.work_off()
        commands = self._list()
        try:
            keeping.set(uses)
            self._report(lambda: append(commands))
        finally:
            keeping.set(None)

    def _report(self, call: Callable[[], object]) -> bool:
        try:
            return bool(call())
        except ze.ZeError as error:
            self.session.recover_from(error)
            raise

    def _operand(self, array: Buffer | NDArray[np.generic]) -> Operand:
        if isinstance(array, Buffer):
            if array.session is not self.session:
                raise ValueError(f"{array!r} is of another device")
            return array.view().address
        if not array.flags.c_contiguous:
            raise ValueError("an array that is not contiguous")
        return array.reshape(-1).view(np.uint8)


def _handle(event: Event | None) -> ze.ze_event_handle_t | None:
    return None if event is None else event.handle


def _handles(events: Sequence[Event]) -> list[ze.ze_event_handle_t]:
    return [event.handle for event in events]
