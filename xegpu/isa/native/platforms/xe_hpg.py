"""The native words of Xe-HPG."""

from __future__ import annotations

from xegpu.isa.native.layouts.compaction import COMPACTED_LIKE, compact_layouts, numbers
from xegpu.isa.native.layouts.encoding import NativeEncoding, ScoreboardPairs
from xegpu.isa.native.layouts.forms import NativeForm, word_fields
from xegpu.isa.native.layouts.opcodes import opcodes_without

_OWN_BITS = """
scoreboard      17:8        15:8
exec_size       20:18       18:16
channel_offset  25:24       21:19
flag_half       21          22
flag            23:22       23
predicate       27:26       27:24
acc_write       -           33
serialize       -           33
repeat          35,45:43    45:43
dst.subreg      55:51,33    55:51
dst.subreg      55:51<<1    55:51
dst.addr_offset 59:50,33    59:50
src0.subreg     71:67,87    71:67
src0.subreg     71:67<<1    71:67
src0.addr_offset 75:66,87   75:66
src0.vstride    86:84       87:84
src1.subreg     103:99<<1   103:99
src1.addr_offset 107:98<<1  107:98
src1.vstride    118:116     119:116
src2.subreg     119:115<<1  119:115
"""
_FRAME = """
-             6:0           6:0
-             15:8          15:8
-             7             30
-             23:16         63:56
-             47:40         79:72
"""
_COMMON = f"""
{_FRAME}
control       28:24         28:16,31,34:32,95:92
source0       51:48         45:44,65:64,87:80
"""
_TYPE, _SOURCE_1 = "type 34:32,31:30 43:35,50:46,66,91:88", "source1 55:52 97:96,121:112"
_THREE = """
-             63:56         111:104
-             55:48         127:120
control3      28:24         28:16,31,34:32,42:36,50:48,82:80,90:88,95:92
subregister3  39:35         55:51,71:67,103:99,119:115
source3       34:32,31:30   35,47:43,66:64,87:83,91,98:96,114:112
"""

_ENTRIES = {
    "control": numbers("""
        4 3 2000 2004 2003 80004 24 a0004 0 10004 13 60004 20004 22004 40004 104 a0003 184 2001 144 1c4
        82004 23 33 a2004 80003 22000 10003 a0084 20003 8003 2024
    """),
    "type": numbers("""
        d6954 6954 2b54 56d54 d4954 d2954 54d54 800 d0954 2eccc b68cc 52d54 96844 50d54 36ccc 16c44 7154
        2cccc 822 2844 26c2a ec22 97044 694c 8c8cc 6854 2ec4c 2822 6834 6814 68d4 2954
    """),
    "subregister": numbers("""
        0 4000 1000 3000 80 2000 5000 8 100 6000 7000 200 4 300 280 180 380 1c 10 c 18 14 2 140 40 84 5c
        42 18c 20 60 6300
    """),
    "source0": numbers("""
        100 0 102 101 2 200 240 340 300 103 1 f10 460 140 448 202
    """),
    "source1": numbers("""
        40 0 840 800 440 8d0 80 d0 c0 c40 400 c00 118 880 809 844
    """),
    "control3": numbers("""
        94540004 94540003 90540003 94542003 90542003 90540013 94540013 90542013 94542013 94542004
        90540004 94550004 94540024 90542004 94542000 94550003 90542023 90542033 94542023 94542033
        90540033 90540023 27cc0003 7cc4003 127cc4003 107cc4003 127cc0003 7cc0003 27cc4003 107cc0003
        16f544003 16f540003
    """),
    "subregister3": numbers("""
        0 20000 180 a0000 80380 60000 40000 2000 1000 c0000 80000 e0000 6000 80 4000 3000 5000 7000 100
        200 300 280 380 c0380 20100 20180 40180 80300 80280 60080 a0380 40080
    """),
    "source3": numbers("""
        120300 120201 160301 120301 160101 160309 140301 160300 100300 160b01 162301 160100 100301
        122300 122301 120309 120101 120308 120100 162300 120b00 140300 120b01 160b09 122100 120900
        122900 121100 121900 120500 121500 122500
    """),
}

ENCODING = NativeEncoding(
    name="xehpg",
    channels_per_offset=4,
    tokens=16,
    address_bits=10,
    untyped_unit=1,
    indirect_rows=15,
    fields=word_fields(_OWN_BITS),
    opcodes=opcodes_without("macl", "srnd"),
    predicates={
        1: "",
        2: "anyv",
        3: "allv",
        4: "any2h",
        5: "all2h",
        6: "any4h",
        7: "all4h",
        8: "any8h",
        9: "all8h",
        10: "any16h",
        11: "all16h",
        12: "any32h",
        13: "all32h",
    },
    sync_functions={0: "nop", 2: "allrd", 3: "allwr", 14: "bar", 15: "host"},
    first_macro_register=0x28,
    pipes={0: "", 1: "A", 2: "F", 3: "I", 10: "L"},
    token_bases={".dst": 0x20, ".src": 0x30, "": 0x40},
    pairs=ScoreboardPairs(
        shift=4,
        by_form={
            NativeForm.SEND: {0x80: ("A", "")},
            NativeForm.DPAS: {0x80: ("", "")},
            NativeForm.MATH: {0x80: ("", "")},
        },
        others={0x80: ("", ".dst")},
    ),
    compaction=compact_layouts(
        _ENTRIES,
        {
            NativeForm.ONE: (
                f"{_COMMON}{_TYPE},98\nsubregister 39:35 55:51,71:67\n{_SOURCE_1}",
                f"{_COMMON}{_TYPE}\nsubregister 39:35 55:51",
            ),
            NativeForm.TWO: (
                f"{_COMMON}- 63:56 111:104\n{_TYPE},98\nsubregister 39:35 55:51,71:67,103:99\n{_SOURCE_1}",
                f"{_COMMON}{_TYPE}\nsubregister 39:35 55:51,71:67",
            ),
            NativeForm.THREE: (f"{_FRAME}{_THREE}", ""),
            NativeForm.DPAS: (f"{_FRAME}{_THREE}", ""),
        },
        COMPACTED_LIKE,
    ),
)
