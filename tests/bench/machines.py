# SPDX-License-Identifier: BSD-2-Clause
"""Cores: one only, a cpuset, CPUs offline, two packages of 192, more than 255 on a node."""
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

from engines import KAT_ID, SNOW_ID
from program import KAT, PROGRAM, SNOW, TOP, WORK, Skip, bench, check, make_prefix, no_number, run, suite, was_measured

sys.path.insert(0, str(TOP / "tests/hosts/gen"))

MAKING = threading.Lock()
PART = re.compile(r"^node (\d+): main (\d+), workers ([0-9,-]+)$")


def on_one_cpu(**options):
    prefix = make_prefix(f"one-cpu-{options.get('name', 'affinity')}", dpdk="played.dpdk()")
    options.pop("name", None)
    code, results = bench("--seconds", 1, "--prefix", prefix, suite(KAT, SNOW), **options)
    check(code == 0, f"status {code}")
    no_number(results[SNOW_ID], "na", "CPU", "core")
    was_measured(results[KAT_ID])


def test_one_core_by_affinity():
    on_one_cpu(prefix=["taskset", "-c", "0"])


def test_one_core_by_a_cpuset():
    """The affinity that a process had before it came into the cpuset does not count."""
    parent = Path("/sys/fs/cgroup/cpuset")
    group = parent / f"bench-test-{os.getpid()}"
    try:
        group.mkdir()
        (group / "cpuset.mems").write_text((parent / "cpuset.mems").read_text())
        (group / "cpuset.cpus").write_text("0")
    except OSError as problem:
        raise Skip("no cpuset can be made here") from problem
    try:
        on_one_cpu(name="cpuset", prefix=["sh", "-c", f'echo $$ >{group}/tasks && exec "$@"', "sh"])
    finally:
        group.rmdir()


def described(name, base, **changes):
    """The directory root of a machine that is described."""
    import host
    import machine
    tree, live = host.build(dict(machine.merge(machine.load(base), changes), name=name))
    root = WORK / "machines" / name
    with MAKING:
        if not root.exists():
            root.mkdir(parents=True)
            tree.write_directory(str(root), live)
    return root


def numbers(ranges):
    out = []
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        out += range(int(first), int(last or first) + 1)
    return out


def plan(root, *arguments):
    """{id: (result, [(node, main, workers)])} of a dry run."""
    done = run("--dry-run", "--json", "--root", root, *arguments)
    check(done.code == 0, f"status {done.code}", done.err)
    out = {}
    for result in done.document()["results"]:
        parts = [PART.match(part) for part in (result["core_list"] or "").split("; ") if part]
        check(all(parts), result["core_list"])
        out[result["id"]] = (result, [(int(p[1]), int(p[2]), numbers(p[3])) for p in parts])
    return out


def cpus_of(root):
    """{node: CPUs that are online}"""
    found = {}
    for path in sorted((root / "sys/devices/system/node").glob("node[0-9]*/cpulist")):
        text = path.read_text().strip()
        found[int(path.parent.name[4:])] = set(numbers(text)) if text else set()
    return found


def look_at_plan(root, result, processes):
    """One process a node, at most 255 workers, a CPU more for the main lcore, all on that node."""
    online = cpus_of(root)
    check(len({node for node, _, _ in processes}) == len(processes), "two processes on a node", processes)
    check(sum(len(workers) for _, _, workers in processes) == result["cores"], result["id"], result["core_list"])
    for node, main, workers in processes:
        check(len(set(workers)) == len(workers) <= 255, "workers", workers)
        check(main not in workers, "the main lcore is a worker:", result["core_list"])
        check({main, *workers} <= online[node], f"CPUs that are not on node {node} or offline:", result["core_list"])


def test_two_packages_of_192():
    root = described("two-by-192", "_ac04", cpu={"packages": 2, "cores": 192}, smbios=None, outcomes=None)
    check([len(cpus) for cpus in cpus_of(root).values()] == [192, 192], "the machine")
    planned = plan(root, "scaling")
    counts = sorted(result["cores"] for result, _ in planned.values() if "aes-gcm-128" in result["id"])
    check(counts == [1, 2, 4, 8, 16, 32, 64, 128, 256], counts)
    for result, processes in planned.values():
        check(result["outcome"] == "unknown", result["id"], result["outcome"], result["reason"])
        look_at_plan(root, result, processes)
        check(len(processes) == (2 if result["cores"] > 191 else 1), result["core_list"])
        if result["cores"] == 256:
            check([len(workers) for _, _, workers in processes] == [128, 128], result["core_list"])


def test_all_cores_but_one_of_each_node():
    root = described("two-by-192", "_ac04", cpu={"packages": 2, "cores": 192}, smbios=None, outcomes=None)
    planned = {result["cores"]: (result, processes)
               for result, processes in plan(root, "--cores=191,192,382,383,384", "--only=*gcm*", "scaling").values()}
    check(sorted(planned) == [191, 192, 382, 383, 384], sorted(planned))
    for cores, (result, processes) in planned.items():
        if cores <= 382:
            look_at_plan(root, result, processes)
        else:
            no_number(result, "na", "CPU")
            check(not processes, result["core_list"])


def test_at_most_255_workers_for_a_process():
    root = described("one-by-300", "_ac04", cpu={"packages": 1, "cores": 300}, smbios=None, outcomes=None)
    planned = {result["cores"]: (result, processes)
               for result, processes in plan(root, "--cores=255,256", "--only=*gcm*", "scaling").values()}
    look_at_plan(root, *planned[255])
    no_number(planned[256][0], "na", "255", "worker", "CPU")


def test_cpus_that_are_offline_are_not_planned():
    root = described("offline", "altra-1p-offline-cpus")
    planned = {result["cores"]: (result, processes)
               for result, processes in plan(root, "--cores=1,71,72,79", "--only=*gcm*", "scaling").values()}
    look_at_plan(root, *planned[71])
    used = {main for _, main, _ in planned[71][1]} | {cpu for _, _, workers in planned[71][1] for cpu in workers}
    check(not used & set(range(72, 80)), "offline CPUs are planned", sorted(used))
    for cores in (72, 79):
        no_number(planned[cores][0], "na", "CPU")


def test_a_plan_for_another_machine_starts_nothing():
    root = described("offline", "altra-1p-offline-cpus")
    traced = subprocess.run(["strace", "-f", "-qq", "-e", "trace=execve", "-o", WORK / "trace", PROGRAM, "bench", "--dry-run",
                             "--root", root], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False,
                            env={"PATH": os.environ["PATH"], "ASAN_OPTIONS": "detect_leaks=0"})
    if traced.returncode:
        raise Skip("strace cannot trace here")
    check((WORK / "trace").read_text().count("execve(") == 1, (WORK / "trace").read_text())
