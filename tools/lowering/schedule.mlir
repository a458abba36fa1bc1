// The schedule of `--lower-with mlir-opt`: structured operations become tiles of one subgroup each, and tiles become vectors.
// Where sizes are no multiples of tiles, or unknown, masks keep vectors inside of their buffers.
module attributes {transform.with_named_sequence} {
  // Products: all loops but the last are parallel.
  transform.named_sequence @product(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%candidate: !transform.any_op):
      %rank = transform.match.structured.rank %candidate : (!transform.any_op) -> !transform.param<i64>
      %wanted = transform.param.constant 3 : i64 -> !transform.param<i64>
      transform.match.param.cmpi eq %rank, %wanted : !transform.param<i64>
      transform.match.structured.dim %candidate[-1] {reduction} : !transform.any_op
      transform.match.structured.dim %candidate[except(-1)] {parallel} : !transform.any_op
      transform.match.structured.yield
    }
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @batch_product(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%candidate: !transform.any_op):
      %rank = transform.match.structured.rank %candidate : (!transform.any_op) -> !transform.param<i64>
      %wanted = transform.param.constant 4 : i64 -> !transform.param<i64>
      transform.match.param.cmpi eq %rank, %wanted : !transform.param<i64>
      transform.match.structured.dim %candidate[-1] {reduction} : !transform.any_op
      transform.match.structured.dim %candidate[except(-1)] {parallel} : !transform.any_op
      transform.match.structured.yield
    }
    transform.yield %op : !transform.any_op
  }

  // Operations on each element, by their numbers of dimensions.
  transform.named_sequence @line(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%candidate: !transform.any_op):
      %rank = transform.match.structured.rank %candidate : (!transform.any_op) -> !transform.param<i64>
      %wanted = transform.param.constant 1 : i64 -> !transform.param<i64>
      transform.match.param.cmpi eq %rank, %wanted : !transform.param<i64>
      transform.match.structured.dim %candidate[all] {parallel} : !transform.any_op
      transform.match.structured.yield
    }
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @plane(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%candidate: !transform.any_op):
      %rank = transform.match.structured.rank %candidate : (!transform.any_op) -> !transform.param<i64>
      %wanted = transform.param.constant 2 : i64 -> !transform.param<i64>
      transform.match.param.cmpi eq %rank, %wanted : !transform.param<i64>
      transform.match.structured.dim %candidate[all] {parallel} : !transform.any_op
      transform.match.structured.yield
    }
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @box(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%candidate: !transform.any_op):
      %rank = transform.match.structured.rank %candidate : (!transform.any_op) -> !transform.param<i64>
      %wanted = transform.param.constant 3 : i64 -> !transform.param<i64>
      transform.match.param.cmpi eq %rank, %wanted : !transform.param<i64>
      transform.match.structured.dim %candidate[all] {parallel} : !transform.any_op
      transform.match.structured.yield
    }
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @stack(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%candidate: !transform.any_op):
      %rank = transform.match.structured.rank %candidate : (!transform.any_op) -> !transform.param<i64>
      %wanted = transform.param.constant 4 : i64 -> !transform.param<i64>
      transform.match.param.cmpi eq %rank, %wanted : !transform.param<i64>
      transform.match.structured.dim %candidate[all] {parallel} : !transform.any_op
      transform.match.structured.yield
    }
    transform.yield %op : !transform.any_op
  }

  // Tiles of products, in steps along the sum.
  transform.named_sequence @tile_product(%op: !transform.any_op {transform.consumed}) -> !transform.any_op {
    %tile, %tiles = transform.structured.tile_using_forall %op tile_sizes [16, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %step, %steps = transform.structured.tile_using_for %tile tile_sizes [0, 0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %step vector_sizes [16, 32, 32] {create_named_contraction} : !transform.any_op
    transform.yield %tiles : !transform.any_op
  }
  transform.named_sequence @tile_batch_product(%op: !transform.any_op {transform.consumed}) -> !transform.any_op {
    %tile, %tiles = transform.structured.tile_using_forall %op tile_sizes [1, 16, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %step, %steps = transform.structured.tile_using_for %tile tile_sizes [0, 0, 0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %step vector_sizes [1, 16, 32, 32] {create_named_contraction} : !transform.any_op
    transform.yield %tiles : !transform.any_op
  }

  transform.named_sequence @distribute(%root: !transform.any_op {transform.readonly}) {
    %products = transform.collect_matching @product in %root : (!transform.any_op) -> !transform.any_op
    %batches = transform.collect_matching @batch_product in %root : (!transform.any_op) -> !transform.any_op
    %lines = transform.collect_matching @line in %root : (!transform.any_op) -> !transform.any_op
    %planes = transform.collect_matching @plane in %root : (!transform.any_op) -> !transform.any_op
    %boxes = transform.collect_matching @box in %root : (!transform.any_op) -> !transform.any_op
    %stacks = transform.collect_matching @stack in %root : (!transform.any_op) -> !transform.any_op

    transform.foreach %products : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %tiles = transform.include @tile_product failures(propagate) (%op) : (!transform.any_op) -> !transform.any_op
    }
    transform.foreach %batches : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %tiles = transform.include @tile_batch_product failures(propagate) (%op) : (!transform.any_op) -> !transform.any_op
    }
    transform.foreach %lines : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %tile, %tiles = transform.structured.tile_using_forall %op tile_sizes [256] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.structured.vectorize %tile vector_sizes [256] : !transform.any_op
    }
    transform.foreach %planes : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %tile, %tiles = transform.structured.tile_using_forall %op tile_sizes [16, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.structured.vectorize %tile vector_sizes [16, 32] : !transform.any_op
    }
    transform.foreach %boxes : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %tile, %tiles = transform.structured.tile_using_forall %op tile_sizes [1, 16, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.structured.vectorize %tile vector_sizes [1, 16, 32] : !transform.any_op
    }
    transform.foreach %stacks : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %tile, %tiles = transform.structured.tile_using_forall %op tile_sizes [1, 1, 16, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.structured.vectorize %tile vector_sizes [1, 1, 16, 32] : !transform.any_op
    }

    // Sums of products become contractions, whose operands are as small as what is read.
    transform.apply_patterns to %root {
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.transfer_permutation_patterns
    } : !transform.any_op
    transform.apply_patterns to %root {
      transform.apply_patterns.canonicalization
      transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.vector.fold_arith_extension
      transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.vector.cast_away_vector_leading_one_dim
    } : !transform.any_op
    transform.apply_cse to %root : !transform.any_op

    // The sums of a tile stay in registers.
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %functions : !transform.any_op {
    ^bb0(%function: !transform.any_op):
      %hoisted = transform.structured.hoist_redundant_vector_transfers %function : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }

  // Matrix instructions multiply elements of at most 16 bits: other products become sums of outer products.
  transform.named_sequence @wide_product(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["vector.contract"] : !transform.any_op
    %factor = transform.get_operand %op[0] : (!transform.any_op) -> !transform.any_value
    %bits = transform.match.structured.elemental_bitwidth %factor : (!transform.any_value) -> !transform.param<i64>
    %most = transform.param.constant 16 : i64 -> !transform.param<i64>
    transform.match.param.cmpi gt %bits, %most : !transform.param<i64>
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @multiply(%root: !transform.any_op {transform.readonly}) {
    %products = transform.collect_matching @wide_product in %root : (!transform.any_op) -> !transform.any_op
    %kernels = transform.get_parent_op %products {op_name = "gpu.func", deduplicate, allow_empty_results} : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %kernels {
      transform.apply_patterns.vector.lower_contraction lowering_strategy = outerproduct
    } : !transform.any_op
    transform.yield
  }
}
