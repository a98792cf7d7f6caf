# SPDX-License-Identifier: BSD-2-Clause
"""Trees that lead elsewhere, that cannot be written, other runs, other users, captures, and what else must not be tuned."""
import errno
import fcntl
import os
import shlex
import shutil
import signal
import subprocess
import time

from world import (CPU, PROGRAM, SMALL, STATE, SYSCTL, WORK, WORLDS, check, document, look, make, program, same, start, text, tune)

from base import Skip, refuse_openat2

GOVERNOR = f"{CPU}/cpufreq/policy0/scaling_governor".lstrip("/")


def needs_root():
    if os.geteuid() != 0:
        raise Skip("needs root to become another user")


def needs_mounts():
    if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], check=False, stderr=subprocess.DEVNULL).returncode:
        raise Skip("needs root for mount namespaces")


def outside(name):
    """A folder beside the tree whose files a link may lead to: what they are must stay."""
    path = WORK / name / "outside"
    path.mkdir(parents=True)
    for file in ("scaling_governor", "enabled", "tune.json", "90-ampere-crypto.conf"):
        (path / file).write_text("schedutil\n")
    return path


def test_links_stay_inside_of_the_tree():
    """Absolute ones, and those that climb out with "..": for the kernel's files, /etc and the state."""
    for number, (link, target) in enumerate((
            (GOVERNOR, "{out}/scaling_governor"), (GOVERNOR, "../../../../../../../../../../..{out}/scaling_governor"),
            ("sys/kernel/mm/transparent_hugepage", "{out}"), ("etc", "{out}"), ("etc/sysctl.d", "../../outside"),
            ("etc/tmpfiles.d", "{out}"), ("var/lib", "{out}"), (STATE, "../../../outside"), ("var", "../outside"))):
        root = make("links", SMALL)
        out = outside("links")
        path = root / link
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir() and not path.is_symlink():
            path.rename(root.with_name("moved"))
        elif path.exists():
            path.unlink()
        path.symlink_to(target.format(out=out))
        before = look(out, times=True, skip=())
        for words in (["--yes", "--persist"], ["--revert"]):
            result = tune(root, *words, limit_s=60)
            check(result.code in (0, 1, 2), number, link, result.code, result.err[-300:])
            same(before, look(out, times=True, skip=()), number, link, words)


def test_where_openat2_is_refused():
    """The same changes, the same bytes, all of it taken back, and no link that leads outside."""
    for number in (errno.ENOSYS, errno.EPERM):
        root = make("old-kernel", SMALL)
        before, refused = look(root, skip=()), {"preexec_fn": refuse_openat2(number)}
        planned, alike = (document(tune(root, "--dry-run", "--persist", "--json", **options), 0) for options in ({}, refused))
        check(planned["results"] and all(planned[key] == alike[key] for key in ("results", "summary")), number)
        made = document(tune(root, "--yes", "--persist", "--json"))["results"]
        tuned = look(root)
        document(tune(root, "--revert", "--json"), 0)
        check(document(tune(root, "--yes", "--persist", "--json", **refused))["results"] == made, number)
        same(tuned, look(root), number)
        document(tune(root, "--revert", "--json", **refused), 0)
        same(before, look(root, skip=()), number)
        (root / GOVERNOR).unlink()
        (root / GOVERNOR).symlink_to("../" * 20 + str(outside("old-kernel")) + "/scaling_governor")
        result = tune(root, "--yes", **refused)
        check(result.code in (0, 1, 2) and text(root.parent, "outside/scaling_governor") == "schedutil", result.code)


def test_a_link_in_place_of_a_folder_that_was_just_made():
    """Who owns the tree swaps it before its mode is set: what the link leads to keeps its own."""
    needs_root()
    # It stops when the third folder, after /var and /var/lib, was made, until it is told to go on.
    traced = ["strace", "-D", "-qq", "-o", "/dev/null", "-e", "trace=mkdirat", "-e", "inject=mkdirat:signal=STOP:when=3"]
    if not shutil.which("strace") or start([*traced, "true"]).code:
        raise Skip("processes cannot be traced here")
    root = make("swapped", SMALL)
    secret, state = root.with_name("secret"), root / STATE
    secret.write_text("secret\n")
    secret.chmod(0o600)
    before = look(root.parent, times=False, skip=("root", "moved"))
    with subprocess.Popen([*traced, program(), "tune", "--root", root, "--role", "dpdk", "--yes"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        while run.poll() is None and not state.exists():
            time.sleep(0.005)
        check(state.is_dir() and run.poll() is None, "the folder was not seen")
        state.rename(root.with_name("moved"))
        state.symlink_to(secret)
        ends = time.monotonic() + 60
        while run.poll() is None and time.monotonic() < ends:
            os.kill(run.pid, signal.SIGCONT)  # again: one that comes before it is stopped is lost
            time.sleep(0.01)
        code = run.poll()
        run.kill()
    check(code == 2, code)
    same(before, look(root.parent, times=False, skip=("root", "moved")))


def test_a_file_that_its_owner_holds_a_lease_on():
    """It cannot be opened before the lease is broken, 45 s later: nobody waits for it, the others are tuned."""
    root = make("leased", SMALL)
    before = look(root)
    handle = os.open(root / GOVERNOR, os.O_RDWR)
    former = signal.signal(signal.SIGIO, signal.SIG_IGN)
    try:
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        result = tune(root, "--yes", fast=True, limit_s=20)
        check(result.code in (0, 1), result.code, result.err)
    finally:
        os.close(handle)
        signal.signal(signal.SIGIO, former)
    check(text(root, GOVERNOR) == "schedutil" and look(root) != before, "the others")
    check(tune(root, "--revert").code == 0)
    same(before, look(root))


def test_a_lock_that_another_run_holds():
    root = make("locked", SMALL)
    (root / STATE).mkdir(parents=True)
    before = look(root, times=True, skip=())
    handle = os.open(root / STATE, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        for words in (["--yes"], ["--revert"]):
            result = tune(root, *words)
            check(result.code == 5, words, result.code, result.err)
            same(before, look(root, times=True, skip=()), words)
        check(tune(root, "--dry-run").code == 0, "a dry run takes no lock")
    finally:
        os.close(handle)
    check(tune(root, "--yes").code in (0, 1))


def test_without_root_nothing_is_tuned():
    needs_root()
    root = make("nobody", SMALL)
    before = look(root, times=True, skip=())
    words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    if start([*words, "test", "-x", program()]).code or start([*words, "test", "-r", root / GOVERNOR]).code:
        raise Skip("others may not enter the checkout")
    result = start([*words, program(), "tune", "--yes", "--role", "dpdk", "--root", root])
    check(result.code == 2 and result.err, result.code, result.err)
    same(before, look(root, times=True, skip=()))
    result = start([*words, program(), "tune", "--dry-run", "--role", "dpdk", "--root", root])
    check(result.code == 0, result.code, result.err)


def test_a_capture_is_planned_and_never_tuned():
    root = make("capture", SMALL)
    capture = root.with_name("capture.json")
    check(start([program(), "capture", "--root", root, capture]).code == 0)
    before = capture.read_bytes()
    planned = document(tune(capture, "--dry-run", "--json"), 0)
    check({one["state"] for one in planned["results"]} == {"planned"} and planned["results"], planned["results"])
    for words in (["--yes"], ["--revert"]):
        result = tune(capture, *words)
        check(result.code in (2, 64) and "capture" in result.err, words, result.code, result.err)
    check(capture.read_bytes() == before)


def test_a_capture_is_planned_as_the_machine_is():
    """Every change, with its values, and every advice: what the plan asks, beyond what audit does, is kept too."""
    for name, description in WORLDS.items():
        root = make("captured", description)
        capture = root.with_name("capture.json")
        check(start([PROGRAM, "capture", "--root", root, capture]).code == 0)
        for role in (None, "dpdk", "ipsec", "tls"):
            wanted, found = (document(tune(place, "--dry-run", "--json", role=role), 0) for place in (root, capture))
            check(wanted["results"], name, role)
            for key in ("results", "summary"):
                check(found[key] == wanted[key], name, role, key, found[key], wanted[key])


def in_namespace(script, *words):
    return start(["unshare", "--mount", "sh", "-ec", "mount --make-rprivate /; " + script, *words])


def test_a_tree_on_a_read_only_file_system():
    needs_mounts()
    root = make("read-only", SMALL)
    before = look(root, times=True, skip=())
    result = in_namespace('mount --bind "$0" "$0"; mount -o remount,ro,bind "$0"; exec "$@"', root, program(), "tune", "--yes", "--role",
                          "dpdk", "--root", root)
    check(result.code == 2 and "Read-only file system" in result.err, result.code, result.err)
    same(before, look(root, times=True, skip=()))


# A small file system with what was in the folder, full; the command; what is there before and after, and after a revert with room again.
FULL = """mount -t tmpfs -o size=256k tmpfs "$0/mnt"; cp -a "$0/$1/." "$0/mnt"; mount --move "$0/mnt" "$0/$1"
see() { (cd "$root" && find $folder ! -name fill ! -path '*/ampere-crypto*' -printf '%p %m %s %l\\n' | sort); }
root=$0 folder=$1; shift
see; dd if=/dev/zero of="$root/$folder/fill" bs=1k 2>/dev/null || :
"$@" || echo "status $?"
rm "$root/$folder/fill"
"$1" tune --revert --root "$root" >/dev/null || echo "not reverted: $?"
echo --; see
"""


def test_a_full_disk_changes_nothing():
    """The record does not fit, so nothing is touched. When the files of --persist do not fit, they are refused and all else stands."""
    needs_mounts()
    for folder in ("var/lib", "etc"):
        root = make("full", SMALL)
        (root / "mnt").mkdir(exist_ok=True)
        before = look(root, skip=())
        result = in_namespace(FULL, root, folder, program(), "tune", "--yes", "--persist", "--role", "dpdk", "--root", root)
        check("not reverted" not in result.out, folder, result.out[-300:], result.err)
        first, last = result.out.split("--\n")
        shown = [line for line in first.splitlines() if line.startswith(folder)]
        check(shown == last.splitlines() and shown, folder, set(shown) ^ set(last.splitlines()))
        check("No space left" in result.out + result.err, folder, result.out, result.err)
        if folder == "var/lib":
            check("status 2" in result.out and "No space left" in result.err, result.out[-300:], result.err)
        else:
            check("status 1" in result.out, result.out[-300:], result.err)
        same(before, look(root, skip=()))


REFUSALS = {
    "a value that is no file": lambda path: (path.unlink(), path.mkdir()),
    "a value that is gone": lambda path: path.unlink(),
    "a fifo": lambda path: (path.unlink(), os.mkfifo(path)),
}


def test_one_setting_that_cannot_be_written_does_not_stop_the_others():
    for name, spoil in REFUSALS.items():
        root = make("one-bad", SMALL)
        spoil(root / "proc/sys/kernel/perf_user_access")
        before = look(root, skip=())
        found = document(tune(root, "--yes", "--json", limit_s=30))
        applied = {one["path"] for one in found["results"] if one["state"] == "applied"}
        check(f"{SYSCTL}/kernel/nmi_watchdog" in applied and "/" + GOVERNOR in applied, name, applied)
        check(f"{SYSCTL}/kernel/perf_user_access" not in applied, name)
        document(tune(root, "--revert", "--json", limit_s=30), 0)
        same(before, look(root, skip=()), name)


def test_values_that_nobody_expects():
    """Long, binary or empty: never a crash, and what was there comes back or was never touched."""
    for value in (b"", b"\0" * 64, b"x" * 70000, b"\xff\xfe\n", b"schedutil\nperformance\n", b"  schedutil  \n", b"[performance\n"):
        root = make("odd", SMALL)
        (root / GOVERNOR).write_bytes(value)
        before = look(root, skip=())
        result = tune(root, "--yes", "--json")
        check(result.code in (0, 1, 2), value[:20], result.code, result.err[-300:])
        check(tune(root, "--revert").code in (0, 1), value[:20])
        same({k: v for k, v in before.items() if k != GOVERNOR}, {k: v for k, v in look(root, skip=()).items() if k != GOVERNOR}, value[:20])
        first = value.split(b"\n")[0].strip()
        now = (root / GOVERNOR).read_bytes()
        check(now == value or now.strip(b"\0 \n") == first.strip(b"\0 "), value[:20], now[:20])


def test_the_command_that_takes_it_back_is_one_for_a_shell():
    root = make("named", SMALL, at="it's a tree")
    before = look(root)
    words = shlex.split(tune(root, "--yes").out.rpartition("next: ")[2])
    check(words == ["ampere-crypto", "tune", "--revert", f"--root={root}"], words)
    check(start([program(), *words[1:]]).code == 0)
    same(before, look(root))


def test_usage():
    root = make("usage", SMALL)
    before = look(root, times=True, skip=())
    for words in (["--revert", "--persist"], ["--revert", "--yes", "--role", "nonsense"], ["argument"], ["--yes", "--no-such-option"]):
        result = start([program(), "tune", "--root", root, *words])
        check(result.code == 64, words, result.code, result.err)
    same(before, look(root, times=True, skip=()))
    check(start([program(), "tune", "--yes", "--root", root / "nowhere"]).code == 2)


def test_nobody_else_can_hold_the_lock():
    """flock(2) takes any descriptor: who may open the directory could keep a revert waiting for ever."""
    root = make("lock-of-others", SMALL)
    previous = os.umask(0)
    try:
        check(tune(root, "--yes").code in (0, 1))
    finally:
        os.umask(previous)
    check((root / STATE).stat().st_mode & 0o777 == 0o700, oct((root / STATE).stat().st_mode))
