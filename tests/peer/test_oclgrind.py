"""Kernels with one bug each, in OpenCL C for Oclgrind and in MLIR for us: what Oclgrind finds, our checks find."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from runtime import Device, ZeError

OCLGRIND = shutil.which("oclgrind-kernel")
ITEMS = 32
"""Work-items of a launch, in two work-groups of one subgroup each, or in one of two."""

pytestmark = pytest.mark.skipif(OCLGRIND is None, reason="oclgrind-kernel is not installed (Debian: oclgrind)")


@dataclass(frozen=True)
class Bug:
    """The body of a kernel with arguments `a` and `b`, 32 integers each; `a` has values only if `written`."""

    opencl: str
    mlir: str
    theirs: str
    ours: str
    groups: int = 1
    written: bool = True


TYPES = {"GLOBAL": "memref<32xi32>", "LOCAL": "memref<32xi32, #gpu.address_space<workgroup>>"}
BUGS = {
    "out of bounds": Bug(
        "b[i] = a[i + 32];",
        "%j = arith.addi %i, %c32 : index\n%v = memref.load %a[%j] : GLOBAL\nmemref.store %v, %b[%i] : GLOBAL",
        "Invalid read of size 4 at global memory",
        "out-of-bounds access",
    ),
    "out of bounds of local memory": Bug(
        "volatile local int t[32]; t[i + 32] = i; b[i] = t[i];",
        "%j = arith.addi %i, %c32 : index\nmemref.store %n, %t[%j] : LOCAL",
        "Invalid write of size 4 at local memory",
        "access outside of shared local memory",
    ),
    "uninitialized value": Bug(
        "b[i] = a[i] + 1;",
        "%v = memref.load %a[%i] : GLOBAL\n%w = arith.addi %v, %one : i32\nmemref.store %w, %b[%i] : GLOBAL",
        "Uninitialized value written to global memory",
        "the value stored to device memory is undefined",
        written=False,
    ),
    "uninitialized address": Bug(
        "b[a[i] & 31] = i;",
        "%v = memref.load %a[%i] : GLOBAL\n%m = arith.remui %v, %m32 : i32\n"
        "%j = arith.index_castui %m : i32 to index\n"
        "memref.store %n, %b[%j] : GLOBAL",
        "Uninitialized address used to write",
        "the address of a message is undefined",
        written=False,
    ),
    "uninitialized control flow": Bug(
        "if (a[i] > 3) b[i] = i;",
        "%v = memref.load %a[%i] : GLOBAL\n%c = arith.cmpi sgt, %v, %one : i32\n"
        "scf.if %c {\nmemref.store %n, %b[%i] : GLOBAL\n}",
        "Controlflow depends on uninitialized value",
        "is undefined, because nothing has written those bytes of device memory",
        written=False,
    ),
    "race in a work-group": Bug(
        "local int t[32]; t[i] = i; b[i] = t[31 - i];",
        "memref.store %n, %t[%i] : LOCAL\n%j = arith.subi %c31, %i : index\n%v = memref.load %t[%j] : LOCAL\n"
        "memref.store %v, %b[%i] : GLOBAL",
        "Read-write data race at local memory",
        "data race",
    ),
    "race between work-groups": Bug(
        "a[get_local_id(0)] = i;",
        "%l = gpu.thread_id x\nmemref.store %n, %a[%l] : GLOBAL",
        "Write-write data race at global memory",
        "data race",
        groups=2,
    ),
    "none": Bug(
        "local int t[32]; t[i] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); b[i] = t[31 - i];",
        "%u = memref.load %a[%i] : GLOBAL\nmemref.store %u, %t[%i] : LOCAL\ngpu.barrier\n"
        "%j = arith.subi %c31, %i : index\n%v = memref.load %t[%j] : LOCAL\nmemref.store %v, %b[%i] : GLOBAL",
        "",
        "",
    ),
}


def oclgrind(bug: Bug, folder: Path) -> str:
    """Returns the report of Oclgrind."""
    (folder / "bug.cl").write_text(
        f"kernel void bug(global int *a, global int *b) {{ int i = get_global_id(0); {bug.opencl} }}\n"
    )
    size = f"size={4 * ITEMS}"
    a = f"<{size} fill=1>" if bug.written else f"<{size} noinit>"
    block = ITEMS // bug.groups
    (folder / "bug.sim").write_text(f"bug.cl\nbug\n{ITEMS} 1 1\n{block} 1 1\n{a}\n<{size} fill=0>\n")
    command = [str(OCLGRIND), "--data-races", "--uninitialized", "bug.sim"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    return done.stdout + done.stderr


def checked(bug: Bug) -> str:
    """Returns the report of our checks."""
    text = f"""
gpu.module @m {{
  gpu.func @bug(%a: GLOBAL, %b: GLOBAL) workgroup(%t : LOCAL) kernel {{
    %i = gpu.global_id x
    %n = arith.index_cast %i : index to i32
    %one = arith.constant 1 : i32
    %m32 = arith.constant 32 : i32
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    {bug.mlir}
    gpu.return
  }}
}}
"""
    for name, type in TYPES.items():
        text = text.replace(name, type)
    device = Device("pvc", checks="all")
    kernel = device.compile(text)["bug"]
    a = device.array(np.ones(32, np.int32)) if bug.written else device.empty(32, np.int32)
    b = device.array(np.zeros(32, np.int32))
    try:
        kernel[bug.groups, (ITEMS // bug.groups,)](a, b)
    except ZeError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", BUGS)
def test_both_find_it(name: str, tmp_path: Path) -> None:
    bug = BUGS[name]
    theirs, ours = oclgrind(bug, tmp_path), checked(bug)
    assert (bug.theirs in theirs) if bug.theirs else not theirs.strip()
    assert (bug.ours in ours) if bug.ours else not ours
