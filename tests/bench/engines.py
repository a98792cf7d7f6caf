# SPDX-License-Identifier: BSD-2-Clause
"""Engines that are wrong in one bit, crash, hang, lie: no number, one clear line, and the others go on."""
import os
import subprocess
import threading
from pathlib import Path

from program import (BSSL, DPDK, GCM, HERE, KAT, LIBRARY, OPENSSL, SHA, SNOW, SPEED, TOP, WORK, Skip, bench, check, make_prefix,
                     no_number, suite, was_measured)

KAT_ID, SPEED_ID = "own/aes-128-gcm-seal/kat/1350/1", "own/gcm-by-openssl/openssl-speed/1024/1"
SHA_ID = "own/sha256/kat/4096/1"
BSSL_ID, GCM_ID = "own/gcm-by-bssl/bssl-speed/1024/1", "own/aes-gcm-128/crypto_openssl/1024/1"
SNOW_ID = "own/snow3g-uea2/crypto_snow3g/1024/1"


def faulty_library(name, function="EVP_EncryptUpdate", when="always", only="now"):
    """Our libcrypto that answers wrong in one bit; the rest is the real one's."""
    out = WORK / f"libcrypto-{name}.so.3"
    words = {"FAULT_FUNCTION": function, "FAULT_WHEN": when, "FAULT_ONLY": only, "FAULT_REAL": LIBRARY,
             "FAULT_MARK": WORK / f"mark-{name}"}
    fault = WORK / f"fault-{name}.o"
    (WORK / f"mark-{name}").unlink(missing_ok=True)
    subprocess.run(["gcc", "-fPIC", "-O1", "-D_GNU_SOURCE", "-c", "-o", fault, HERE / "fault.c",
                    *(f'-D{key}="{value}"' for key, value in words.items())], check=True)
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-Dgetenv=fault_word", "-o", out, TOP / "tests/kat/flip.c", fault,
                    "-Wl,--no-as-needed", LIBRARY], check=True)
    return out


def measured_wrong(prefix, of, name, *words):
    code, results = bench("--seconds", 1, "--prefix", prefix, suite(of))
    check(code == 4, f"status {code}", results[name]["reason"])
    no_number(results[name], "fail", *words)
    check(results[name]["verified"] is False, "verified")


def test_a_flipped_bit_in_the_library_of_kat():
    measured_wrong(make_prefix("flip-kat", faulty_library("always")), KAT, KAT_ID, "wrong")


def test_a_bit_that_only_the_instructions_of_the_core_flip():
    library = faulty_library("unmasked", "EVP_DigestUpdate", "large", "unmasked")
    measured_wrong(make_prefix("flip-unmasked", library), SHA, SHA_ID, "is not what it computes without")


def test_a_bit_that_flips_after_some_calls_of_kat():
    code, results = bench("--seconds", 1, "--prefix", make_prefix("flip-late", faulty_library("late", when="late")),
                          suite(KAT))
    check(code in (2, 4), f"status {code}")
    no_number(results[KAT_ID], {2: "unknown", 4: "fail"}[code], "wrong", "first", "last")


def test_a_bit_that_flips_in_the_last_verification_of_kat():
    measured_wrong(make_prefix("flip-again", faulty_library("again", only="again")), KAT, KAT_ID, "wrong")


def test_a_flipped_bit_in_the_library_of_openssl_speed():
    prefix = make_prefix("flip-openssl", faulty_library("speed"), openssl="played.openssl()")
    measured_wrong(prefix, SPEED, SPEED_ID, "wrong")


def test_a_flipped_bit_in_the_library_of_bssl_speed():
    measured_wrong(make_prefix("flip-bssl", faulty_library("bssl"), bssl="played.bssl()"), BSSL, BSSL_ID, "wrong")


def need_dpdk():
    if not DPDK:
        raise Skip("no dpdk-test-crypto-perf here (package dpdk)")


def test_a_flipped_bit_in_dpdk():
    need_dpdk()
    prefix = make_prefix("flip-dpdk", dpdk=f"played.flipped({DPDK!r})")
    for of, name in ((GCM, GCM_ID), (SNOW, SNOW_ID)):
        measured_wrong(prefix, of, name, "64 of 64 operations are wrong")


def test_a_bit_that_flips_in_the_last_verification_of_dpdk():
    need_dpdk()
    measured_wrong(make_prefix("flip-dpdk-late", dpdk=f"played.flipped({DPDK!r}, MARK)"), SNOW, SNOW_ID,
                   "operations are wrong")


def test_a_program_that_loads_another_library_than_the_verified_one():
    if not OPENSSL:
        raise Skip("no openssl here (package openssl)")
    prefix = make_prefix("another", None, openssl=Path(OPENSSL))
    (prefix / "lib/libcrypto.so.3").write_bytes(LIBRARY.read_bytes())
    code, results = bench("--seconds", 1, "--prefix", prefix, suite(SPEED))
    check(code == 4, f"status {code}", results[SPEED_ID]["reason"])
    no_number(results[SPEED_ID], "fail", f"loaded {LIBRARY} instead of")


def test_honest_stand_ins_have_numbers():
    """Without this the faults below could be the stand-ins' own."""
    prefix = make_prefix("honest", dpdk="played.dpdk()", openssl="played.openssl()", bssl="played.bssl()")
    code, results = bench("--seconds", 4, "--prefix", prefix, suite(KAT, SPEED, BSSL, SNOW))
    check(code == 0, f"status {code}", {name: result["reason"] for name, result in results.items()})
    for result in results.values():
        was_measured(result)


# what is played; outcome; words of the reason, any of them
DPDK_FAULTS = {
    "crashes at once": ("played.crash()", "unknown", ["signal 11", "Segmentation"]),
    "crashes in the middle of the rows": ("played.dpdk(lines=None if played.is_verify() else 1)\n"
                                          "played.is_verify() or played.crash()", "unknown", ["signal 11", "Segmentation"]),
    "prints garbage": ("print(''.join(map(chr, range(1, 3000))) * 5)", "unknown", [""]),
    "prints nothing": ("", "unknown", [""]),
    "prints rows for other sizes": ("played.dpdk(size=None if played.is_verify() else 64)", "unknown", ["1024 bytes"]),
    "prints rows of another number of workers": ("played.dpdk(lines=2)", "unknown", ["worker"]),
    "prints zeros": ("played.dpdk(rates=('0.0000', '0.0000', '0.00'))", "unknown", ["1024 bytes"]),
    "prints inf": ("played.dpdk(rates=('inf', 'inf', 'inf'))", "unknown", ["1024 bytes"]),
    "prints nan": ("played.dpdk(rates=('nan', '-nan', 'nan'))", "unknown", ["1024 bytes"]),
    "prints 1e308": ("played.dpdk(rates=('1e308', '1e308', '1e308'))", "unknown", ["row"]),
    "prints a rate of 300 digits": ("played.dpdk(rates=('9' * 300 + '.0000', '9' * 300 + '.0000', '1.00'))", "unknown", [""]),
    "prints negative rates": ("played.dpdk(rates=('-1.0000', '-8.1920', '-2500.00'))", "unknown", ["1024 bytes"]),
    "prints huge counts": ("played.dpdk(operations='9' * 30)", "unknown", [""]),
    "prints rows of fewer operations": ("played.dpdk(operations=None if played.is_verify() else 7)", "unknown",
                                        ["operations"]),
    "writes a decimal comma": ("played.dpdk(rates=('0,1000', '0,8192', '10000,00'))", "unknown", ["comma", "1024 bytes"]),
    "prints without end": ("played.endless()", "unknown", ["more than"]),
    "has no legacy provider": ("print('crypto_openssl_create() line 1: Failed to load Legacy provider')\n"
                               "print('EAL: Bus (vdev) probe failed.'); sys.exit(1)", "unknown", ["legacy provider"]),
    "has no memory": ("print('EAL: Error - exiting with code: 1\\n  Cause: Cannot init memory'); sys.exit(1)", "unknown",
                      ["memory"]),
    "has no huge pages": ("print('EAL: FATAL: Cannot get hugepage information.\\nEAL: Cannot get hugepage information.')\n"
                          "sys.exit(1)", "unknown", ["huge pages"]),
    "lacks the driver": ("print('EAL: failed to parse device \"crypto_snow3g\"\\nEAL: Unable to parse device "
                         "\\'crypto_snow3g\\''); sys.exit(1)", "na", ["crypto_snow3g"]),
    "says that an operation is wrong": ("played.dpdk(failed=1)", "fail", ["wrong"]),
}
SPEED_FAULTS = {
    "crashes at once": ("played.crash()", "unknown", ["signal 11", "Segmentation"]),
    "crashes in the middle": ("print('+DT:AES-128-GCM:1:1024'); played.crash()", "unknown", ["signal 11", "Segmentation"]),
    "prints garbage": ("print('+F:' * 4000 + '\\0\\xff')", "unknown", [""]),
    "prints nothing": ("", "unknown", [""]),
    "prints another size": ("played.openssl(size=16)", "unknown", ["size"]),
    "prints zero": ("played.openssl(rate='0.00', count=0)", "unknown", [""]),
    "prints inf": ("played.openssl(rate='inf')", "unknown", [""]),
    "prints nan": ("played.openssl(rate='nan')", "unknown", [""]),
    "prints 1e308": ("played.openssl(rate='1e308')", "unknown", [""]),
    "prints a negative rate": ("played.openssl(rate='-4000000000.00')", "unknown", [""]),
    "prints a huge count": ("played.openssl(rate='9' * 300 + '.00', count='9' * 30)", "unknown", [""]),
    "writes a decimal comma": ("played.openssl(rate='4000000000,00')", "unknown", [""]),
    "prints without end": ("played.endless()", "unknown", ["more than"]),
    "does not know the algorithm": ("print('speed: Unknown algorithm aes-128-gcm'); sys.exit(1)", "unknown",
                                    ["knows no algorithm"]),
    "lacks a library": ("print('openssl: error while loading shared libraries: libssl.so.3: cannot open shared object file: "
                        "No such file or directory'); sys.exit(127)", "unknown", ["libssl.so.3"]),
}
BSSL_FAULTS = {
    "crashes": ("played.crash()", "unknown", ["signal 11", "Segmentation"]),
    "prints garbage": ("print('[{\"description\": ')", "unknown", [""]),
    "prints another size": ("played.bssl(size=16)", "unknown", ["size"]),
    "prints zero": ("played.bssl(calls='0')", "unknown", [""]),
    "prints no time": ("played.bssl(microseconds='0')", "unknown", [""]),
    "prints 1e308": ("played.bssl(calls='1e308')", "unknown", [""]),
    "prints a negative count": ("played.bssl(calls='-5')", "unknown", [""]),
}
STATUS = {"unknown": 2, "na": 0, "fail": 4}


def hostile(program, of, name, script, outcome, words):
    prefix = make_prefix(f"{program}-{abs(hash(script))}", **{program: script})
    code, results = bench("--seconds", 1, "--prefix", prefix, suite(of, KAT))
    check(code == STATUS[outcome], f"status {code}", results[name]["reason"])
    no_number(results[name], outcome, *words)
    was_measured(results[KAT_ID])


def add_tests():
    for program, of, name, faults in (("dpdk", SNOW, SNOW_ID, DPDK_FAULTS), ("openssl", SPEED, SPEED_ID, SPEED_FAULTS),
                                      ("bssl", BSSL, BSSL_ID, BSSL_FAULTS)):
        for what, (script, outcome, words) in faults.items():
            def test(program=program, of=of, name=name, script=script, outcome=outcome, words=words):
                hostile(program, of, name, script, outcome, words)
            globals()[f"test_{program}_that_{what.replace(' ', '_')}"] = test


add_tests()


def test_what_has_no_known_answer_has_no_number():
    prefix = make_prefix("unknown-answers", dpdk="played.dpdk()")
    for number, vector in enumerate((None, "none-such")):
        options = {key: words for key, words in SNOW["dpdk"].items() if key not in ("vector", "published")}
        if vector:
            options["vector"] = vector
        code, results = bench("--seconds", 1, "--prefix", prefix, suite(dict(SNOW, dpdk=options), KAT, name=f"own{number}"))
        check(code == 0, f"status {code}")
        no_number(results[SNOW_ID.replace("own", f"own{number}")], "na", "no known answer")


def test_what_is_not_there_does_not_apply():
    code, results = bench("--seconds", 1, "--prefix", make_prefix("nothing", None), suite(KAT, SPEED, BSSL, SNOW))
    check(code == 77, f"status {code}")
    for name, what in ((KAT_ID, "libcrypto"), (SPEED_ID, "openssl"), (BSSL_ID, "bssl"), (SNOW_ID, "dpdk-test-crypto-perf")):
        no_number(results[name], "na", f"no {what}")


def test_what_cannot_be_executed_is_named():
    prefix = make_prefix("mode", dpdk="", openssl="", bssl="")
    for program in (prefix / "bin").iterdir():
        program.chmod(0o644)
    code, results = bench("--seconds", 1, "--prefix", prefix, suite(KAT, SPEED, BSSL, SNOW))
    check(code == 2, f"status {code}")
    for name in (SPEED_ID, BSSL_ID, SNOW_ID):
        no_number(results[name], "unknown", "Permission denied")
    was_measured(results[KAT_ID])


def test_what_is_no_program_is_named():
    prefix = make_prefix("text")
    for program in ("dpdk-test-crypto-perf", "openssl", "bssl"):
        (prefix / "bin" / program).write_text("#!/bin/sh\nexit 0\n")
        (prefix / "bin" / program).chmod(0o755)
    code, results = bench("--seconds", 1, "--prefix", prefix, suite(KAT, SPEED, BSSL, SNOW))
    check(code == 0, f"status {code}")
    for name in (SPEED_ID, BSSL_ID, SNOW_ID):
        no_number(results[name], "na", str(prefix))
    was_measured(results[KAT_ID])


def library_that(name, code):
    out, source = WORK / f"libcrypto-{name}.so.3", WORK / f"{name}.c"
    source.write_text("#include <unistd.h>\n#include <stdlib.h>\n#include <signal.h>\n#include <string.h>\n"
                      f"__attribute__((constructor)) static void begin(void) {{ {code} }}\n")
    subprocess.run(["gcc", "-shared", "-fPIC", "-D_GNU_SOURCE", "-o", out, source, "-Wl,--no-as-needed", LIBRARY], check=True)
    return out


def bad_library(name, code, *words):
    status, results = bench("--seconds", 1, "--prefix", make_prefix(name, library_that(name, code), dpdk="played.dpdk()"),
                            suite(KAT, SNOW))
    check(status == 2, f"status {status}")
    no_number(results[KAT_ID], "unknown", *words)
    was_measured(results[SNOW_ID])


def test_a_library_that_crashes():
    bad_library("crashing", "signal(SIGSEGV, SIG_DFL); raise(SIGSEGV);", "signal 11")


def test_a_library_that_ends_the_process():
    bad_library("ending", "_exit(0);", "kat-bench")


def test_a_library_that_floods_the_output():
    # Four processes of it are more than the memory of a command.
    bad_library("flooding", 'static char text[1 << 16]; memset(text, 10, sizeof(text)); for (;;) '
                'if (write(1, text, sizeof(text)) < 0) _exit(1);', "without end")


def test_engines_that_hang_are_ended():
    """All at once: what they wait for is their time limit."""
    runs = {
        "kat": (KAT, KAT_ID, make_prefix("hang-kat", library_that("hanging", "pause();"))),
        "openssl": (SPEED, SPEED_ID, make_prefix("hang-openssl", openssl="played.hang()")),
        "bssl": (BSSL, BSSL_ID, make_prefix("hang-bssl", bssl="played.hang()")),
        "dpdk": (SNOW, SNOW_ID, make_prefix("hang-dpdk", dpdk="played.once(MARK) and played.hang()\nplayed.dpdk()")),
    }
    seen = {}

    def judge(key, of, name, prefix):
        try:
            code, results = bench("--seconds", 1, "--prefix", prefix, suite(of))
            check(code == 2, f"status {code}")
            no_number(results[name], "unknown", "did not end")
        except Exception as problem:  # shown by the thread that waits
            seen[key] = problem

    threads = [threading.Thread(target=judge, args=(key, *words)) for key, words in runs.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(not seen, {key: str(problem) for key, problem in seen.items()})
    for line in os.popen("ps -eo args").read().splitlines():
        check("prefixes/hang-" not in line, "it still runs:", line)
