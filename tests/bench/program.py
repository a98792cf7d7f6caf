# SPDX-License-Identifier: BSD-2-Clause
"""Runs `ampere-crypto bench`, makes the prefixes it measures, and looks at its documents."""
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
HERE = TOP / "tests/bench"
PROGRAM = Path(os.environ.get("CHECK_PROGRAM", TOP / "build/gcc/src/cli/ampere-crypto")).resolve()
WORK = Path(os.environ.get("CHECK_WORK", TOP / "build/check/bench")).resolve()
LIMIT_S = 240
DPDK = shutil.which("dpdk-test-crypto-perf", path="/usr/bin:/usr/sbin:/usr/local/bin")
OPENSSL = shutil.which("openssl", path="/usr/bin:/usr/local/bin")
OUTCOMES = ("pass", "fail", "na", "unknown")


def find_library():
    """The libcrypto that Python's own module has open."""
    import _hashlib  # it links libcrypto
    assert _hashlib
    return Path(re.search(r" (/\S*libcrypto\.so\S*)", Path("/proc/self/maps").read_text()).group(1)).resolve()


LIBRARY = find_library()


class Skip(Exception):
    """What this machine cannot do."""


def check(condition, *context):
    """Fails a test, showing what was seen."""
    if not condition:
        raise AssertionError(" ".join(item if isinstance(item, str) else repr(item) for item in context)[:700])


def environment(**changes):
    result = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(WORK), "LC_ALL": "C"}
    result.update({name: words for name, words in os.environ.items() if name.startswith(("ASAN_", "UBSAN_", "LSAN_"))})
    result.update(changes)
    return result


class Result:
    def __init__(self, done):
        self.code = done.returncode
        self.out = (done.stdout or b"").decode("utf-8", "replace")
        self.err = (done.stderr or b"").decode("utf-8", "replace")
        check("Sanitizer" not in self.err and "runtime error" not in self.err, self.err)

    def document(self):
        document = json.loads(self.out)
        check(document["exit_code"] == self.code, "exit_code", document["exit_code"], "status", self.code)
        look(document)
        return document

    def one_line_error(self):
        lines = self.err.splitlines()
        return len(lines) == 1 and lines[0].startswith("ampere-crypto")


def run(*arguments, prefix=(), env=None, **options):
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return Result(subprocess.run([*prefix, PROGRAM, "bench", *map(str, arguments)], env=env or environment(),
                                 stdin=subprocess.DEVNULL, timeout=LIMIT_S, check=False, **options))


def bench(*arguments, **options):
    """(exit status, {id: result}) of a run with --json."""
    done = run("--json", *arguments, **options)
    check(done.out, f"status {done.code}, no document, {done.err}")
    document = done.document()
    return done.code, {result["id"]: result for result in document["results"]}


def close(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b))


def look_at_number(result):
    """What holds for every number, whatever it is."""
    number, rates, size = result["estimate"], result["rates"], result["size_bytes"]
    name = result["id"]
    check(result["verified"] is True and result["unverified"] is None, name, "has a number and is not verified")
    check(number["value"] > 0, name, number)
    for edge, below in (("low", True), ("high", False)):
        if number[edge] is not None:
            check(number[edge] <= number["value"] if below else number["value"] <= number[edge], name, number)
    raw = result["raw"]
    kept = [sample for sample in raw if sample["dropped"] is None]
    check(len(kept) == number["samples"] and len(raw) == number["samples"] + number["dropped"], name, number, len(raw))
    check(all(sample["value"] > 0 and sample["seconds"] > 0 for sample in raw), name, "a raw sample is not positive")
    values = [sample["value"] for sample in kept]
    check(min(values) * 0.999999 <= number["value"] <= max(values) * 1.000001, name, "lies outside its samples")
    if result["outcome"] == "unknown" and rates["mops"] is None:
        return  # too noisy for any rate
    if number["unit"] == "Gbps":
        check(close(rates["gbps"], number["value"]), name, rates)
        check(close(rates["gbps"], rates["mops"] * size * 8 / 1000), name, rates)
    else:
        check(close(rates["mops"], number["value"]) and rates["gbps"] is None, name, rates)
    check(close(rates["ns_per_op"], 1000 / rates["mops"]), name, rates)
    check(rates["ticks_per_op"] is None, name, "ticks of what was measured here")
    if result["limit_share"] is not None:
        check(result["limit_share"] > 0 and result["limit"], name, result["limit_share"])


def look(document):
    """What holds for every document of a run."""
    check(document["schema"].startswith("ampere-crypto/bench "), document["schema"])
    results, summary = document["results"], document["summary"]
    check(len({result["id"] for result in results}) == len(results), "an id stands twice")
    for result in results:
        name = result["id"]
        check(result["outcome"] in OUTCOMES, name, result["outcome"])
        check(result["verified"] or result["unverified"], name, "is not verified and says not why")
        if result["outcome"] != "pass":
            check(result["reason"] and "\n" not in result["reason"], name, result["outcome"], result["reason"])
            check(len(result["reason"]) < 600, name, result["reason"])
        if result["outcome"] == "pass":
            check(result["estimate"], name, "passes without a number")
        if result["estimate"]:
            look_at_number(result)
            clock = summary["clock_ghz"]
            if result["cycles_per_byte"] is not None:
                check(close(result["cycles_per_byte"], clock * 8 / result["rates"]["gbps"]), name, "cycles per byte")
                check(result["cores"] == 1, name, "cycles per byte on several cores")
        else:
            check(result["cycles_per_byte"] is None and result["limit_share"] is None, name, "no number, but a share")
            check(all(rate is None for rate in result["rates"].values()), name, result["rates"])
    for outcome in OUTCOMES:
        count = sum(result["outcome"] == outcome for result in results)
        check(summary.get(outcome, count) == count, outcome, summary, count)


def no_number(result, outcome, *words):
    """The result of an engine that could not be judged, with a reason that says it."""
    name, reason = result["id"], result["reason"] or ""
    check(result["estimate"] is None and not result["raw"], name, "has a number", result["estimate"], reason)
    check(result["outcome"] == outcome, name, f"{result['outcome']} instead of {outcome}:", reason)
    check(not words or any(word.lower() in reason.lower() for word in words), name, "reason:", reason)


def was_measured(result):
    """Verified and measured; how well is the machine's business."""
    check(result["verified"] and result["raw"] and result["outcome"] in ("pass", "unknown"), result["id"],
          result["outcome"], result["reason"])


def launcher():
    path = WORK / "launcher"
    if not path.exists():
        subprocess.run(["gcc", "-O1", "-D_GNU_SOURCE", "-o", str(path), str(HERE / "launcher.c")], check=True)
    return path


def make_prefix(name, library=LIBRARY, **programs):
    """A prefix with a libcrypto and programs: the text of a script, which has `played`, or a path."""
    root = WORK / "prefixes" / name
    shutil.rmtree(root, ignore_errors=True)
    (root / "bin").mkdir(parents=True)
    (root / "lib").mkdir()
    if library:
        (root / "lib/libcrypto.so.3").symlink_to(library)
    for program, content in programs.items():
        path = root / "bin" / {"dpdk": "dpdk-test-crypto-perf"}.get(program, program)
        if isinstance(content, Path):
            shutil.copy2(content, path)
            continue
        shutil.copy2(launcher(), path)
        Path(f"{path}.py").write_text(f"import sys\nsys.path.insert(0, {str(HERE)!r})\nMARK = {str(root / 'mark')!r}\n"
                                      f"import played\n{content}\n")
    return root


KAT = {"name": "aes-128-gcm-seal", "title": "t", "engine": "kat", "sizes": [1350], "unit": "Gbps"}
SHA = {"name": "sha256", "title": "t", "engine": "kat", "sizes": [4096], "unit": "Gbps"}
SPEED = {"name": "gcm-by-openssl", "title": "t", "engine": "openssl-speed", "words": ["-evp", "aes-128-gcm"],
         "verify": "aes-128-gcm-update", "sizes": [1024], "unit": "Gbps"}
BSSL = {"name": "gcm-by-bssl", "title": "t", "engine": "bssl-speed", "words": ["-filter", "AES-128-GCM"],
        "verify": "aes-128-gcm-seal", "sizes": [1024], "unit": "Gbps"}
GCM = {"name": "aes-gcm-128", "title": "t", "engine": "dpdk-crypto-perf", "devices": ["crypto_openssl"],
       "dpdk": {"optype": "aead", "aead": {"name": "aes-gcm", "op": "encrypt", "key": 16, "iv": 12}, "aad": 16, "digest": 16,
                "full-digest": 16, "vector": "aes-gcm-128", "published": ["aes-gcm.data"]}, "sizes": [1024]}
SNOW = {"name": "snow3g-uea2", "title": "t", "engine": "dpdk-crypto-perf", "devices": ["crypto_snow3g"],
        "dpdk": {"optype": "cipher-only", "cipher": {"name": "snow3g-uea2", "op": "encrypt", "key": 16, "iv": 16},
                 "vector": "snow3g-uea2", "published": ["snow3g-uea2.data"]}, "sizes": [1024]}


def suite(*cases, name="own"):
    """The path of a suite file with these cases."""
    text = json.dumps({"name": name, "summary": "s", "version": 1, "seconds": 2, "cases": cases})
    path = WORK / f"suite-{'-'.join(case['name'] for case in cases)}-{name}.json"
    path.write_text(text)
    return path
