"""Intel's assembler reads our notation, and we read its: the same instructions, with the opcodes of our table."""

from __future__ import annotations

import subprocess

import pytest

from tests.peer.generations import GENERATIONS, missing, program
from xegpu.isa import assemble_program, format_instruction

LINES = """\
(W) add (16|M0) r10.0<1>:f r12.0<1;1,0>:f r14.0<0;1,0>:f
(W) add (16|M16) (sat)r10.0<1>:f r12.0<1;1,0>:f -r14.0<0;1,0>:f
add (16|M0) (lt)f0.1 r10.0<1>:d r12.0<1;1,0>:d 5:d
add (1|M0) r10.3<1>:q r12.1<0;1,0>:q r13.5<0;1,0>:d
mul (16|M0) r10.0<1>:f r12.0<1;1,0>:f -(abs)r14.0<1;1,0>:f
(f0.1) sel (16|M0) r10.0<1>:d r12.0<1;1,0>:d r14.0<0;1,0>:d
(~f3.0) sel (16|M0) r10.0<1>:d r12.0<1;1,0>:d r14.0<0;1,0>:d
sel (16|M0) (ge)f0.0 r10.0<1>:f r12.0<1;1,0>:f 1.0:f
(~f2.0) cmp (16|M0) (lt)f2.0 null<1>:d r1.0<0;1,0>:d 5:d
cmp (32|M0) (ne)f1.0 r8.0<1>:ud r10.0<1;1,0>:ud 0xFF00:ud
not (16|M0) r1.0<1>:d ~r2.0<1;1,0>:d
and (16|M0) (eq)f1.1 r1.0<1>:ud ~r2.0<1;1,0>:ud r3.0<1;1,0>:ud
or (8|M8) r1.0<1>:ud r2.0<1;1,0>:ud 0x80:ud
xor (16|M0) r1.0<1>:ud r2.0<1;1,0>:ud ~r3.0<1;1,0>:ud
shl (16|M0) r1.0<1>:d r2.0<1;1,0>:d 4:d
shr (16|M0) r1.0<1>:ud r2.0<1;1,0>:ud 0x4:ud
asr (16|M0) r1.0<1>:d r2.0<1;1,0>:d 31:d
rndd (16|M0) r1.0<1>:f r2.0<1;1,0>:f
rndu (16|M0) r1.0<1>:f r2.0<1;1,0>:f
rndz (16|M0) r1.0<1>:f r2.0<1;1,0>:f
rnde (16|M0) r1.0<1>:f r2.0<1;1,0>:f
mov (8|M0) r1.0<1>:w 0x76543210:v
mov (8|M0) r1.0<1>:df 1.5:df
mov (8|M0) r1.0<1>:q -1250999896491:q
mov (16|M0) r1.0<1>:f 0.1:f
mov (16|M0) r1.0<1>:f -inf:f
mov (16|M0) r1.0<4>:ub (abs)r2.3<4;1,0>:b
mov (16|M0) r1.0<1>:ud r2.1<16;8,2>:uw
mov (16|M0) r1.0<1>:tf32 r2.0<1;1,0>:f
dpas.8x8 (16|M0) r32.0:f null:f r22.0:bf r14.0:bf
dpas.8x3 (16|M0) r32.0:d r40.0:d r22.0:ub r14.32:b
dpas.8x4 (16|M0) r32.0:f r40.0:f r22.0:tf32 r14.8:tf32
nop
illegal""".splitlines()


@pytest.fixture(scope="module", params=GENERATIONS)
def native(request, tmp_path_factory) -> tuple[bytes, list[str]]:
    """Gives the code that iga64 makes of the lines, and its text."""
    if (iga := program("iga64", request.param)) is None:
        pytest.skip(missing("iga64", "libigc-tools", request.param))
    folder = tmp_path_factory.mktemp("iga64")
    source, code = folder / "source.asm", folder / "code.bin"
    source.write_text("\n".join(LINES) + "\n")

    def run(*arguments: str) -> str:
        done = subprocess.run([iga, "-p=xehpc", *arguments], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("-a", str(source), "-o", str(code))
    text = [line.split("//")[0].strip() for line in run("-d", str(code)).splitlines()]
    return code.read_bytes(), [line for line in text if line and not line.endswith(":")]


def read(line: str):
    """Our reading of a line. Intel's text names the flag that a `sel` with a condition does not write."""
    line = line.replace("(ge)f0.0", "(ge)") if " sel " in f" {line}" else line
    return assemble_program(line).instructions[0]


@pytest.mark.parametrize("index", range(len(LINES)), ids=LINES)
def test_both_read_the_same_instruction(native, index):
    code, text = native
    ours = read(LINES[index])
    assert code[16 * index] & 0x7F == ours.spec.opcode
    assert read(text[index]) == ours
    assert read(format_instruction(ours)) == ours
