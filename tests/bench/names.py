# SPDX-License-Identifier: BSD-2-Clause
"""What the shipped suites name is there: cases and vectors of kat-bench, published files, audit's checks."""
import fnmatch
import json
import subprocess

from program import LIBRARY, PROGRAM, TOP, check, environment

KAT_BENCH = PROGRAM.parent.parent / "kat-bench/ampere-crypto-kat-bench"


def cases():
    """(suite, case) of all shipped suites."""
    found = [(path.stem, case) for path in sorted((TOP / "profiles/suites").glob("*.json"))
             for case in json.loads(path.read_text())["cases"]]
    check(len({name for name, _ in found}) >= 5 and len(found) > 50, "suites", len(found))
    return found


def kat(*words):
    done = subprocess.run([KAT_BENCH, *words], env=environment(ASAN_OPTIONS="detect_leaks=0"), capture_output=True, text=True,
                          check=False, timeout=60)
    return done.returncode, done.stdout


def test_cases_of_kat_are_known_to_it():
    known = set(kat("cases")[1].split())
    check(len(known) > 20, known)
    for name, case in cases():
        if case["engine"] == "kat":
            check(case["name"] in known, name, case["name"])
        if "verify" in case:
            check(case["verify"] in known, name, case["name"], case["verify"])


def test_checks_are_those_of_audit():
    done = subprocess.run([PROGRAM, "list", "checks", "--json"], env=environment(), capture_output=True, check=True, timeout=60)
    known = [result["id"] for result in json.loads(done.stdout)["results"]]
    for name, case in cases():
        for glob in case.get("checks", []):
            check(any(fnmatch.fnmatchcase(one, glob) for one in known), name, case["name"], f"no check {glob}")


def test_published_vectors_are_there():
    for name, case in cases():
        for file in case.get("dpdk", {}).get("published", []):
            check((TOP / "recipes/dpdk/vectors" / file).is_file(), name, case["name"], f"no vector {file}")


def test_vectors_can_be_made():
    wanted = {case["dpdk"]["vector"] for _, case in cases() if case.get("dpdk", {}).get("vector")}
    check(len(wanted) > 5, wanted)
    for algorithm in sorted(wanted):
        status, text = kat("vector", "--library", str(LIBRARY), f"{algorithm}:64")
        check(status == 0 and "plaintext" in text and not text.startswith("error"), algorithm, status, text[:200])


def test_every_suite_can_be_planned():
    for name in sorted({name for name, _ in cases()}):
        done = subprocess.run([PROGRAM, "bench", "--dry-run", "--json", name], env=environment(), capture_output=True,
                              check=False, timeout=60)
        results = json.loads(done.stdout)["results"]
        check(done.returncode == 0 and results, name, done.returncode, done.stderr.decode())
        planned = {result["case"] for result in results}
        check(planned == {case["name"] for of, case in cases() if of == name}, name, "not every case is planned")
