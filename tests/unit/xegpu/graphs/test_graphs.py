"""Orders and dominators of random graphs, compared with their definitions."""

from itertools import product
from random import Random

import pytest

from xegpu.graphs import DominatorTree, predecessors_of, reverse_post_order

Graph = dict[int, list[int]]


def random_graph(random: Random) -> Graph:
    count = random.randint(1, 9)
    return {node: random.sample(range(count), random.randint(0, min(3, count))) for node in range(count)}


def reachable(graph: Graph, without: int | None = None) -> set[int]:
    seen: set[int] = set()
    pending = [0] if without != 0 else []
    while pending:
        node = pending.pop()
        if node not in seen and node != without:
            seen.add(node)
            pending += graph[node]
    return seen


@pytest.mark.parametrize("seed", range(100))
def test_dominators_are_on_every_path(seed: int) -> None:
    graph = random_graph(Random(seed))
    tree = DominatorTree(0, graph.__getitem__)
    assert set(tree.order) == reachable(graph)
    for above, below in product(tree.order, tree.order):
        assert tree.dominates(above, below) == (above == below or below not in reachable(graph, without=above))
    assert sorted(child for children in tree.children.values() for child in children) == sorted(set(tree.order) - {0})


@pytest.mark.parametrize("seed", range(100))
def test_edges_of_a_graph_without_cycles_point_forward(seed: int) -> None:
    graph = {node: [s for s in successors if s > node] for node, successors in random_graph(Random(seed)).items()}
    position = {node: number for number, node in enumerate(reverse_post_order(0, graph.__getitem__))}
    assert all(position[node] < position[s] for node in position for s in graph[node])


def test_the_first_successor_comes_first() -> None:
    assert reverse_post_order("a", {"a": "bc", "b": "d", "c": "d", "d": ""}.__getitem__) == ["a", "b", "c", "d"]


def test_predecessors() -> None:
    assert predecessors_of([0, 1, 2], [[1, 2], [2], [1]].__getitem__) == {0: [], 1: [0, 2], 2: [0, 1]}


def test_long_chains_do_not_recurse() -> None:
    tree = DominatorTree(0, lambda node: [node + 1] if node < 5000 else [])
    assert tree.order == list(range(5001)) and tree.dominates(1, 5000)
