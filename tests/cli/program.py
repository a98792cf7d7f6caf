# SPDX-License-Identifier: BSD-2-Clause
"""Runs the program under test, and the tests."""
import json
import os
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
PROGRAM = Path(os.environ.get("CHECK_PROGRAM", TOP / "build/gcc/src/cli/ampere-crypto")).resolve()
WORK = Path(os.environ.get("CHECK_WORK", TOP / "build/check/cli"))
LIMIT_S = 60

COMMANDS = ["detect", "audit", "explain", "status", "remove", "rollback", "env", "run", "capture", "diff", "report", "inspect",
            "list", "schema", "completion", "version"]


class Skip(Exception):
    """What this machine cannot do."""


def environment(**changes):
    """The environment without what changes the output; None removes a variable."""
    result = {"PATH": os.environ["PATH"], "HOME": str(WORK), "TERM": "xterm"}
    for name, value in os.environ.items():
        if name.startswith(("ASAN_", "UBSAN_", "LSAN_")):
            result[name] = value
    result.update({name: value for name, value in changes.items() if value is not None})
    return result


class Result:
    def __init__(self, done):
        self.code, self.raw, self.raw_err = done.returncode, done.stdout, done.stderr
        self.out = (done.stdout or b"").decode("utf-8", "replace")
        self.err = (done.stderr or b"").decode("utf-8", "replace")

    def json(self):
        return json.loads(self.raw.decode("utf-8"))

    def one_line_error(self):
        lines = self.err.splitlines()
        return len(lines) == 1 and lines[0].startswith("ampere-crypto")


def run(*arguments, stdin=b"", env=None, **options):
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    if not isinstance(stdin, bytes):
        options["stdin"] = stdin
    else:
        options["input"] = stdin
    done = subprocess.run([PROGRAM, *arguments], env=env or environment(), timeout=LIMIT_S, check=False, **options)
    return Result(done)


def check(condition, *context):
    """Fails a test, showing what was seen."""
    if not condition:
        raise AssertionError(" ".join(repr(item) for item in context)[:600])


def machine(name, questions, complete=False, **live):
    """A capture written by hand."""
    path = WORK / f"{name}.json"
    path.write_text(json.dumps({"schema": "ampere-crypto/capture 1.0.0", "complete": complete, "live": live,
                                "questions": questions}))
    return path


def altra_cpuinfo(cpus=4):
    features = "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc dcpop asimddp ssbs"
    return "".join(f"processor\t: {n}\nBogoMIPS\t: 50.00\nFeatures\t: {features}\nCPU implementer\t: 0x41\n"
                   f"CPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n\n"
                   for n in range(cpus))


def altra(name="altra", **more):
    """A small Altra whose governor is wrong on one of two policies."""
    questions = {
        "/proc/cpuinfo": {"text": altra_cpuinfo()},
        "/sys/devices/soc0/soc_id": {"text": "jep106:0a16:0001\n"},
        "/sys/devices/soc0/family": {"text": "jep106:0a16\n"},
        "/sys/devices/system/cpu/online": {"text": "0-3\n"},
        "/sys/devices/system/cpu/present": {"text": "0-3\n"},
        "/sys/devices/system/cpu/cpufreq": {"list": ["policy0", "policy1"]},
    }
    for number, governor in enumerate(["performance", "ondemand"]):
        base = f"/sys/devices/system/cpu/cpufreq/policy{number}"
        questions[f"{base}/scaling_governor"] = {"text": governor + "\n"}
        questions[f"{base}/scaling_driver"] = {"text": "cppc_cpufreq\n"}
        questions[f"{base}/affected_cpus"] = {"text": f"{number}\n"}
    questions.update(more)
    return machine(name, questions, complete=True, arch="aarch64", kernel="6.8.0", page_size_bytes=4096,
                   timer_hz=25000000, root=True)


def installed(name="installed"):
    """A prefix with one small tree in it, made by the store itself."""
    prefix = WORK / name
    if not prefix.exists():
        tool = Path(os.environ.get("CHECK_BUILD", TOP / "build/gcc")) / "tests/store/store-tool"
        subprocess.run([tool, prefix, "apply", "software", "1.0", "0123456789abcdef", "altra", "no"], check=True,
                       stdout=subprocess.DEVNULL, env=environment(), timeout=LIMIT_S)
    return str(prefix)


def run_tests(modules):
    WORK.mkdir(parents=True, exist_ok=True)
    failed = False
    for module in modules:
        for name, test in vars(module).items():
            if not name.startswith("test_"):
                continue
            title = f"{module.__name__}: {name[5:].replace('_', ' ')}".replace(": ", " - ")
            try:
                test()
                print(f"PASS {title}", flush=True)
            except Skip as reason:
                print(f"SKIP {title}: {reason}", flush=True)
            except Exception as error:  # a test that breaks is a test that fails
                failed = True
                print(f"FAIL {title}: {type(error).__name__}: {error}".replace("\n", " "), flush=True)
    return int(failed)
