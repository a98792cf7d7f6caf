# SPDX-License-Identifier: BSD-2-Clause
"""What tune writes, stated from the checks and the kernel's documents before any run; that a dry run writes nothing."""
import re

from world import (CPU, LARGE, NODE, SMALL, SYSCTL, THP, WORLDS, advice_of, audit, changes, check, described, differing,
                   document, give_pages, look, make, same, text, tune)

# Checks whose findings are mended by a file of a scratch tree. Not among them: free pages, which only a kernel gives; mounts and
# modules, which are not made in a scratch tree; limits and services, which hold for processes started later.
MENDED = {"cpu.governor", "memory.thp", "kernel.watchdog", "kernel.perf-user-access"}
GIB_KB = 1 << 20


def stated(nodes, cpus):
    """{path: word} that role dpdk wants (profiles/audit): every policy at performance, THP not always, no watchdog, counters for users."""
    wanted = {f"{CPU}/cpufreq/policy{n}/scaling_governor": "performance" for n in range(cpus)}
    wanted |= {f"{SYSCTL}/kernel/nmi_watchdog": "0", f"{SYSCTL}/kernel/perf_user_access": "1"}
    if nodes > 1:
        wanted[f"{SYSCTL}/kernel/numa_balancing"] = "0"
    return wanted


SHAPES = {"one node": (1, 4), "two nodes": (2, 8), "64K pages": (1, 4)}


def pools(root):
    """{(node, size in kB): pages}"""
    found = {}
    for path in root.glob("sys/devices/system/node/node*/hugepages/*/nr_hugepages"):
        node, size = re.search(r"node(\d+)/hugepages/hugepages-(\d+)kB", str(path)).groups()
        found[int(node), int(size)] = int(path.read_text())
    return found


def test_a_dry_run_writes_nothing():
    for name, description in WORLDS.items():
        root = make("dry", description)
        before = look(root, times=True, skip=())
        for words in (["--dry-run", "--json"], ["--dry-run"], ["--dry-run", "--persist"], ["--revert", "--dry-run"], ["--revert", "--dry-run", "--json"]):
            result = tune(root, *words)
            check(result.code == 0, name, words, result.code, result.err)
            same(before, look(root, times=True, skip=()), name, words)


def test_without_a_yes_and_a_terminal_nothing_is_written():
    root = make("no-yes", SMALL)
    before = look(root, times=True, skip=())
    result = tune(root)
    check("--yes" in result.out + result.err, result.code, result.out[-300:], result.err)
    same(before, look(root, times=True, skip=()))


def test_a_dry_run_names_the_writes_that_a_run_makes():
    for name, description in WORLDS.items():
        root = make("named", description)
        planned = changes(document(tune(root, "--dry-run", "--json"), 0))
        made = changes(document(tune(root, "--yes", "--json")))
        check(planned.keys() == made.keys(), name, planned.keys() ^ made.keys())
        for key, change in planned.items():
            check(change["state"] == "planned", key, change)
            check([change[part] for part in ("path", "before", "wanted")] == [made[key][part] for part in ("path", "before", "wanted")],
                  key, change, made[key])


def test_exactly_what_is_listed_is_written():
    for name, description in WORLDS.items():
        root = make("listed", description)
        before = look(root)
        found = document(tune(root, "--yes", "--json"))
        listed = {change["path"].lstrip("/") for change in found["results"] if change["state"] in ("applied", "partly")}
        written = set(differing(before, look(root)))
        check(listed == written, name, "listed, but as before:", listed - written, "written, but not listed:", written - listed)
        for change in found["results"]:
            if change["state"] == "applied" and change["kind"] in ("word", "pages"):
                check(change["got"] == change["wanted"], name, change)
                check(change["wanted"] in text(root, change["path"]).replace("[", " ").replace("]", " ").split(), name, change)


def test_what_the_checks_ask_for_is_written():
    for name, description in WORLDS.items():
        root = make("stated", description)
        document(tune(root, "--yes", "--json"))
        for path, word in stated(*SHAPES[name]).items():
            check(text(root, path) == word, name, path, text(root, path))
        check("[always]" not in text(root, THP) and text(root, THP) != "always", name, text(root, THP))


def test_the_findings_that_it_mends_pass_afterwards():
    for name, description in WORLDS.items():
        root = make("mended", description)
        before = audit(root)
        found = document(tune(root, "--yes", "--json"))
        after = audit(root)
        wanted = MENDED | ({"memory.numa-balancing"} if name == "two nodes" else set())
        check({before[one] for one in wanted} == {"fail"}, name, {one: before[one] for one in wanted})
        check({after[one] for one in wanted} == {"pass"}, name, {one: after[one] for one in wanted})
        check(wanted <= {change["check"] for change in found["results"]}, name)
        worse = {one for one in before if before[one] == "pass" and after[one] != "pass"}
        check(not worse - {"memory.hugetlbfs"}, name, "passed before:", worse)


def test_huge_pages_fit_the_kernel_and_the_memory():
    """Of the size that one PMD maps (or 1 GB where PUDs map it), at least the 1 GB per node that audit asks for, and never more
    than half of a node's memory."""
    for name, sizes_kb in (("one node", {2048, GIB_KB}), ("two nodes", {2048, GIB_KB}), ("64K pages", {524288})):
        root = make("pages", WORLDS[name])
        document(tune(root, "--yes", "--json"))
        found = pools(root)
        for node in range(SHAPES[name][0]):
            own = {size: count for (where, size), count in found.items() if where == node and count}
            check(own and own.keys() <= sizes_kb, name, node, own)
            total_kb = sum(size * count for size, count in own.items())
            memory_kb = int(re.search(r"MemTotal: +(\d+)", text(root, f"{NODE}/node{node}/meminfo")).group(1))
            check(GIB_KB <= total_kb <= memory_kb // 2, name, node, total_kb, memory_kb)


def test_idle_states_deeper_than_wfi_are_disabled():
    """LPI-0 is WFI, which every core has; LPI-1 costs 2.9 ms. The CPUs of the role are the isolated ones."""
    root = make("idle", described(cpu={"isolated": "2-3"}, kernel={"cmdline": "isolcpus=2-3 nohz_full=2-3 rcu_nocbs=2-3"}))
    document(tune(root, "--yes", "--json"))
    for cpu in range(4):
        states = [text(root, f"{CPU}/cpu{cpu}/cpuidle/state{state}/disable") for state in range(2)]
        check(states[0] == "0", cpu, states)
        check(cpu < 2 or states[1] == "1", cpu, states)


def test_a_second_run_has_nothing_to_do():
    for name, description in WORLDS.items():
        root = make("twice", description)
        first = changes(document(tune(root, "--yes", "--json")))
        give_pages(root)
        before = look(root, times=True)
        again = document(tune(root, "--yes", "--json"))
        same(before, look(root, times=True), name)
        made = [key for key, change in changes(again).items() if change["state"] in ("applied", "partly")]
        check(not made, name, made)
        left = {key for key, change in first.items() if change["state"] not in ("applied", "partly")}
        check(changes(again).keys() <= left, name, changes(again).keys() - left)


def test_a_tuned_machine_ends_with_zero():
    root = make("zero", described(kernel={"memlock": "unlimited"}))
    tune(root, "--yes", role="tls")
    result = tune(root, "--yes", role="tls")
    check(result.code == 0, result.code, result.out[-400:], result.err)


def test_firmware_is_never_written_but_its_menu_is_named():
    root = make("menu", SMALL)
    before = look(root, times=True)
    found = document(tune(root, "--yes", "--json"))
    advice = {one["check"]: one for one in advice_of(found)}
    for check_id, word in (("firmware.cppc", "CPPC"), ("firmware.lpi", "LPI")):
        check(check_id in advice and advice[check_id]["kind"] == "firmware", check_id, sorted(advice))
        check(word in advice[check_id]["text"], advice[check_id])
    after = look(root, times=True)
    check(not [path for path in differing(before, after) if path.startswith("sys/firmware")], "firmware was written")


def test_two_sockets_of_192_cpus():
    root = make("large", LARGE)
    before = look(root)
    found = document(tune(root, "--yes", "--json", fast=True))
    governors = [change for change in found["results"] if change["path"].endswith("scaling_governor")]
    check(len(governors) == 384 and {change["state"] for change in governors} == {"applied"}, len(governors))
    check(len(set(differing(before, look(root)))) >= 384)
    document(tune(root, "--revert", "--json", fast=True), 0)
    same(before, look(root, skip=()))


def braces(text):
    """Every path of the pattern that a shell makes of it."""
    found = re.search(r"\{(\d+)\.\.(\d+)\}", text)
    if not found:
        return [text]
    first, last = int(found[1]), int(found[2])
    return [text[:found.start()] + str(n) + text[found.end():] for n in range(first, last + 1)]


def test_one_row_stands_for_the_cpus_that_are_set_alike():
    """The rows of the text, written out as a shell would, are the changes of the JSON; a CPU set otherwise has a row of its own."""
    root = make("rows", SMALL)
    other = root / CPU.lstrip("/") / "cpufreq/policy1/scaling_governor"
    other.write_text("ondemand\n")
    planned = [change["path"] for change in changes(document(tune(root, "--dry-run", "--json"), 0)).values()]
    for words, folded in ((["--dry-run"], True), (["--dry-run", "--verbose"], False)):
        rows = [line.split()[-1] for line in tune(root, *words).out.splitlines() if re.match(r"  planned  ", line)]
        check([path for row in rows for path in braces(row)] == planned, words, rows, planned)
        check(any("{" in row for row in rows) == folded, words, rows)
        check(str(other)[len(str(root)):] in rows, words, rows)
        check(not folded or f"{CPU}/cpufreq/policy{{2..3}}/scaling_governor" in rows, words, rows)
