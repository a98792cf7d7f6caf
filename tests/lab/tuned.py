# SPDX-License-Identifier: BSD-2-Clause
"""tune in a guest: audit, tune, audit, revert, audit, then tune and revert killed at calls that change something.

What it must mend is stated in boots.py ("tune"). The guest is another one meanwhile, so these commands come after all others.
"""
import json
import os
import random
import re
import subprocess

import compare
from cpio import Archive
from image import TOP

FULL = os.environ.get("CHECK_FULL") == "1"
SEED = int(os.environ.get("CHECK_SEED", random.SystemRandom().randrange(1 << 31)))
POINTS = 4
LIMIT_S = 1800 if FULL else 300
# In the order in which the guest takes them; "z": behind all other commands.
BEFORE, AUDIT, TUNE, TUNED, SET, REVERT, AFTER, STATE, FEWER, UNDONE, KILLS = (f"z{number}-{name}" for number, name in enumerate(
    ("state", "audit", "tune", "audit-tuned", "state-tuned", "revert", "audit-after", "state-after", "fewer", "undone", "kills"), 10))
# What is left of the memory when the kernel is asked for its pages: less than 1 GiB, which DPDK wants of a node.
LEFT_MB = 700

# Everything of the guest that tune may change, as plain shell sees it.
SEE = """see() {
for f in /sys/kernel/mm/transparent_hugepage/enabled /proc/sys/kernel/numa_balancing /proc/sys/kernel/nmi_watchdog \\
    /proc/sys/kernel/perf_user_access /proc/sys/vm/nr_hugepages /sys/devices/system/node/node*/hugepages/*/nr_hugepages \\
    /sys/devices/system/cpu/cpufreq/policy*/scaling_* /sys/devices/system/cpu/cpu*/cpuidle/state*/disable; do
    test ! -r $f || echo "$f $(cat $f 2>/dev/null)"
done
cut -d' ' -f1 /proc/modules | sort
cut -d' ' -f2-4 /proc/mounts | grep -v '^/sys/firmware'
find /etc /dev/hugepages* /var -xdev | sort
cat /etc/sysctl.d/* /etc/security/limits.d/* /etc/modules-load.d/* /etc/tmpfiles.d/* 2>/dev/null
}
"""
TIMED = """begin=$(cut -d' ' -f1 /proc/uptime)
%s
status=$?
echo "from $begin to $(cut -d' ' -f1 /proc/uptime)" >/tmp/time-%s
exit $status
"""


def commands(role):
    """{name: shell text}"""
    audit = f"ampere-crypto audit --json --role {role}"
    tune = f"ampere-crypto tune --yes --role {role}"
    points = "$(seq 1 $calls)" if FULL else (
        f"$(for n in $(seq {POINTS}); do echo $((1 + ({SEED % 1000} + n * calls / {POINTS}) % calls)); done)")
    kills = SEE + f"""see >/tmp/first
for what in tune revert; do
    test $what = tune || {tune} >/dev/null 2>&1
    run='{tune}'; test $what = tune || run='ampere-crypto tune --revert'
    LD_PRELOAD=/lab/kill-at.so KILL_AT=0 KILL_COUNT=/tmp/calls $run >/dev/null 2>&1
    ampere-crypto tune --revert >/dev/null 2>&1
    calls=$(cat /tmp/calls)
    echo $what $calls calls
    for n in {points}; do
        test $what = tune || {tune} >/dev/null 2>&1
        LD_PRELOAD=/lab/kill-at.so KILL_AT=$n $run >/tmp/killed 2>&1
        status=$?
        ampere-crypto tune --revert >/tmp/reverted 2>&1
        see >/tmp/now
        if cmp -s /tmp/first /tmp/now; then echo point $what $n status $status same
        else echo point $what $n status $status differs; diff /tmp/first /tmp/now; cat /tmp/reverted; fi
    done
done
"""
    fewer = f"""free=$(sed -n 's/^MemFree: *\\([0-9]*\\) kB/\\1/p' /proc/meminfo)
EAT_MB=$((free / 1024 - {LEFT_MB})) LD_PRELOAD=/lab/kill-at.so {tune} --json
status=$?
cat /sys/devices/system/node/node*/hugepages/*/nr_hugepages >/tmp/pools
exit $status
"""
    undone = SEE + "sed 's/^/pool /' /tmp/pools; ampere-crypto tune --revert >/tmp/reverted 2>&1 || cat /tmp/reverted; see"
    return {FEWER: fewer, UNDONE: undone, BEFORE: SEE + "see", AUDIT: audit, TUNE: TIMED % (tune + " --json", "tune"), TUNED: audit, SET: SEE + "see",
            REVERT: TIMED % ("ampere-crypto tune --revert --json", "revert"), AFTER: audit, STATE: SEE + "see; cat /tmp/time-* >&2", KILLS: kills}


def archive(image, work):
    """The object that kills, built for arm64, as a part of the initramfs."""
    work.mkdir(parents=True, exist_ok=True)
    shared, path = work / "kill-at.so", (work / "kill-at.cpio").resolve()
    subprocess.run(["aarch64-linux-gnu-gcc", "-shared", "-fPIC", "-O1", f"--sysroot={image.sysroot}", "-o", str(shared),
                    str(TOP / "tests/lab/kill-at.c")], check=True)
    with open(path, "wb") as stream:
        made = Archive(stream)
        made.file("/lab/kill-at.so", shared.read_bytes(), 0o755)
        made.close()
    return path


def outcomes(answer):
    return {name: finding["outcome"] for name, finding in compare.findings(answer.text).items()}


def mended_faults(answers, stated):
    """What was stated to be mended failed before and passes afterwards; what tune says of itself agrees with that."""
    before, after = outcomes(answers[AUDIT]), outcomes(answers[TUNED])
    results = json.loads(answers[TUNE].text)["results"]
    faults = []
    for name in sorted(stated["mends"]):
        faults += compare.differ(f"{name} before", before.get(name), "fail")
        faults += compare.differ(f"{name} afterwards", after.get(name), "pass")
        if not any(one["check"] == name and one["state"] == "applied" for one in results):
            faults.append(f"tune does not say that it mended {name}")
    whole = {one["check"] for one in results} - {one["check"] for one in results if one["state"] not in ("applied", "kept")}
    faults += [f"tune says that it mended {name}, which is {after[name]}" for name in sorted(whole - set(stated.get("later", ())))
               if after.get(name) != "pass"]
    for one in results:
        if one["state"] == "refused" and not one["reason"]:
            faults.append(f"{one['id']} was refused without a reason")
    faults += [f"{name} passed before and is {after[name]} now" for name in before if before[name] == "pass" and after[name] != "pass"]
    return faults


def reverted_faults(answers):
    before, after = outcomes(answers[AUDIT]), outcomes(answers[AFTER])
    faults = [f"{name} was {before[name]}, is {after.get(name)}" for name in before if before[name] != after.get(name)]
    first, last = answers[BEFORE].text.splitlines(), answers[STATE].text.splitlines()
    faults += [f"gone: {line}" for line in first if line not in last] + [f"new: {line}" for line in last if line not in first]
    states = {one["state"] for one in json.loads(answers[REVERT].text)["results"]}
    if states - {"restored", "kept"}:
        faults.append(f"states of the reverted changes: {sorted(states)}")
    return faults[:6]


def short_faults(answers):
    """Half of a node's memory does not do for 1 GiB: nothing is reserved, and it is said."""
    found = json.loads(answers[TUNE].text)
    faults = [f"{one['id']} was asked for" for one in found["results"] if one["kind"] == "pages"]
    if not any(one["check"] == "memory.hugepages" and "memory" in one["text"] for one in found["summary"]["advice"]):
        faults.append("it is not said that there is too little memory")
    return faults + compare.differ("memory.hugepages", outcomes(answers[TUNED])["memory.hugepages"], "fail")


def fewer_faults(answers):
    """The kernel gave fewer pages than were planned, and fewer than DPDK can work with: the number is said, and they are given back."""
    pages = [one for one in json.loads(answers[FEWER].text)["results"] if one["kind"] == "pages"]
    faults = [] if pages else ["no pages were planned"]
    for one in pages:
        faults += compare.differ(f"state of {one['id']} ({one['reason']})", one["state"], "rolled-back")
        given = [int(word) for word in re.findall(r"\d+", one["reason"] or "")]
        if not any(0 < number < int(one["wanted"]) for number in given):
            faults.append(f"how many pages there were is not said: {one['reason']}")
        faults += compare.differ("pages that were read back", one["got"], one["before"])
    text = answers[UNDONE].text
    faults += [f"a pool has {count} pages" for count in re.findall(r"^pool (\d+)$", text, re.M) if count != "0"]
    rest = [line for line in text.splitlines() if not line.startswith("pool ")]
    return faults + [f"not as before: {line}" for line in set(rest) ^ set(answers[BEFORE].text.splitlines())][:4]


def kill_faults(answers):
    points = re.findall(r"^point (\w+) (\d+) status (\d+) (\w+)$", answers[KILLS].text, re.M)
    killed = [point for point in points if point[2] == "137"]
    print(f"  {len(points)} points, {len(killed)} killed, of {' and '.join(re.findall(r'^(.*) calls$', answers[KILLS].text, re.M))}"
          f" calls, seed {SEED}", flush=True)
    faults = [f"{what} killed at {number}: {answers[KILLS].text[-600:]}" for what, number, _, found in points if found != "same"]
    if len(killed) < POINTS:
        faults.append(f"only {len(killed)} runs were killed: {answers[KILLS].text[:400]}")
    return faults[:2]


def error_faults(answers):
    faults = [f"{name} exited {answers[name].status}: {answers[name].err.decode(errors='replace')[-300:]}"
              for name in (AUDIT, TUNE, TUNED, REVERT, AFTER, FEWER) if answers[name].status not in (0, 1)]
    return faults


def judge(answers, stated):
    """(what, faults) of one guest."""
    yield "tune and revert end as they should", error_faults(answers)
    yield "tune mends what it says", mended_faults(answers, stated)
    yield "revert gives back what was", reverted_faults(answers)
    if "memory.hugepages" in stated["mends"]:
        yield "tune gives back pages that are too few", fewer_faults(answers)
    elif stated["role"] == "dpdk":
        yield "tune says what memory is missing", short_faults(answers)
    yield "killed at calls of tune and revert, revert restores everything", kill_faults(answers)
    times = re.findall(r"^from ([\d.]+) to ([\d.]+)$", answers[STATE].err.decode(), re.M)
    revert, tune = (float(end) - float(begin) for begin, end in times)
    print(f"  emulated: tune {tune:.2f} s, revert {revert:.2f} s", flush=True)
