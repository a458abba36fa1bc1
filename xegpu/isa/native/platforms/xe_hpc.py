"""The native words of Xe-HPC."""

from __future__ import annotations

from xegpu.isa.native.layouts.compaction import COMPACTED_LIKE, compact_layouts, numbers
from xegpu.isa.native.layouts.encoding import NativeEncoding, ScoreboardPairs
from xegpu.isa.native.layouts.forms import NativeForm, word_fields
from xegpu.isa.native.layouts.opcodes import opcodes_without

_FRAME = """
-             6:0           6:0
-             17:8          17:8
-             7             30
-             39:32         63:56
-             47:40         79:72
"""
_COMMON = f"""
{_FRAME}
control       22:18         28:18,31,32,34,95:92
subregister   51:48         33,55:51,71:67,87
source0       25:23         45:44,65:64,86:80
"""
_REGISTERS = "type 31:30,28:26 43:35,50:46,66,91:88,98\nsource1 55:52 97:96,103:99,118:112,121:120"
_CONSTANT = f"{_COMMON}type 31:30,28:26 43:35,50:46,66,91:88"
_THREE = f"""
{_FRAME}
-             63:56         111:104
-             55:48         127:120
subregister3  31:30,28:26   55:51,71:67,103:99,119:115
"""
_CONTROL_3, _SOURCES_3 = "28:18,31,32,34,42:36,50:48,82:80,90:88,95:92", "35,47:43,66:64,87:83,91,98:96,114:112"

_ENTRIES = {
    "control": numbers("""
        4 800 84 0 802 5 803 804 14802 10802 801 10800 14800 14803 14004 10803 10004 8000 14005 c000
        10005 c800 4800 884 38800 3 4004 104 125 2 14025 14015
    """),
    "type": numbers("""
        be8ee 800 6844 d6954 2ecee 6954 6866 2b54 36cce b68cc de976 7044 2eccc 68cc 2a44 2aac 2cccc
        36cee 68ee a40 d4954 8c44 968ee 4844 8c8cc 7844 695a 2ec4e 36ccc ec44 2ecce 16c44
    """),
    "subregister": numbers("""
        0 400 80 200 100 4 8 20 180 10 600 108 500 300 c 210
    """),
    "source0": numbers("""
        100 0 200 300 710 102 2 110
    """),
    "source1": numbers("""
        0 800 10 50 1000 8800 40 20 18 8 30 60 70 840 820 1808
    """),
    "control3": numbers("""
        1b8ec004 1b8ec084 1b0ec004 128a8005 120a8005 1b0ec084 128a8004 36998005 2a8a8004 1b8ec800
        1b0ec003 120a8004 2a0a8004 36998004 2a8b4004 36998800
    """),
    "subregister3": numbers("""
        0 80000 4000 e0000 40000 a0000 20000 60000 c0000 2101 2102 a103 20806 4e8 20c27 3a101 22105
        29880 804 300 1000 280 2000 10000 800 b0000 90000 30000 50000 d0000 70000 f0000
    """),
    "source3": numbers("""
        160b01 160301 120201 160a01 160201 16e142 14c142 122201 120100 120301 160001 160101 16c142
        120300 122301 140300
    """),
    "control_dpas": numbers("""
        f99004 4f99004 20f99004 24f99004 f98004 24f98004 2dea9004 2df69004 2deb5004 2df75004 2dea8004
        9ea9004 9e69004 9ea5004 9e65004 9ea8004
    """),
    "source_dpas": numbers("""
        120100 120500 120900 121100 121500 121900 122100 122500 122900 120102 120502 121102 121502
        122902 12010e 12150e
    """),
}

ENCODING = NativeEncoding(
    name="xehpc",
    channels_per_offset=8,
    tokens=32,
    address_bits=11,
    untyped_unit=2,
    indirect_rows=7,
    fields=word_fields(),
    opcodes=opcodes_without("dpasw"),
    predicates={1: "", 2: "any", 3: "all"},
    sync_functions={0: "nop", 2: "allrd", 3: "allwr", 13: "fence", 14: "bar", 15: "host"},
    pipes={0: "", 1: "A", 2: "F", 3: "I", 4: "L", 5: "M"},
    token_bases={".dst": 0x80, ".src": 0xA0, "": 0xC0},
    pairs=ScoreboardPairs(
        shift=5,
        by_form={
            NativeForm.SEND: {0x100: ("A", ""), 0x200: ("F", ""), 0x300: ("I", "")},
            NativeForm.DPAS: {0x100: ("", ""), 0x200: ("", ".src"), 0x300: ("", ".dst")},
        },
        others={0x100: ("", ".dst"), 0x200: ("", ".src"), 0x300: ("A", ".dst")},
    ),
    scoreboard_notes={0xF0: "NoAccSBSet"},
    compaction=compact_layouts(
        _ENTRIES,
        {
            NativeForm.ONE: (f"{_COMMON}{_REGISTERS}", _CONSTANT),
            NativeForm.TWO: (f"{_COMMON}- 63:56 111:104\n{_REGISTERS}", _CONSTANT),
            NativeForm.THREE: (f"{_THREE}control3 21:18 {_CONTROL_3}\nsource3 25:22 {_SOURCES_3}", ""),
            NativeForm.DPAS: (f"{_THREE}control_dpas 21:18 {_CONTROL_3}\nsource_dpas 25:22 {_SOURCES_3}", ""),
        },
        {**COMPACTED_LIKE, NativeForm.MADM: NativeForm.THREE},
    ),
)
