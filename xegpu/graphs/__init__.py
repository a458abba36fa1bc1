"""Directed graphs, given as a function from a node to its successors: traversal orders and dominators.

Blocks of MLIR regions and basic blocks of ISA programs share these algorithms. The package depends on no other one.
"""

from xegpu.graphs.dominators import DominatorTree as DominatorTree
from xegpu.graphs.order import predecessors_of as predecessors_of, reverse_post_order as reverse_post_order
