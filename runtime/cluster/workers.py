"""Workers: this process, local processes, or those of a Dask cluster on any number of machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from typing import TypeVar

from runtime.cluster.errors import ClusterError
from xegpu.on_demand import missing_library
from xegpu.python_children import safe_path

T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S")


class Workers:
    """Does jobs at the same time. The results do not depend on how many workers there are, nor on their ends.

    The job of a worker that is killed is done again by another one; local ones are replaced. Functions and jobs are
    pickled, so that functions are those of modules that workers can import.

        with Workers(count=4) as workers:
            for number, result in workers.map(compile_one, texts):
                ...

    Args:
        scheduler: The address of a Dask scheduler, such as `tcp://node1:8786`. Whoever can reach it runs code in its
            workers, and functions that come back from it run here.
        count: Local processes, which nobody else can send jobs to: they speak TLS with keys of their own; by default
            this process does all jobs itself.

    Raises:
        ClusterError: Dask is not installed (`pip install 'xegpu-toolkit[cluster]'`), or nobody answers.
    """

    def __init__(self, scheduler: str | None = None, count: int | None = None) -> None:
        self._cluster = self._client = None
        self._held = ExitStack()
        self.count = 1
        if scheduler is None and count is None:
            return
        missing = missing_library("distributed", "cluster")
        if missing is not None:
            raise ClusterError(f"workers need {missing}")
        distributed = import_module("distributed")
        try:
            if scheduler is not None:
                distributed.comm.get_address_host_port(scheduler)  # a client of no address would never end
            else:
                self._held.enter_context(safe_path())  # to the end: workers that were killed are replaced
                self._cluster = distributed.LocalCluster(
                    n_workers=count,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    silence_logs=50,
                    security=distributed.Security.temporary(),
                )
            self._client = distributed.Client(scheduler or self._cluster, timeout="10s", set_as_default=False)
        except ImportError as error:  # Dask does not depend on what makes its keys
            self.close()
            raise ClusterError(f"local workers need keys: pip install cryptography ({error})") from None
        except (NotImplementedError, OSError, RuntimeError, ValueError) as error:  # a time-out is an OSError
            self.close()
            what = "local workers do not start" if scheduler is None else f"no scheduler answers at '{scheduler}'"
            raise ClusterError(f"{what}: {error}") from None
        self.count = max(1, len(self._client.scheduler_info(n_workers=-1)["workers"]))

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leaves the cluster; local processes end."""
        for part in (self._client, self._cluster):
            if part is not None:
                part.close()
        self._client = self._cluster = None
        self._held.close()

    def map(self, function: Callable[[T], R], jobs: Sequence[T]) -> Iterator[tuple[int, R]]:
        """Yields the number and the result of each job, as they become known. Raises what a job raises."""
        if self._client is None:
            yield from enumerate(map(function, jobs))
            return
        futures = [self._client.submit(function, job, pure=False) for job in jobs]
        yield from self._results(self._client.loop, futures)

    def map_with(self, shared: S, function: Callable[[S, T], R], jobs: Sequence[T]) -> Iterator[tuple[int, R]]:
        """Does what `map` does, for a function that also takes what all jobs share, which each worker gets once."""
        if self._client is None:
            yield from enumerate(map(partial(function, shared), jobs))
            return
        # The result of a task, unlike scattered data, comes back when the workers that have it are gone.
        kept = self._client.submit(_same, shared, pure=False)
        futures = [self._client.submit(function, kept, job, pure=False) for job in jobs]
        yield from self._results(self._client.loop, futures)

    def _results(self, loop: object, futures: Sequence[object]) -> Iterator[tuple[int, R]]:
        distributed = import_module("distributed")
        numbers = {future: number for number, future in enumerate(futures)}
        try:
            for future, result in distributed.as_completed(futures, loop=loop, with_results=True):
                yield numbers[future], result
        except distributed.KilledWorker as error:
            raise ClusterError(f"a job ends each worker that does it: {error}") from None


def _same(value: T) -> T:
    return value
