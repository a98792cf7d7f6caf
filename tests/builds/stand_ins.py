# SPDX-License-Identifier: BSD-2-Clause
"""The stand-ins are right: against published answers, and against the distribution's libIPSec_MB."""
import os
import platform
import shutil
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
STAND_INS = TOP / "tests/stand-ins"


def run(argv, **more):
    done = subprocess.run([str(word) for word in argv], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, timeout=300, stdin=subprocess.DEVNULL, **more)
    return done.returncode, done.stdout


def copy(work, name):
    where = Path(work) / name
    shutil.rmtree(where, ignore_errors=True)
    shutil.copytree(STAND_INS / name, where)
    return where


def pack(mirror):
    """Twice the same bytes and commit."""
    status, first = run([STAND_INS / "pack", mirror])
    again, second = run([STAND_INS / "pack", mirror])
    return None if (status, again) == (0, 0) and first == second else f"{first} {second}"


def known_answers(work):
    where = copy(work, "aarch64cryptolib")
    arch = {"x86_64": "x86-64", "aarch64": "armv8-a+crypto"}[platform.machine()]
    status, output = run(["make", "OPT=big", f"ARCH={arch}", "EXTRA_CFLAGS=-Wextra -Werror", "aescbc_test_functional"],
                         cwd=where)
    if status:
        return output[-400:]
    status, output = run([where / "aescbc_test_functional"])
    return None if status == 0 and output.count(": right") == 6 else output


def option_is_wanted(work):
    status, output = run(["make"], cwd=copy(work, "aarch64cryptolib"))
    wanted = "AES-GCM implementation not specified"
    return None if status and wanted in output else f"exit status {status}: {output[-200:]}"


def same_as_distribution(work):
    """The distribution's library is Intel's and only for x86-64; elsewhere the published vectors must do."""
    if platform.machine() != "x86_64":
        return None
    where = copy(work, "ipsec-mb")
    shutil.copy("/usr/include/intel-ipsec-mb.h", where / "lib/ipsec-mb.h")
    status, output = run(["make", "-C", where / "lib", "SHARED=y", "CC=gcc"])
    if status:
        return output[-400:]
    program = where / "messages"
    status, output = run(["gcc", "-o", program, TOP / "tests/builds/messages.c", "-lIPSec_MB"])
    if status:
        return output[-400:]
    status, theirs = run([program])
    again, ours = run([program], env=dict(os.environ, LD_LIBRARY_PATH=str(where / "lib")))
    if (status, again) != (0, 0) or theirs.count("\n") != 1024:
        return f"{status} {again}: {ours[-200:]}"
    pairs = zip(theirs.splitlines(), ours.splitlines())
    return next((f"{left} and {right}" for left, right in pairs if left != right), None)


CHECKS = {
    "the stand-in of AArch64cryptolib gives the published answers": known_answers,
    "the stand-in of AArch64cryptolib wants OPT": option_is_wanted,
    "the stand-in of ipsec-mb agrees with the distribution's library": same_as_distribution,
}
