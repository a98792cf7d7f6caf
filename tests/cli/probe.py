# SPDX-License-Identifier: BSD-2-Clause
"""detect --probe and audit --probe: what real and made-up compilers accept."""
import os
import shutil
import subprocess
import time

from program import WORK, Skip, altra, altra_cpuinfo, check, environment, run

AC03 = (altra_cpuinfo(1).replace("0x41", "0xc0").replace("0xd0c", "0xac3").replace("variant\t: 0x3", "variant\t: 0x0")
        .replace("asimddp", "sha3 asimddp sha512"))
AC04 = AC03.replace("0xac3", "0xac4").replace("revision\t: 1", "revision\t: 0")
ARMS = "#define __ARM_FEATURE_{} 1\n"

# A compiler that says it makes code for aarch64 and accepts flags that hold ACCEPTS, with these macros.
FAKE = """#!/bin/sh
case "$*" in
*-dumpmachine*) echo {target} ;;
*--version*) echo "{version}" ;;
*{accepts}*-E*) printf '{macros}' ;;
*{accepts}*-c*) cat >/dev/null ;;
*) echo "error: unknown value" >&2; exit 1 ;;
esac
"""


def only(**compilers):
    """A PATH on which these are the only compilers."""
    directory = WORK / "compilers"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    for name, text in compilers.items():
        path = directory / name.replace("_", "-")
        path.write_text(text)
        path.chmod(0o755)
    return environment(PATH=str(directory))


def fake(accepts="-mcpu", macros=("AES", "SHA3"), target="aarch64-linux-gnu", version="made up 1.0"):
    return FAKE.format(accepts=accepts, target=target, version=version,
                       macros="".join(ARMS.format(macro) for macro in macros).replace("\n", "\\n"))


def detect(cpuinfo, env=None):
    document = run("detect", "--probe", "--json", "--cpuinfo", "-", stdin=cpuinfo.encode(), env=env).json()
    return document["results"], document["host"]["flags"]


# cpuinfo, compiler, flags accepted, words of what was refused or why
MADE_UP = [
    (altra_cpuinfo(1), fake(macros=["AES"]), "-mcpu=neoverse-n1+crypto", ""),
    (altra_cpuinfo(1), fake(macros=["CRYPTO"]), "-mcpu=neoverse-n1+crypto", ""),
    (altra_cpuinfo(1), fake(macros=["ATOMICS"]), None, "__ARM_FEATURE_AES is not defined"),
    (altra_cpuinfo(1), fake(macros=["AES", "SHA3"]), None, "__ARM_FEATURE_SHA3 is defined, which this CPU does not have"),
    (AC03, fake(), "-mcpu=ampere1", ""),
    (AC03, fake(macros=["AES"]), None, "__ARM_FEATURE_SHA3 is not defined"),
    (AC03, fake(macros=["AES", "SHA3", "SM4"]), None, "__ARM_FEATURE_SM4 is defined, which this CPU does not have"),
    (AC04, fake(macros=["AES", "SHA3", "SM4"]), "-mcpu=ampere1a", ""),
    (AC04, fake(accepts="-march=armv8.6"), "-march=armv8.6-a+crypto+sha3+sm4+fp16+rng", "-mcpu=ampere1a: the compiler refuses"),
    (AC04, fake(accepts="-march=armv9.9"), None, "accepts none of the flags"),
    (AC03, fake(target="x86_64-linux-gnu"), None, "makes code for x86_64-linux-gnu, not for aarch64"),
    (AC03, "#!/bin/sh\nexit 1\n", None, "does not run"),
    (AC03, "not a program\n", None, "does not run"),
    (AC03, "#!/bin/sh\nyes\n", None, "does not"),
    (AC03, "#!/bin/sh\nprintf '\\033[2J\\377'\n", None, "makes code for \\x1b[2J\\xff"),
]


def test_made_up_compilers():
    for cpuinfo, text, accepted, words in MADE_UP:
        compilers, flags = detect(cpuinfo, only(gcc=text))
        check(len(compilers) == 1, compilers)
        said = " ".join([*compilers[0]["refused"], compilers[0]["why"] or ""])
        check(compilers[0]["accepted"] == accepted == flags["gcc"]["accepted"] and words in said, text, compilers[0])
        check("clang" in flags["clang"]["why"] and flags["clang"]["accepted"] is None, flags)


def test_the_best_compiler_names_the_flags_and_one_program_is_asked_once():
    env = only(gcc=fake(accepts="-march=armv9.9"), aarch64_linux_gnu_gcc=fake(), clang=fake(version="clang 99"))
    (WORK / "compilers/gcc-14").symlink_to("gcc")
    compilers, flags = detect(AC03, env)
    check([compiler["name"] for compiler in compilers] == ["gcc", "clang", "aarch64-linux-gnu-gcc"], compilers)
    check(flags["gcc"]["accepted"] == flags["clang"]["accepted"] == "-mcpu=ampere1", flags)
    check(compilers[1]["macros"] == ["__ARM_FEATURE_AES", "__ARM_FEATURE_SHA3"], compilers[1])


def test_no_compiler_runs_without_being_asked():
    mark = WORK / "was-run"
    mark.unlink(missing_ok=True)
    env = only(gcc=f"#!/bin/sh\n: > {mark}\n")
    root = str(altra())
    for arguments in (["detect"], ["audit"], ["explain", "software.compiler"], ["capture", "-"], ["list", "facts"]):
        run(*arguments, *([] if arguments[0] == "list" else ["--root", root]), env=env)
    check(not mark.exists())
    run("detect", "--probe", env=env)
    check(mark.exists())


def test_audit_judges_the_compilers():
    root = str(altra())
    good, bad = {"gcc": fake(macros=["AES"])}, {"gcc": fake(accepts="nothing")}
    foreign = {"gcc": fake(target="x86_64-linux-gnu")}
    for compilers, probe, outcome in ((good, True, "pass"), (bad, True, "fail"), ({}, True, "na"), (foreign, True, "na"),
                                      (good, False, "unknown")):
        env = only(**compilers)
        arguments = ["audit", "--root", root, "--only", "software.compiler", "--json"]
        finding = run(*arguments, *(["--probe"] if probe else []), env=env).json()["results"][0]
        check(finding["outcome"] == outcome, outcome, finding)


def test_a_silent_compiler_is_given_up():
    begin = time.monotonic()
    compilers, _ = detect(AC03, only(gcc="#!/bin/sh\nexec sleep 1000\n"))
    if not shutil.which("sleep", path="/usr/bin:/bin"):
        raise Skip("no sleep")
    check("does not answer" in compilers[0]["why"] and time.monotonic() - begin < 40, compilers)


def version_of(compiler, words):
    if not shutil.which(compiler):
        raise Skip(f"no {compiler}")
    done = subprocess.run([compiler, words], stdout=subprocess.PIPE, text=True, check=True)
    return tuple(int(part) for part in done.stdout.split()[0].split(".")[:2])


def test_the_real_cross_gcc():
    version = version_of("aarch64-linux-gnu-gcc", "-dumpfullversion")
    # Debian's GCC 12.2 and 14: what was measured with them, plain ampere1 of 12.2 has no crypto.
    wanted = {AC03: "-mcpu=ampere1", AC04: "-mcpu=ampere1a"} if version >= (13, 0) else {
        AC03: "-mcpu=ampere1+crypto+sha3+rng", AC04: "-mcpu=ampere1+crypto+sha3+rng"}
    wanted[altra_cpuinfo(1)] = "-mcpu=neoverse-n1+crypto"
    for cpuinfo, flags in wanted.items():
        compilers, _ = detect(cpuinfo, environment(PATH=os.environ["PATH"]))
        cross = [compiler for compiler in compilers if compiler["name"] == "aarch64-linux-gnu-gcc"]
        check(cross and cross[0]["accepted"] == flags, version, flags, cross)
        check("__ARM_FEATURE_AES" in cross[0]["macros"], cross)


def test_the_real_clang():
    done = shutil.which("clang")
    if not done:
        raise Skip("no clang")
    text = subprocess.run(["clang", "-dumpversion"], stdout=subprocess.PIPE, text=True, check=True).stdout
    major = int(text.split(".")[0])
    if major == 15:
        ac03, ac04 = "-march=armv8.6-a+aes+sha2+sha3", "-mcpu=ampere1+aes+sha2+sha3"
    elif major < 15:
        ac03 = ac04 = "-mcpu=ampere1+aes+sha2+sha3"
    else:
        ac03, ac04 = "-mcpu=ampere1", "-mcpu=ampere1a"
    for cpuinfo, flags in ((altra_cpuinfo(1), "-mcpu=neoverse-n1+crypto"), (AC03, ac03), (AC04, ac04)):
        compilers, found = detect(cpuinfo)
        clang = [compiler for compiler in compilers if compiler["name"] == "clang"]
        check(clang and clang[0]["accepted"] == flags == found["clang"]["accepted"], major, flags, clang)
