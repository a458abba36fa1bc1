"""Attributes of the llvm dialect that are kept as they are written, which xDSL lacks.

https://mlir.llvm.org/docs/Dialects/LLVM/
"""

from __future__ import annotations

from xdsl.irdl import irdl_attr_definition

from xegpu.mlir import OpaqueTextAttr

_NAMES = (
    *("access_group", "address_space", "alias_scope", "alias_scope_domain", "comdat", "constant_range", "data_layout"),
    *("denormal_fpenv", "dependent_libraries", "loop_annotation", "loop_distribute"),
    *("loop_interleave", "loop_licm", "loop_peeled", "loop_pipeline", "loop_unroll", "loop_unroll_and_jam"),
    *("loop_unswitch", "loop_vectorize", "memory_effects", "mlir.module_flag", "mmra_tag", "poison"),
    *("tbaa_member", "tbaa_root", "tbaa_tag", "tbaa_type_desc", "undef", "uwtableKind", "vec_type_hint"),
    *("vscale_range", "zero", "di_annotation", "di_basic_type", "di_common_block", "di_compile_unit"),
    *("di_composite_type", "di_derived_type", "di_expression", "di_expression_elem", "di_file"),
    *("di_generic_subrange", "di_global_variable", "di_global_variable_expression", "di_imported_entity", "di_label"),
    *("di_lexical_block", "di_lexical_block_file", "di_local_variable", "di_module", "di_namespace", "di_null_type"),
    *("di_string_type", "di_subprogram", "di_subrange", "di_subroutine_type"),
)


def _kept(name: str) -> type[OpaqueTextAttr]:
    members = {
        "name": f"llvm.{name}",
        "__module__": __name__,
        "__doc__": f"`#llvm.{name}<...>`: kept as it is written.",
    }
    title = name.replace(".", "_").title().replace("_", "")
    return irdl_attr_definition(type(f"{title}Attr", (OpaqueTextAttr,), members))


KEPT = tuple(map(_kept, _NAMES))
