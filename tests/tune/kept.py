# SPDX-License-Identifier: BSD-2-Clause
"""--persist: the files it writes, read by the programs that read them at boot, on a copy of the tree as it was."""
import re
import shutil

from world import (PROGRAM, SMALL, STATE, TWO_NODES, WORLDS, advice_of, check, copy, described, document, give_pages, look, make, same,
                   start, text, tune)

from base import Skip, environment

LINES, SYSCTLS = "etc/tmpfiles.d/ampere-crypto.conf", "etc/sysctl.d/90-ampere-crypto.conf"


def persisted(name, description, *words):
    """The tree as it was (kept aside), the tuned tree, the document."""
    root = make(name, description)
    base = root.with_name("base")
    copy(root, base)
    return base, root, document(tune(root, "--yes", "--persist", "--json", *words))


def words(found, state=("applied", "partly")):
    return [one for one in found["results"] if one["kind"] in ("word", "pages") and one["state"] in state]


def needs(program):
    found = shutil.which(program, path="/usr/bin:/bin:/usr/sbin:/sbin:/usr/lib/systemd:/lib/systemd")
    if not found:
        raise Skip(f"no {program} here")
    return found


def boot_once(base, root):
    """What systemd does with the files of root on the tree as it was: tmpfiles.d by its own program, sysctl.d by the rules of its manual
    page (its program writes to this machine's kernel only)."""
    for path in (root / "etc").rglob("*"):
        target = base / path.relative_to(root)
        if path.is_dir():
            target.mkdir(exist_ok=True)
        else:
            shutil.copy(path, target)
    result = start([needs("systemd-tmpfiles"), "--create", "--boot", "--root", base, base / LINES])
    check(result.code == 0 and not result.err.strip(), result.code, result.err)
    for line in (base / SYSCTLS).read_text().splitlines():
        if line and not line.startswith("#"):
            name, value = (part.strip() for part in line.split("=", 1))
            path = base / "proc/sys" / (name if "/" in name.split(".")[0] else name.replace(".", "/"))
            check(path.is_file(), "no such sysctl", name)
            path.write_text(value + "\n")


def test_a_boot_gives_what_was_verified():
    for name, description in WORLDS.items():
        base, root, found = persisted("booted", description)
        boot_once(base, root)
        check(words(found), found)
        for one in words(found):
            if one["path"].startswith("/proc/irq/"):
                continue
            check(one["persisted"], name, one)
            # a file takes what is written at its begin; the kernel would move the brackets
            check(text(base, one["path"]).startswith(one["got"]), name, one, text(base, one["path"]))


def test_systemd_sysctl_reads_them_as_they_are_meant():
    """--cat-config shows them without setting anything; each line is one that it takes."""
    _, root, _ = persisted("sysctl", TWO_NODES)
    result = start([needs("systemd-analyze"), "cat-config", "--root", root, "sysctl.d"])
    check(result.code == 0, result.err)
    for line in ("kernel.numa_balancing = 0", "kernel.nmi_watchdog = 0", "kernel.perf_user_access = 1"):
        check(line in result.out.splitlines(), line, result.out)
    pattern = re.compile(r"^(#.*|[a-z0-9_./-]+ = [0-9a-z_ ]+)$")
    check(all(pattern.match(line) for line in (root / SYSCTLS).read_text().splitlines()), (root / SYSCTLS).read_text())


def units_of(found, folder):
    """The units and drop-ins of a plan, in a folder that systemd searches first; {name: text}."""
    top, written = "/etc/systemd/system/", {}
    for one in found["results"]:
        if one["kind"] == "file" and one["path"].startswith(top):
            written[one["path"][len(top):]] = one["wanted"]
            path = folder / one["path"][len(top):]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(one["wanted"])
    return written


def test_units_are_what_systemd_takes():
    """Those of a dry run, where mounts and services are foreseen: verified by systemd together with the units of this machine."""
    verify = needs("systemd-analyze")
    root = make("units", TWO_NODES)
    folder = root.with_name("units")
    folder.mkdir()
    found = document(tune(root, "--dry-run", "--persist", "--json"), 0)
    written = units_of(found, folder)
    mounts = {one["path"] for one in found["results"] if one["kind"] == "mount"}
    names = {start(["systemd-escape", "--path", "--suffix=mount", path]).out.strip() for path in mounts}
    check({name for name in written if name.endswith(".mount")} == names, sorted(written), names)
    units = sorted({name.split("/")[0].removesuffix(".d") for name in written})
    check(units, "no unit is written")
    for unit in units:
        if unit.endswith(".service") and not start(["systemctl", "cat", unit]).out and "tmpfiles" not in unit:
            continue
        result = start([verify, "verify", "--man=no", unit], env=environment(SYSTEMD_UNIT_PATH=f"{folder}:"))
        faults = [line for line in result.err.splitlines() if str(folder) in line]
        check(not faults, unit, faults)
        shown = start([verify, "verify", "--man=no", folder / unit]) if (folder / unit).is_file() else None
        check(shown is None or shown.code == 0, unit, shown.err if shown else "")
    for name in names:
        check(any(name in text.split("Wants=")[-1] for other, text in written.items() if other.endswith(".conf")), name, written)


def test_systemd_analyze_would_say_so():
    """A verification that finds no fault in a unit with one would prove nothing."""
    verify = needs("systemd-analyze")
    folder = make("faulty", SMALL).with_name("units")
    folder.mkdir()
    (folder / "dev-other.mount").write_text("[Mount]\nWhat=hugetlbfs\nWhere=/dev/hugepages-1G\nType=hugetlbfs\n")
    result = start([verify, "verify", "--man=no", folder / "dev-other.mount"])
    check(result.code != 0 or "dev-other.mount" in result.err, result.code, result.err)


def test_what_is_not_made_is_not_kept():
    """In a scratch tree no module is loaded and nothing mounted: no file says that they should be."""
    _, root, found = persisted("not-made", SMALL)
    refused = [one for one in found["results"] if one["kind"] in ("module", "mount")]
    check(all(one["state"] == "refused" and not one["persisted"] for one in refused), refused)
    check(not list((root / "etc").rglob("*.mount")), list((root / "etc").rglob("*.mount")))
    for path in root.glob("etc/modules-load.d/*"):
        check(not {one["path"] for one in refused} & set(path.read_text().split()), path.read_text())


def test_all_policies_alike_are_one_line():
    _, root, _ = persisted("glob", SMALL)
    lines = [line for line in (root / LINES).read_text().splitlines() if "scaling_governor" in line]
    check(lines == ["w! /sys/devices/system/cpu/cpufreq/policy[0-9]*/scaling_governor - - - - performance"], lines)


def test_some_cpus_only_have_lines_of_their_own():
    isolated = described(cpu={"isolated": "2-3"}, kernel={"cmdline": "isolcpus=2-3 nohz_full=2-3 rcu_nocbs=2-3"})
    base, root, found = persisted("some", isolated)
    disabled = {one["path"] for one in words(found) if one["path"].endswith("/disable")}
    boot_once(base, root)
    for path in sorted(look(base, skip=(STATE,))):
        if path.endswith("/disable"):
            check((text(base, path) == "1") == ("/" + path in disabled), path, text(base, path))


def test_revert_takes_the_files_and_folders_back():
    for name, description in WORLDS.items():
        base, root, _ = persisted("kept-back", description)
        document(tune(root, "--revert", "--json"), 0)
        same(look(base, skip=()), look(root, skip=()), name)


def test_tune_first_and_keep_it_later():
    """Who tries it, and then wants to keep it, runs it again with --persist: nothing is to be mended any more, the files come."""
    root = make("later", TWO_NODES)
    before = look(root, skip=())
    document(tune(root, "--yes", "--json"))
    document(tune(root, "--yes", "--persist", "--json"))
    check((root / LINES).exists() and (root / SYSCTLS).exists(), list((root / "etc").rglob("*conf")))
    check("kernel.numa_balancing = 0" in (root / SYSCTLS).read_text().splitlines())
    document(tune(root, "--revert", "--json"), 0)
    same(before, look(root, skip=()))


def test_keeping_it_twice_changes_nothing():
    _, root, _ = persisted("twice", TWO_NODES)
    give_pages(root)
    before = look(root, times=True)
    document(tune(root, "--yes", "--persist", "--json"))
    same(before, look(root, times=True))


def test_a_file_of_this_name_that_was_there_comes_back():
    root = make("was-there", SMALL)
    (root / SYSCTLS).write_text("# mine\nvm.swappiness = 10\n")
    before = look(root, skip=())
    document(tune(root, "--yes", "--persist", "--json"))
    check("kernel.nmi_watchdog = 0" in (root / SYSCTLS).read_text().splitlines())
    document(tune(root, "--revert", "--json"), 0)
    same(before, look(root, skip=()))


ORDER = "etc/systemd/system/systemd-tmpfiles-setup.service.d/ampere-crypto.conf"


def with_module(name):
    """A tree whose governors want a unit, as the driver of the policies is a module."""
    root = make(name, SMALL)
    (root / "proc/modules").write_text("cppc_cpufreq 16384 0 - Live 0x0000000000000000\n")
    return root


def test_a_unit_that_is_there_already_is_not_planned():
    root = with_module("unit")
    document(tune(root, "--yes", "--persist", "--json"))
    check("After=systemd-modules-load.service" in (root / ORDER).read_text(), ORDER)
    planned = document(tune(root, "--dry-run", "--persist", "--json"), 0)["results"]
    check(not any(one["path"] == f"/{ORDER}" for one in planned), planned)


def test_files_of_which_the_plan_sees_a_part_come_back_whole():
    """Of units and limits only some lines enter the program: what another version or somebody wrote there is set and comes back."""
    root = with_module("parts")
    unit, limits = root / ORDER, root / "etc/security/limits.d/90-ampere-crypto.conf"
    unit.parent.mkdir(parents=True)
    unit.write_text("# Written by ampere-crypto tune.\n[Unit]\nAfter=another.service\n")
    limits.write_text("# another limit\n@packets hard memlock 1048576\n")
    before = look(root, skip=())
    states = {one["path"]: one["state"] for one in document(tune(root, "--yes", "--persist", "--json"))["results"]}
    for path in (unit, limits):
        check(states[f"/{path.relative_to(root)}"] == "applied", path, states)
    check("After=systemd-modules-load.service" in unit.read_text() and "* - memlock unlimited" in limits.read_text())
    document(tune(root, "--revert", "--json"), 0)
    same(before, look(root, skip=()))


def test_what_is_added_to_a_unit_of_ours_is_no_part_of_a_capture():
    root = with_module("added")
    document(tune(root, "--yes", "--persist", "--json"))
    for line in ("Environment=PASSWORD=planted-secret", "Options=pagesize=2M,planted-secret", "# planted-secret"):
        text_before = (root / ORDER).read_text()
        (root / ORDER).write_text(f"{text_before}{line}\n")
        for words in (["tune", "--dry-run", "--persist", "--json", "--role", "dpdk"], ["capture", "-"]):
            shown = start([PROGRAM, *words, "--root", root])
            check(shown.code == 0 and "planted-secret" not in shown.out + shown.err, line, words, shown.code)
        (root / ORDER).write_text(text_before)


def test_a_file_that_somebody_changed_is_left():
    _, root, _ = persisted("edited", SMALL)
    (root / SYSCTLS).write_text("vm.swappiness = 10\n")
    found = document(tune(root, "--revert", "--json"))
    states = {one["path"]: one["state"] for one in found["results"]}
    check(states["/" + SYSCTLS] == "foreign", states)
    check((root / SYSCTLS).read_text() == "vm.swappiness = 10\n")


def test_the_command_line_is_shown_and_never_written():
    """Pages of 512 MB: the kernel finds them with certainty while it starts only."""
    pages = WORLDS["64K pages"]
    for release, word in (("ID=debian", "/etc/default/grub.d/"), ('ID="rhel"', "grubby --update-kernel")):
        root = make("shown", pages)
        (root / "etc/os-release").unlink(missing_ok=True)
        (root / "etc/os-release").write_text(release + "\n")
        (root / "etc/default/grub.d").mkdir(parents=True)
        found = document(tune(root, "--yes", "--persist", "--json"))
        advice = [one["text"] for one in advice_of(found) if one["kind"] == "command-line"]
        check(any(word in one and "hugepagesz=512M hugepages=" in one for one in advice), word, advice)
        check(not list((root / "etc/default/grub.d").iterdir()))
