# SPDX-License-Identifier: BSD-2-Clause
"""What is planned is what the real loader does: before, after, and after it is taken away."""
import os

from systems import CONFD, PREFIX, VERSIONS, Skip

CASES = []
SAFE, ALL = f"{CONFD}/ampere-crypto.conf", f"{CONFD}/00-ampere-crypto.conf"
CURRENT = f"{PREFIX}/current"


def case(*kinds):
    def add(function):
        for kind in kinds:
            name = function.__name__.replace("_", " ")
            CASES.append((f"{kind} - {name}" if len(kinds) > 1 else name, kind, function))
        return function
    return add


def ok(done):
    assert done.returncode == 0, f"exit status {done.returncode}: {done.stderr.strip()}"


def fails(done, status, text):
    assert done.returncode == status and text in done.stderr, f"exit status {done.returncode}, not {status}, or no \"{text}\": {done.stderr.strip()}"


def table(plan):
    """program -> {library: (from, to)} of a plan."""
    rows = {}
    for row in plan["changes"]:
        rows.setdefault(row["program"], {})[row["library"]] = (row["from"], row["to"])
    return rows


def same_file(system, a, b):
    """/lib and /usr/lib may be one directory."""
    return a == b or (a and b and os.path.exists(system.path(a)) and os.path.exists(system.path(b)) and
                      os.path.samefile(system.path(a), system.path(b)))


def differences(system, before, after):
    """The same of what the real loader said before and after; what is not needed any more is not told."""
    rows = {}
    for program, loads in after.items():
        for library, path in loads.items():
            pair = before[program].get(library), path
            if not same_file(system, *pair):
                rows.setdefault(program, {})[library] = pair
    return rows


def agrees(planned, real, before, after):
    """One library. The real loader is silent about a name that a file loaded under another name answers to."""
    pairs = zip(planned or (None, None), real or (None, None), (before, after))
    return planned is not None and all(p == r or (r is None and p in loads.values()) for p, r, loads in pairs)


def check_table(system, plan, before, after):
    planned, real = table(plan), differences(system, before, after)
    for program in planned.keys() | real.keys():
        if "stopped" in before[program]:
            continue
        assert "stopped" not in after[program], f"{program} stops: {after[program]}"
        mine, theirs = planned.get(program, {}), real.get(program, {})
        for name in mine.keys() | theirs.keys():
            assert agrees(mine.get(name), theirs.get(name), before[program], after[program]), \
                f"{program}, {name}: planned {mine.get(name)}, the loader {theirs.get(name)}"


def check_winners(system, plan):
    for winner in plan["winners"]:
        line = next((line for line in system.cache() if line.split()[0] == winner["soname"]), "nothing")
        assert line.endswith(f"=> {winner['path']}"), f"the cache has {line.strip()}, planned {winner['path']}"


def apply_and_take_away(system, policy, *trees):
    """Returns the plan, after all of its promises were kept."""
    loads, cache, etc = system.state()
    plan = system.plan(policy, *trees)
    assert (cache, etc) == (system.cache(), system.etc()), "the plan changed something"
    ok(system.tool("apply", policy, *trees))
    check_table(system, plan, loads, system.all_loads())
    check_winners(system, plan)
    lines = [line for file in (SAFE, ALL) if system.path(file).exists() for line in system.path(file).read_text().splitlines()
             if not line.startswith("#")]
    assert lines == [entry["line"] for entry in plan["entries"]], f"the file has {lines}"
    for name, kept in etc.items():
        assert system.etc()[name] == kept, f"{name} was touched"
    state = system.state_now()
    assert state["fresh"] and state["policy"] == (policy if lines else "none"), f"state is {state}"
    status = system.path("/etc/ld.so.cache").stat()
    ok(system.tool("apply", policy, *trees))
    again = system.path("/etc/ld.so.cache").stat()
    assert (status.st_ino, status.st_mtime_ns) == (again.st_ino, again.st_mtime_ns), "a second run with nothing to do ran ldconfig"
    ok(system.tool("remove", "none"))
    assert system.state() == (loads, cache, etc), "after remove it is not as before"
    return plan


@case("here", "rhel", "arm64")
def safe_for_a_library_of_its_own_name(system):
    trees = system.tree("ipsec-mb", ("libIPSec_MB.so.1", ())), system.tree("openssl", ("libcrypto.so.3", VERSIONS), ("libssl.so.3", VERSIONS))
    system.activate(*trees)
    plan = apply_and_take_away(system, "safe", *trees)
    assert [(e["file"], e["line"]) for e in plan["entries"]] == [(SAFE, f"{CURRENT}/ipsec-mb/lib")], plan["entries"]
    assert plan["changes"] == [] and plan["refusal"] is None
    [left] = plan["left_out"]
    assert left == {"directory": f"{CURRENT}/openssl/lib",
                    "why": f"libcrypto.so.3 is already in the cache ({system.libraries}/libcrypto.so.3)"}, left


@case("here", "arm64")
def all_with_a_complete_library(system):
    """The distribution's own file stands for the new one: programs really run with it."""
    ssl = system.path(f"/usr{system.libraries}/libssl.so.3")
    trees = [system.tree("openssl", ("libcrypto.so.3", system.crypto()), ("libssl.so.3", ssl))]
    system.activate(*trees)
    plan = apply_and_take_away(system, "all", *trees)
    assert [(e["file"], e["line"]) for e in plan["entries"]] == [(ALL, f"{CURRENT}/openssl/lib")], plan["entries"]
    assert plan["refusal"] is None and plan["left_out"] == []
    rows = table(plan)
    here = [program for program in ("/usr/bin/openssl", "/usr/bin/curl") if system.path(program).exists()]
    for program in here:
        assert rows[program]["libcrypto.so.3"] == (f"{system.libraries}/libcrypto.so.3", f"{CURRENT}/openssl/lib/libcrypto.so.3"), rows.get(program)
    plugin = next((name for name in rows if name.endswith("/ossl-modules/legacy.so")), None)
    assert plugin, "the provider that openssl loads by name is not in the table"
    ok(system.tool("apply", "all", *trees))
    done = system.run("/usr/bin/openssl", "version")
    assert done.returncode == 0 and done.stdout.startswith("OpenSSL 3."), done.stderr
    assert all(system.run(program, "--version").returncode == 0 for program in here[1:])


@case("here", "arm64")
def all_with_versions_only(system):
    """A library made here that defines every version of 3.5: the table, without running anything."""
    trees = [system.tree("openssl", ("libcrypto.so.3", VERSIONS), ("libssl.so.3", VERSIONS))]
    system.activate(*trees)
    plan = apply_and_take_away(system, "all", *trees)
    assert plan["refusal"] is None and len(table(plan)) >= 2


@case("here", "arm64")
def all_is_refused_when_a_version_would_be_missing(system):
    trees = [system.tree("openssl", ("libcrypto.so.3", ["OPENSSL_3.4.0"]), ("libssl.so.3", VERSIONS))]
    system.activate(*trees)
    before = system.cache(), system.etc()
    plan = system.plan("all", *trees)
    assert "programs would not start any more" in plan["refusal"] and "OPENSSL_3.0.0 of libcrypto.so.3" in plan["refusal"], plan["refusal"]
    missing = {row["program"]: row["missing"] for row in plan["changes"] if row["library"] == "libcrypto.so.3"}
    assert "OPENSSL_3.0.0" in missing["/usr/bin/openssl"], missing
    fails(system.tool("apply", "all", *trees), 2, "would not start")
    assert before == (system.cache(), system.etc()), "something changed"
    # And the real loader agrees: with that file in front, the program does not start.
    system.write(ALL, f"{CURRENT}/openssl/lib\n")
    system.ldconfig()
    done = system.run("/usr/bin/openssl", "version")
    assert done.returncode and "OPENSSL_3.0.0' not found" in done.stderr, done.stderr


@case("here")
def the_new_generation_wins_after_the_switch(system):
    """`current` leads to another tree with another soname: the cache is behind, and a later run repeats ldconfig."""
    one = system.tree("ipsec-mb", ("libIPSec_MB.so.1", ()))
    system.activate(one)
    ok(system.tool("apply", "safe", one))
    two = system.tree("ipsec-mb", ("libIPSec_MB.so.2", ()), key="k2")
    system.activate(two, number=2)
    state = system.state_now()
    assert not state["fresh"] and "libIPSec_MB" in state["stale"], state
    plan = system.plan("safe", two)
    assert not plan["done"], "nothing to do, though the cache is behind"
    ok(system.tool("apply", "safe", two))
    check_winners(system, plan)
    assert system.state_now()["fresh"] and not any("libIPSec_MB.so.1" in line.split()[0] for line in system.cache())


@case("here")
def another_tree_of_the_same_name_is_shown(system):
    """Entries stay, the tree behind them changes: the table tells it by where the paths lead."""
    one = system.tree("openssl", ("libcrypto.so.3", VERSIONS))
    system.activate(one)
    ok(system.tool("apply", "all", one))
    two = system.tree("openssl", ("libcrypto.so.3", ["OPENSSL_3.4.0"]), key="k2")
    ipsec = system.tree("ipsec-mb", ("libIPSec_MB.so.1", ()))
    plan = system.plan("all", two, ipsec)
    row = next(row for row in plan["changes"] if (row["program"], row["library"]) == ("/usr/bin/openssl", "libcrypto.so.3"))
    assert row["from"] == f"{PREFIX}/store/openssl-1-k1/lib/libcrypto.so.3.0", row
    assert row["to"] == f"{CURRENT}/openssl/lib/libcrypto.so.3" and "OPENSSL_3.0.0" in row["missing"], row
    assert plan["refusal"]


@case("here")
def a_directory_of_processor_levels_comes_first(system):
    """glibc-hwcaps of the distribution outranks every entry: the directory is left out rather than half used."""
    level = hwcaps(system)
    system.copy(system.crypto(), f"/usr{system.libraries}/glibc-hwcaps/{level}/libcrypto.so.3")
    system.ldconfig()
    trees = [system.tree("openssl", ("libcrypto.so.3", VERSIONS), ("libssl.so.3", VERSIONS))]
    system.activate(*trees)
    plan = apply_and_take_away(system, "all", *trees)
    assert plan["entries"] == [] and "glibc-hwcaps" in plan["left_out"][0]["why"], plan


def hwcaps(system):
    """The best level that the real loader says it searches."""
    lines = system.run(system.interp, "--help").stdout.splitlines()
    levels = [line.split()[0] for line in lines if "supported, searched" in line and line.startswith("  x86-64-v")]
    if not levels:
        raise Skip("no processor levels")
    return levels[0]


@case("here", "arm64")
def a_stale_cache_is_told(system):
    """Somebody put a library where it comes first and did not run ldconfig: our run of it will change what programs load."""
    local = f"/usr/local/lib/{system.triplet}/libcrypto.so.3"
    system.copy(system.crypto(), local)
    trees = [system.tree("ipsec-mb", ("libIPSec_MB.so.1", ()))]
    system.activate(*trees)
    plan = apply_once(system, trees)
    row = next(row for row in plan["changes"] if (row["program"], row["library"]) == ("/usr/bin/openssl", "libcrypto.so.3"))
    assert (row["to"], row["cause"]) == (local, "ldconfig"), row
    assert any("ldconfig has not run since libcrypto.so.3 changed" in note for note in plan["notes"]), plan["notes"]


@case("arm64")
def a_library_in_usr_local_lib_is_not_first(system):
    """Debian's aarch64-linux-gnu.conf sorts before libc.conf: what the guide installs there changes nothing."""
    system.copy(system.crypto(), "/usr/local/lib/libcrypto.so.3")
    trees = [system.tree("ipsec-mb", ("libIPSec_MB.so.1", ()))]
    system.activate(*trees)
    plan = apply_once(system, trees)
    assert plan["changes"] == [], plan["changes"]


def apply_once(system, trees):
    loads = system.all_loads()
    plan = system.plan("safe", *trees)
    ok(system.tool("apply", "safe", *trees))
    check_table(system, plan, loads, system.all_loads())
    check_winners(system, plan)
    return plan


@case("here")
def a_stale_cache_that_would_break_programs_is_refused(system):
    system.tree("x", ("libcrypto.so.3", ["OPENSSL_3.4.0"]))
    system.copy(system.path(f"{PREFIX}/store/x-1-k1/lib/libcrypto.so.3.0"), "/usr/local/lib/libcrypto.so.3")
    trees = [system.tree("ipsec-mb", ("libIPSec_MB.so.1", ()))]
    fails(system.tool("apply", "safe", *trees), 2, "would not start any more")
    assert not system.path(SAFE).exists()


@case("here")
def no_cache_at_all(system):
    system.path("/etc/ld.so.cache").unlink()
    trees = [system.tree("ipsec-mb", ("libIPSec_MB.so.1", ()))]
    system.activate(*trees)
    apply_once(system, trees)


@case("here")
def a_prefix_that_is_a_link(system):
    trees = [system.tree("ipsec-mb", ("libIPSec_MB.so.1", ()), prefix="/srv/ampere")]
    system.activate(*trees, prefix="/srv/ampere")
    system.link("/opt/crypto", "/srv/ampere")
    plan = system.plan("safe", *trees, prefix="/opt/crypto")
    ok(system.tool("apply", "safe", *trees, prefix="/opt/crypto"))
    check_winners(system, plan)
    assert plan["winners"][0]["path"].startswith("/opt/crypto/current/ipsec-mb/lib/"), plan["winners"]


@case("here")
def entries_of_an_earlier_prefix_make_room(system):
    old = system.tree("ipsec-mb", ("libIPSec_MB.so.1", ()), prefix="/opt/old")
    system.activate(old, prefix="/opt/old")
    ok(system.tool("apply", "safe", old, prefix="/opt/old"))
    new = system.tree("ipsec-mb", ("libIPSec_MB.so.1", ()))
    system.activate(new)
    kept = system.etc()
    ok(system.tool("apply", "none"))
    ok(system.tool("remove", "none"))
    assert system.etc() == kept, "another prefix's entries were touched by none or remove"
    plan = system.plan("safe", new)
    assert [row["directory"] for row in plan["taken_away"]] == ["/opt/old/current/ipsec-mb/lib"], plan["taken_away"]
    assert any("/opt/old" in note for note in plan["notes"]), plan["notes"]
    ok(system.tool("apply", "safe", new))
    check_winners(system, plan)
    assert not any("/opt/old" in line for line in system.cache())


@case("here")
def all_then_safe_then_none(system):
    trees = system.tree("ipsec-mb", ("libIPSec_MB.so.1", ())), system.tree("openssl", ("libcrypto.so.3", VERSIONS))
    system.activate(*trees)
    state = system.state()
    loads = system.all_loads()
    for policy, files in (("all", [ALL]), ("safe", [SAFE]), ("all", [ALL]), ("none", [])):
        plan = system.plan(policy, *trees)
        ok(system.tool("apply", policy, *trees))
        check_table(system, plan, loads, system.all_loads())
        check_winners(system, plan)
        loads = system.all_loads()
        assert [file for file in (SAFE, ALL) if system.path(file).exists()] == files, f"after {policy}"
    assert system.state() == state, "after none it is not as before"


@case("here")
def a_tree_that_is_yet_to_be_built(system):
    plan = system.plan("safe", "ipsec-mb:libIPSec_MB.so.1", "openssl:libcrypto.so.3,libssl.so.3")
    assert [e["line"] for e in plan["entries"]] == [f"{CURRENT}/ipsec-mb/lib"], plan["entries"]
    assert [row["directory"] for row in plan["left_out"]] == [f"{CURRENT}/openssl/lib"], plan["left_out"]
    for policy in ("safe", "all"):
        assert system.plan(policy, "ipsec-mb:libIPSec_MB.so.1")["provisional"]
        fails(system.tool("apply", policy, "ipsec-mb:libIPSec_MB.so.1"), 2, "planned before all was built")
