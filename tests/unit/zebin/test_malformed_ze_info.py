"""Every rule of `.ze_info`: break it, and it is named, at the line that breaks it."""

from __future__ import annotations

import pytest

from tests.unit.zebin.support import CODE, container, expect, findings
from zebin import FindingSeverity, ZebinError, read
from zebin.elf.constants import NoteType, SectionFlags, SectionType, SymbolBinding, SymbolType
from zebin.elf.model import Section, Symbol
from zebin.elf.notes import Note, write_notes
from zebin.rules import parse_ze_info
from zebin.ze_info import write_ze_info

ERROR, WARNING, INFO = FindingSeverity.ERROR, FindingSeverity.WARNING, FindingSeverity.INFO

FULL = """---
version: '1.61'
kernels:
  - name: k
    user_attributes:
      intel_reqd_sub_group_size: 16
      reqd_work_group_size: [ 16, 4, 2 ]
    execution_env:
      grf_count: 128
      has_stack_calls: true
      has_multi_scratch_spaces: true
      inline_data_payload_size: 32
      offset_to_skip_per_thread_data_load: 16
      required_work_group_size: [ 16, 4, 2 ]
      simd_size: 16
      slm_size: 1024
      barrier_count: 1
      work_group_walk_order_dimensions: [ 0, 1, 2 ]
      thread_scheduling_mode: round_robin
    payload_arguments:
      - arg_type: local_size
        offset: 0
        size: 12
      - arg_type: work_dimensions
        offset: 12
        size: 4
      - arg_type: arg_bypointer
        offset: 0
        size: 0
        arg_index: 0
        addrmode: stateful
        addrspace: global
        access_type: readonly
      - arg_type: arg_bypointer
        offset: 32
        size: 8
        arg_index: 0
        addrmode: stateless
        addrspace: global
        access_type: readonly
      - arg_type: arg_byvalue
        offset: 40
        size: 4
        arg_index: 1
        source_offset: 0
      - arg_type: arg_byvalue
        offset: 44
        size: 4
        arg_index: 1
        source_offset: 4
      - arg_type: arg_bypointer
        offset: 48
        size: 8
        arg_index: 2
        addrmode: slm
        addrspace: local
        access_type: readwrite
        slm_alignment: 16
      - arg_type: arg_bypointer
        offset: 0
        size: 0
        arg_index: 3
        addrmode: stateful
        addrspace: image
        access_type: writeonly
        image_type: image_2d
      - arg_type: arg_bypointer
        offset: 0
        size: 0
        arg_index: 4
        addrmode: stateful
        addrspace: sampler
        access_type: readwrite
        sampler_index: 0
        sampler_type: texture
      - arg_type: private_base_stateless
        offset: 56
        size: 8
    per_thread_payload_arguments:
      - arg_type: local_id
        offset: 0
        size: 192
    binding_table_indices:
      - bti_value: 0
        arg_index: 0
      - bti_value: 1
        arg_index: 3
    per_thread_memory_buffers:
      - type: global
        usage: private_space
        size: 4096
        is_simt_thread: true
      - type: scratch
        usage: spill_fill_space
        size: 65536
      - type: scratch
        usage: private_space
        size: 1024
        slot: 1
    inline_samplers:
      - sampler_index: 1
        addrmode: repeat
        filtermode: linear
        normalized: true
    experimental_properties:
      has_non_kernel_arg_load: 1
    debug_env:
      sip_surface_bti: 0
functions:
  - name: helper
    execution_env:
      grf_count: 128
      simd_size: 16
global_host_access_table:
  - device_name: counter
    host_name: host_counter
kernels_misc_info:
  - name: k
    args_info:
      - index: 0
        name: a
        address_qualifier: __global
        access_qualifier: NONE
        type_name: 'float*;8'
        type_qualifiers: const
kernels_cost_info:
  - name: k
    kcm_args_sym:
      - argNo: 0
        byteOffset: 0
        sizeInBytes: 4
        isInDirect: false
    kcm_loop_count_exps:
      - factor: 0.5
        argsym_index: 0
        C: 1
    Kcm_loop_costs:
      - cycle: 10
        bytes_loaded: 64
        bytes_stored: 0
        num_loops: 0
...
"""


def file_of(ze_info: str | bytes) -> bytes:
    """A container in which everything that FULL names exists."""
    data = Section(".data.global", SectionType.PROGBITS, SectionFlags.ALLOC, bytes(16))
    symbols = [
        Symbol(""),
        Symbol("k", type=SymbolType.FUNC, section_index=1, size=16),
        Symbol("helper", SymbolBinding.GLOBAL, SymbolType.FUNC, 1, 0, 16),
        Symbol("counter", SymbolBinding.GLOBAL, SymbolType.OBJECT, 2, 0, 4),
    ]
    return container(ze_info, texts={"k": CODE + bytes(176)}, extra=[data], symbols=symbols)


def changed(old: str, new: str) -> str:
    assert FULL.count(old) >= 1, old
    return FULL.replace(old, new, 1)


def test_the_text_that_is_damaged_below_is_sound() -> None:
    assert findings(file_of(FULL), strict=True) == []


ENV = "      grf_count: 128\n      has_stack"
FIRST_VALUE = "        offset: 40\n        size: 4\n        arg_index: 1\n"
POINTER = "        offset: 32\n        size: 8\n        arg_index: 0\n"
SLM = "        addrmode: slm\n        addrspace: local\n"
LOCAL_ID = "      - arg_type: local_id\n        offset: 0\n        size: 192\n"
SCRATCH = "      - type: scratch\n        usage: spill_fill_space\n        size: 65536\n"
GLOBAL = "      - type: global\n        usage: private_space\n        size: 4096\n"
SAMPLER = "      - sampler_index: 1\n        addrmode: repeat\n"
NAME = "  - name: k\n    user"
GROUP_SIZE = "      required_work_group_size: [ 16, 4, 2 ]"
WORK = "      - arg_type: work_dimensions\n"
INLINE_SAMPLER = """      - arg_type: inline_sampler
        offset: 64
        size: 8
        addrmode: bindless
        addrspace: sampler
        sampler_index: {}
"""
BASE = """      - arg_type: const_base
        offset: 64
        size: 8
        addrmode: stateless
        bti_value: 3
      - arg_type: arg_bypointer
        offset: 72
        size: 8
        arg_index: 3
        addrmode: bindless
        addrspace: global
        access_type: readonly
"""
COUNT = "        argsym_index: 0\n"
PRIVATE = "      - arg_type: private_base_stateless\n        offset: 56\n        size: 8\n"
PRINTF = "      - arg_type: printf_buffer\n        offset: 64\n        size: 8\n"
STATELESS = "        addrmode: stateless\n        addrspace: global\n"
IMAGE_WIDTH = "      - arg_type: image_width\n        offset: 64\n        size: 4\n        arg_index: 0\n"
SECOND_SCRATCH = "      - type: scratch\n        usage: private_space\n        size: 1024\n        slot: 1\n"
USER = "    user_attributes:\n"
SURFACE = "      sip_surface_bti: 0\n"
ARG_INFO = FULL[FULL.index("      - index: 0\n        name: a") : FULL.index("kernels_cost_info")]

FAULTS: list[tuple[str, str, FindingSeverity, str]] = [
    (ENV, f"      zzz: (    192\n{ENV}", ERROR, "yaml.syntax"),
    ("version: '1.61'\n", "", WARNING, "version.missing"),
    ("'1.61'", "'2.0'", ERROR, "version.major"),
    ("'1.61'", "'1.199'", WARNING, "version.newer"),
    ("'1.61'", "1.61", INFO, "version.unquoted"),
    ("'1.61'", "'1.20'", WARNING, "version.mismatch"),
    *[("'1.61'", form, ERROR, "version.format") for form in ("120", "1.", ".5", "''", "a.b", "1.-3", "[ 1, 61 ]")],
    ("functions:", "version: '1.61'\nfunctions:", ERROR, "key.duplicate"),
    ("functions:\n", "kernels:\nfunctions:\n", ERROR, "key.duplicate"),
    ("kernels:\n", "kernelz:\n", ERROR, "key.missing"),
    ("functions:\n", "functions: 3\nfunctionz:\n", ERROR, "type.list"),
    ("functions:\n", "functions:\nfunctionz:\n", ERROR, "type.list"),
    ("    execution_env:\n", "    execution_env: 3\n    execution_enw:\n", ERROR, "type.map"),
    ("    execution_env:\n", "    execution_env: [ 1, 2 ]\n    execution_enw:\n", ERROR, "type.map"),
    (NAME, "  - nome: k\n    user", ERROR, "key.missing"),
    ("    execution_env:\n", "    execution_enw:\n", ERROR, "key.missing"),
    (NAME, "  - name: k\n    name: l\n    user", ERROR, "key.duplicate"),
    (NAME, "  - name: ''\n    user", ERROR, "kernel.name"),
    (NAME, "  - name:\n    user", ERROR, "kernel.name"),
    (NAME, f"  - name: {'k' * 65536}\n    user", ERROR, "kernel.name"),
    (NAME, '  - name: "k\\0"\n    user', ERROR, "kernel.name"),
    (NAME, '  - name: "k\\nl"\n    user', ERROR, "kernel.name"),
    (NAME, "  - name: 'a/b'\n    user", ERROR, "kernel.name"),
    (NAME, "  - name: my_kernels_misc_info\n    user", ERROR, "kernel.name-reserved"),
    (NAME, "  - name: other\n    user", ERROR, "kernel.no-text"),
    (NAME, "  - name: [ k ]\n    user", ERROR, "type.str"),
    ("      simd_size: 16\n", "", ERROR, "key.missing"),
    *[("simd_size: 16", f"simd_size: {n}", ERROR, "enum.simd") for n in (7, 4, -32, 0)],
    (ENV, "      has_stack", ERROR, "key.missing"),
    *[(ENV, ENV.replace("128", n), ERROR, "value.grf") for n in ("0", "7", "100000")],
    *[("slm_size: 1024", f"slm_size: {n}", ERROR, "type.int") for n in ("abc", "'32'", "true", "32.0", "1_0")],
    ("slm_size: 1024", "slm_size: 1e1", ERROR, "type.int"),
    ("slm_size: 1024", "slm_size:", ERROR, "type.int"),
    ("slm_size: 1024", "slm_size: 0x20", WARNING, "type.int"),
    ("slm_size: 1024", "slm_size: 4294967328", ERROR, "range.int32"),
    ("slm_size: 1024", f"slm_size: {10**23}", ERROR, "range.int32"),
    ("slm_size: 1024", f"slm_size: {'9' * 100000}", ERROR, "range.int32"),
    ("slm_size: 1024", "slm_size: 1024\n      slm_size: 2048", ERROR, "key.duplicate"),
    *[("has_stack_calls: true", f"has_stack_calls: {w}", ERROR, "type.bool") for w in ("1", "'true'", "maybe", "")],
    *[("has_stack_calls: true", f"has_stack_calls: {w}", WARNING, "type.bool-form") for w in ("yes", "TRUE", "y")],
    ("      has_stack_calls: true\n", "      has_stack_callz: true\n", WARNING, "key.unknown"),
    ("    debug_env:\n", "    debug_environment:\n", WARNING, "key.unknown"),
    ("intel_reqd_sub_group_size: 16", "intel_sub_group_size: 16", ERROR, "key.unknown"),
    ("intel_reqd_sub_group_size: 16", "my_size_hint: 16", WARNING, "key.unknown"),
    ("        type_qualifiers: const", "        type_qualifiers: const\n        more: 1", WARNING, "key.unknown"),
    ("arg_type: local_size", "arg_type: locol_size", ERROR, "enum.unknown"),
    ("addrmode: stateless", "addrmode: stateles", ERROR, "enum.unknown"),
    ("addrspace: image", "addrspace: picture", ERROR, "enum.unknown"),
    ("access_type: readonly", "access_type: read", ERROR, "enum.unknown"),
    ("image_type: image_2d", "image_type: image_4d", ERROR, "enum.unknown"),
    ("usage: private_space", "usage: public_space", ERROR, "enum.unknown"),
    ("filtermode: linear", "filtermode: cubic", ERROR, "enum.unknown"),
    ("addrmode: repeat", "addrmode: stateless", ERROR, "enum.unknown"),
    ("thread_scheduling_mode: round_robin", "thread_scheduling_mode: [ 1 ]", ERROR, "type.str"),
    ("      - arg_type: local_size\n        offset: 0\n", "      - offset: 0\n", ERROR, "key.missing"),
    (POINTER, POINTER.replace("        offset: 32\n", ""), ERROR, "key.missing"),
    (POINTER, POINTER.replace("        size: 8\n", ""), ERROR, "key.missing"),
    (POINTER, POINTER.replace("        arg_index: 0\n", ""), ERROR, "arg.index"),
    *[(POINTER, POINTER.replace("arg_index: 0", f"arg_index: {n}"), ERROR, "arg.index") for n in (-1, -7)],
    (POINTER, POINTER.replace("arg_index: 0", "arg_index: 2000000"), ERROR, "arg.index-range"),
    (PRIVATE, PRIVATE + "        arg_index: 2147483647\n", ERROR, "arg.index-range"),
    ("arg_index: 4\n", "arg_index: 5\n", WARNING, "arg.index-range"),
    (POINTER, POINTER.replace("32", "-32"), ERROR, "arg.range"),
    (POINTER, POINTER.replace("size: 8", "size: -8"), ERROR, "arg.range"),
    (POINTER, POINTER.replace("32", "70000"), ERROR, "arg.range"),
    (POINTER, POINTER.replace("32", "2147483647"), ERROR, "arg.range"),
    (POINTER, POINTER.replace("32", "65530"), ERROR, "arg.range"),
    (POINTER, POINTER.replace("32", "65500"), ERROR, "arg.range"),
    (FIRST_VALUE, FIRST_VALUE.replace("40", "36"), WARNING, "arg.overlap"),
    *[("slm_alignment: 16", f"slm_alignment: {n}", ERROR, "value.range") for n in (256, -4)],
    ("slm_alignment: 16", "slm_alignment: 3", WARNING, "value.range"),
    *[("arg_type: local_size", f"arg_type: {word}", ERROR, "arg.type") for word in ("local_id", "packed_local_ids")],
    *[(PRIVATE, PRIVATE.replace("size: 8", f"size: {n}"), ERROR, "arg.slot-size") for n in (2, 3, 16, 33)],
    *[(PRIVATE, PRIVATE + PRINTF.replace("size: 8", f"size: {n}"), ERROR, "arg.slot-size") for n in (2, 3, 16, 33)],
    (POINTER + STATELESS + "        access_type: readonly\n", POINTER + STATELESS, ERROR, "arg.access"),
    (
        POINTER + STATELESS + "        access_type: readonly\n",
        POINTER + STATELESS.replace("stateless", "bindless"),
        ERROR,
        "arg.access",
    ),
    (FIRST_VALUE, FIRST_VALUE.replace("size: 4", "size: 0"), WARNING, "arg.slot-size"),
    (FIRST_VALUE + "        source_offset: 0", FIRST_VALUE + "        source_offset: -7", ERROR, "value.range"),
    (WORK, IMAGE_WIDTH + WORK, ERROR, "arg.combination"),
    ("        sampler_index: 0\n", "        sampler_index: 4095\n", ERROR, "value.range"),
    (SAMPLER, SAMPLER.replace("1", "65504"), ERROR, "sampler.index"),
    *[
        ("slm_size: 1024", f"slm_size: 1024\n      {key}: {n}", ERROR, "value.range")
        for key, n in (
            ("private_size", -1),
            ("spill_size", -1),
            ("eu_thread_count", -1),
            ("eu_thread_count", 99),
            ("indirect_stateless_count", -1),
            ("required_sub_group_size", 7),
        )
    ],
    ("slm_size: 1024", "slm_size: 1024\n      eu_thread_count: 4", WARNING, "value.threads"),
    ("slm_size: 1024", "slm_size: 1024\n      required_sub_group_size: 32", WARNING, "attr.mismatch"),
    ("slm_size: 1024", "slm_size: 1024\n      spill_size: 65537", WARNING, "attr.mismatch"),
    ("slm_size: 1024", "slm_size: 1024\n      private_size: 65537", WARNING, "attr.mismatch"),
    (SECOND_SCRATCH, "", WARNING, "attr.mismatch"),
    *[
        (USER, USER + f"      {key}: {value}\n", severity, code)
        for key, value, severity, code in (
            ("intel_reqd_thread_group_dispatch_size", -1, ERROR, "value.range"),
            ("work_group_size_hint", [1, -1, 1], ERROR, "list.negative"),
            ("vec_type_hint", "a/b", ERROR, "yaml.syntax"),
            ("vec_type_hint", "9a", ERROR, "yaml.syntax"),
            ("intel_reqd_workgroup_walk_order", [7, 7, 7], ERROR, "value.walk-order"),
            ("intel_reqd_workgroup_walk_order", [2, 1, 0], WARNING, "attr.mismatch"),
        )
    ],
    ("intel_reqd_sub_group_size: 16", "intel_reqd_sub_group_size: 7", ERROR, "value.range"),
    ("has_non_kernel_arg_load: 1", "has_non_kernel_arg_load: 7", WARNING, "value.range"),
    *[(SURFACE, SURFACE.replace("0", n, 1), WARNING, "value.range") for n in ("-9", "700")],
    (POINTER, POINTER.replace("size: 8", "size: 4"), WARNING, "arg.size"),
    (POINTER, POINTER.replace("32", "36"), WARNING, "arg.size"),
    ("size: 12", "size: 10", ERROR, "arg.slot-size"),
    ("size: 12", "size: 16", ERROR, "arg.slot-size"),
    ("        offset: 12\n        size: 4", "        offset: 16\n        size: 8",
     ERROR, "arg.slot-size"),
    ("        addrmode: stateless\n", "", ERROR, "arg.addrmode"),
    ("addrmode: stateful\n        addrspace: image", "addrmode: stateless\n        addrspace: image",
     ERROR, "arg.addrmode"),
    (SLM, SLM.replace("local", "global"), ERROR, "arg.combination"),
    ("        sampler_index: 0\n", "", ERROR, "arg.combination"),
    (FIRST_VALUE, FIRST_VALUE.replace("arg_index: 1", "arg_index: 0"), ERROR, "arg.combination"),
    ("        source_offset: 4\n", "", ERROR, "arg.source"),
    (SLM, "        addrmode: bindless\n        addrspace: global\n", WARNING, "arg.mix"),
    *[(LOCAL_ID, LOCAL_ID.replace("192", n), ERROR, "ptp.local-id") for n in ("60", "256", "100")],
    (LOCAL_ID, LOCAL_ID.replace("offset: 0", "offset: 16"), ERROR, "ptp.local-id"),
    (LOCAL_ID, LOCAL_ID.replace("local_id", "packed_local_ids"), ERROR, "ptp.local-id"),
    (LOCAL_ID, LOCAL_ID.replace("192", "0"), WARNING, "ptp.empty"),
    (LOCAL_ID, LOCAL_ID.replace("local_id", "global_size"), ERROR, "ptp.type"),
    ("bti_value: 1\n        arg_index: 3", "bti_value: 1\n        arg_index: 1", ERROR, "bti.arg"),
    ("bti_value: 1\n        arg_index: 3", "bti_value: 1\n        arg_index: 9", ERROR, "bti.arg"),
    ("bti_value: 1\n", "bti_value: -5\n", ERROR, "bti.range"),
    ("bti_value: 1\n", "bti_value: 300\n", ERROR, "bti.range"),
    ("bti_value: 1\n", "bti_value: 0\n", ERROR, "bti.duplicate"),
    ("bti_value: 1\n        arg_index: 3", "bti_value: 1\n        arg_index: 0", ERROR,
     "bti.duplicate"),
    ("      - bti_value: 1\n        arg_index: 3\n", "", WARNING, "bti.missing"),
    *[(SCRATCH, SCRATCH.replace("65536", n), ERROR, "mem.size") for n in ("0", "-1", "2147483647")],
    (GLOBAL, GLOBAL.replace("4096", "2147483646"), ERROR, "mem.size"),
    ("slot: 1", "slot: 2", ERROR, "mem.slot"),
    ("slot: 1", "slot: 0", ERROR, "mem.slot"),
    (SCRATCH, SCRATCH.replace("scratch", "slm"), ERROR, "mem.type"),
    (GLOBAL, GLOBAL.replace("private_space", "spill_fill_space"), ERROR, "mem.usage"),
    (SCRATCH, SCRATCH.replace("65536", "33554432"), ERROR, "mem.limit"),
    ("arg_type: private_base_stateless", "arg_type: printf_buffer", ERROR, "mem.base"),
    (GLOBAL + "        is_simt_thread: true\n", "", INFO, "mem.base"),
    (SAMPLER, SAMPLER.replace("1", "-1"), ERROR, "sampler.index"),
    (SAMPLER, "      - addrmode: repeat\n", ERROR, "key.missing"),
    (SAMPLER, "      - sampler_index: 1\n", ERROR, "key.missing"),
    (SAMPLER, SAMPLER + "        filtermode: linear\n" + SAMPLER, ERROR, "sampler.duplicate"),
    (GROUP_SIZE, GROUP_SIZE.replace(", 2 ]", " ]"), ERROR, "list.length"),
    (GROUP_SIZE, GROUP_SIZE.replace(", 2 ]", ", 2, 1 ]"), ERROR, "list.length"),
    (GROUP_SIZE, GROUP_SIZE.replace("[ 16, 4, 2 ]", "16"), ERROR, "type.list"),
    (GROUP_SIZE, GROUP_SIZE.replace("4, 2", "-4, 2"), ERROR, "value.group-size"),
    (GROUP_SIZE, GROUP_SIZE.replace("4, 2", "0, 2"), ERROR, "value.group-size"),
    (GROUP_SIZE, GROUP_SIZE.replace("4, 2", "64, 2"), ERROR, "value.group-size"),
    ("      reqd_work_group_size: [ 16, 4, 2 ]", "      reqd_work_group_size: [ 0, 4, 2 ]", ERROR, "value.group-size"),
    (GROUP_SIZE, GROUP_SIZE.replace("4, 2", "4, 1"), WARNING, "attr.mismatch"),
    ("intel_reqd_sub_group_size: 16", "intel_reqd_sub_group_size: 32", WARNING, "attr.mismatch"),
    *[("[ 0, 1, 2 ]", order, ERROR, "value.walk-order") for order in ("[ 0, 0, 2 ]", "[ 3, 1, 0 ]", "[ -1, 0, 1 ]")],
    *[("[ 0, 1, 2 ]", order, WARNING, "value.walk-order") for order in ("[ 1, 2, 0 ]", "[ 0, 2, 1 ]", "[ 2, 0, 1 ]")],
    *[("slm_size: 1024", f"slm_size: {n}", ERROR, "value.slm") for n in (-1, 200000)],
    *[("slm_size: 1024", f"slm_size: 1024\n      slm_alloc_mode: {n}", ERROR, "value.slm-mode") for n in (2, -1)],
    ("functions:\n", "l1_cache_policy: fast\nfunctions:\n", ERROR, "enum.unknown"),
    ("functions:\n", "l1_cache_policy: wb\nl1_cache_policy: wb\nfunctions:\n", ERROR, "key.duplicate"),
    *[(WORK, f"      - arg_type: {kind}\n        offset: 28\n        size: 8\n{WORK}", ERROR, "arg.inline")
      for kind in ("scratch_pointer", "indirect_data_pointer")],
    *[(WORK, INLINE_SAMPLER.format(n) + WORK, ERROR, "arg.sampler") for n in (-1, 2)],
    (WORK, BASE + WORK, WARNING, "arg.mix"),
    *[("barrier_count: 1", f"barrier_count: {n}", ERROR, "value.barrier") for n in (3, -1, 33)],
    *[("payload_size: 32", f"payload_size: {n}", ERROR, "value.inline") for n in (4096, 24, -1)],
    *[("data_load: 16", f"data_load: {n}", ERROR, "value.skip") for n in (-16, 100000)],
    ("data_load: 16", "data_load: 3", WARNING, "value.skip"),
    ("has_stack_calls: true", "has_stack_calls: true\n      require_iab: false", ERROR, "attr.conflict"),
    ("kernels_misc_info:\n  - name: k\n", "kernels_misc_info:\n  - name: l\n", ERROR, "misc.kernel"),
    ("      - index: 0\n        name: a\n", "      - name: a\n", ERROR, "key.missing"),
    ("index: 0\n        name", "index: 9\n        name", ERROR, "misc.index"),
    ("'float*;8'", "''", ERROR, "misc.type"),
    *[("'float*;8'", name, WARNING, "misc.type") for name in ("float", "'float*;abc'", "'float*;'")],
    ("address_qualifier: __global", "address_qualifier: global", WARNING, "misc.qualifier"),
    ("access_qualifier: NONE", "access_qualifier: any", WARNING, "misc.qualifier"),
    ("type_qualifiers: const", "type_qualifiers: const odd", WARNING, "misc.qualifier"),
    (ARG_INFO, ARG_INFO + ARG_INFO, WARNING, "misc.index"),
    (ARG_INFO, ARG_INFO.replace("index: 0", "index: 1").replace("float*;8", "int;4"), WARNING, "misc.type"),
    ("functions:\n  - name: helper", "functions:\n  - name: gone", WARNING, "func.symbol"),
    ("functions:\n  - name: helper\n    execution_env:\n      grf_count: 128",
     "functions:\n  - name: helper\n    execution_env:\n      grf_count: 1", ERROR, "value.grf"),
    ("  - device_name: counter\n", "  - device_name: gone\n", ERROR, "host.device"),
    ("    host_name: host_counter\n", "", ERROR, "key.missing"),
    ("    host_name: host_counter\n",
     "    host_name: h\n  - device_name: counter\n    host_name: h\n", WARNING, "host.duplicate"),
    (COUNT, COUNT.replace("0", "7"), WARNING, "cost.index"),
    ("kernels_cost_info:\n  - name: k\n", "kernels_cost_info:\n  - name: l\n", WARNING, "cost.kernel"),
    *[("num_loops: 0", f"num_loops: {n}", WARNING, "cost.loops") for n in (-1, 2)],
    ("cycle: 10", "cycle: -10", WARNING, "cost.loops"),
    ("factor: 0.5", "factor: nan", WARNING, "cost.float"),
    ("addrmode: stateless", "memory_addressing_mode: stateless", WARNING, "key.misspelt"),
    ("    binding_table_indices:\n", "    binding_table_indexes:\n", WARNING, "key.misspelt"),
    ("kernels_misc_info:\n", "kernel_misc_info:\n", WARNING, "key.misspelt"),
    ("    Kcm_loop_costs:\n", "    kcm_loop_costs:\n", WARNING, "key.misspelt"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "severity", "code"), FAULTS, ids=lambda value: str(value)[:40])
def test_content(old: str, new: str, severity: FindingSeverity, code: str) -> None:
    expect(file_of(changed(old, new)), severity, code)


TEXT_FAULTS: dict[str, tuple[bytes, FindingSeverity, str]] = {
    "empty": (b"", WARNING, "yaml.empty"),
    "markers only": (b"---\n...\n", WARNING, "yaml.empty"),
    "random bytes": (bytes(range(1, 128)), ERROR, "yaml.syntax"),
    "a PNG": (b"\x89PNG\r\n\x1a\n", ERROR, "yaml.encoding"),
    "an ELF file": (b"\x7fELF\x02\x01\x01\x01", ERROR, "yaml.syntax"),
    "invalid UTF-8": (FULL.encode().replace(b"float", b"fl\xff"), ERROR, "yaml.encoding"),
    "byte order mark": (b"\xef\xbb\xbf" + FULL.encode(), ERROR, "yaml.encoding"),
    "UTF-16": (FULL.encode("utf-16"), ERROR, "yaml.encoding"),
    "zero at the end": (FULL.encode() + bytes(5), WARNING, "yaml.nul"),
    "zero inside": (FULL.replace("name:", "na\0me:", 1).encode(), ERROR, "yaml.nul"),
    "list": (b"- a\n", ERROR, "yaml.root"),
    "scalar": (b"text\n", ERROR, "yaml.root"),
    "anchor": (FULL.replace("k\n", "&k k\n", 1).encode(), ERROR, "yaml.alias"),
    "tag": (FULL.replace("128", "!!int 128", 1).encode(), ERROR, "yaml.tag"),
    "tab": (FULL.replace("    user_attributes", "\tuser_attributes", 1).encode(), ERROR, "yaml.tab"),
    "less indented item": (FULL.replace("      - arg_type: work", "    - arg_type: work").encode(), ERROR,
                           "yaml.indent"),
    "two documents": ((FULL + FULL).encode(), ERROR, "key.duplicate"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "severity", "code"), TEXT_FAULTS.values(), ids=TEXT_FAULTS)
def test_text(text: bytes, severity: FindingSeverity, code: str) -> None:
    expect(file_of(text), severity, code)


@pytest.mark.parametrize(
    "text",
    [FULL.removesuffix("...\n"), FULL.removesuffix("\n"), FULL.replace("\n", "\r\n"), FULL.replace("\n", " # x\n")],
    ids=["no end marker", "no final newline", "CRLF", "comments"],
)
def test_harmless_forms(text: str) -> None:
    assert findings(file_of(text)) == []


def test_experimental_properties_may_be_a_list() -> None:
    listed = changed("      has_non_kernel_arg_load: 1", "      - has_non_kernel_arg_load: 1")
    assert findings(file_of(listed)) == []
    assert read(file_of(listed)).ze_info == read(file_of(FULL)).ze_info


def test_two_kernels_of_one_name() -> None:
    kernel = "  - name: k\n    execution_env:\n      grf_count: 128\n      simd_size: 16\n"
    expect(file_of(changed("functions:\n", kernel + "functions:\n")), ERROR, "kernel.duplicate")


def test_information_before_the_kernels_is_not_found_by_drivers() -> None:
    start, end = FULL.index("kernels_misc_info"), FULL.index("kernels_cost_info")
    misc = FULL[start:end]
    moved = FULL.replace(misc, "").replace("kernels:\n", misc + "kernels:\n", 1)
    expect(file_of(moved), WARNING, "misc.order")


def test_inline_data_on_a_target_that_has_none() -> None:
    text = (
        "---\nversion: '1.61'\nkernels:\n  - name: k\n    execution_env:\n      grf_count: 128\n      simd_size: 16\n"
    )
    text += "      inline_data_payload_size: 32\n"
    notes = write_notes([Note.of_word(NoteType.PRODUCT_FAMILY, 29), Note.of_text(NoteType.ZEBIN_VERSION, "1.61")])
    expect(container(text, notes=notes), WARNING, "value.inline")


def test_unknown_keys_are_errors_when_asked_to_be_strict() -> None:
    unknown = changed("      has_stack_calls: true\n", "      has_stack_callz: true\n")
    finding = expect(file_of(unknown), ERROR, "key.unknown", strict=True)
    assert finding.expected == "perhaps has_stack_calls"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("arg_type: local_size", "arg_type: future_size", "enum.unknown"),
        ("      has_stack_calls: true\n", "      has_future: true\n", "key.unknown"),
        ("intel_reqd_sub_group_size: 16", "future_size: 16", "key.unknown"),
    ],
)
def test_a_newer_version_may_have_words_that_are_not_known(old: str, new: str, code: str) -> None:
    text = changed(old, new).replace("'1.61'", "'1.99'")
    expect(file_of(text), WARNING, code, strict=True)


def test_unknown_keys_and_words_are_written_back() -> None:
    text = changed("      has_stack_calls: true\n", "      has_future:\n        - deep: [ 1, 2 ]\n")
    text = text.replace("'1.61'", "'1.99'").replace("arg_type: local_size", "arg_type: future_size")
    text = text.replace("...\n", "future_table:\n  - x: 'a:b'\n...\n")
    zebin = read(file_of(text))
    assert zebin.ze_info is not None
    assert parse_ze_info(write_ze_info(zebin.ze_info).decode()) == zebin.ze_info
    assert b"future_table" in write_ze_info(zebin.ze_info)


def test_a_finding_in_the_text_has_offset_line_and_path() -> None:
    data = file_of(changed("size: 12", "size: 10"))
    finding = expect(data, ERROR, "arg.slot-size")
    location = finding.location
    assert (location.line, location.column, location.path) == (23, 9, "kernels[0].payload_arguments[0].size")
    assert location.offset is not None
    assert data[location.offset :].startswith(b"size: 10")
    assert (finding.found, finding.expected) == ("10", "4 or 8 or 12")
    assert "'.ze_info'" in finding.section


def test_a_duplicate_is_reported_with_both_lines() -> None:
    finding = expect(
        file_of(changed("slm_size: 1024", "slm_size: 1\n      slm_size: 2")),
        ERROR,
        "key.duplicate",
    )
    assert (finding.location.line, "line 16" in finding.message) == (17, True)


def test_what_is_wrong_with_a_value_does_not_hide_other_faults() -> None:
    text = changed("slm_size: 1024", "slm_size: -1").replace("bti_value: 1\n", "bti_value: -5\n")
    with pytest.raises(ZebinError) as caught:
        read(file_of(text))
    assert {f.code for f in caught.value.findings} == {"value.slm", "bti.range"}


def test_many_kernels_are_read_in_one_pass() -> None:
    kernel = "  - name: k{}\n    execution_env:\n      grf_count: 128\n      simd_size: 16\n"
    text = "---\nversion: '1.61'\nkernels:\n" + "".join(kernel.format(n) for n in range(3000)) + "...\n"
    zebin = read(container(text, texts={f"k{n}": CODE + bytes(176) for n in range(3000)}))
    assert len(zebin.kernels) == 3000
