# SPDX-License-Identifier: BSD-2-Clause
"""Systems made by chance: whatever they look like, the plan's table is what the real loader does after the real ldconfig.

LOADER_SEED repeats one; each failure names its seed.
"""
import os
import random
import shutil
import subprocess

from cases import CURRENT, check_table, check_winners, ok
from systems import CONFD, INTERP, TRIPLET, WORK, fresh

CASES = []
COUNT = 100 if os.environ.get("CHECK_FULL") == "1" else 12
LIBRARIES = ["liba.so.1", "libb.so.2", "libc-more.so", "libd.so.10", "libe.so.7"]
SCATTERED = LIBRARIES[:4]  # the last is in trees only
PLACES = ["/usr/local/lib", f"/usr/local/lib/{TRIPLET}", f"/usr/lib/{TRIPLET}", "/usr/lib", "/opt/x/lib", "/srv/y", "/srv/z/lib64"]
CONFS = ["00-a.conf", "00-ampere-crypto.conf.conf", "01.conf", "ampere-crypto-more.conf", "b.conf", "zz.conf", "not-read"]
OBJECTS = WORK / "objects"


def letter(soname):
    return soname[3:5].strip(".").replace("-", "")


def version(soname, number):
    return f"{letter(soname).upper()}_{number}"


def build(kind, soname, versions, needs, runpath=None):
    """A library (or program) made once: `versions` are numbers it defines, `needs` pairs of a library and numbers that it uses."""
    key = "+".join([kind, soname, "".join(map(str, versions)), *(f"{n}{''.join(map(str, v))}" for n, v in needs), (runpath or "").replace("/", "%")])
    target = OBJECTS / key / soname
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    source = "".join(f"int {letter(soname)}{n}(void) {{ return {n}; }}\n" for n in versions) or "int nothing;\n"
    source += "".join(f"extern int {letter(name)}{n}(void); int (*use_{letter(name)}{n})(void) = {letter(name)}{n};\n"
                      for name, numbers in needs for n in numbers)
    words = ["gcc", "-fPIC", "-x", "c", "-", "-x", "none", "-o", str(target), "-Wl,--no-as-needed", "-Wl,-z,undefs",
             *([f"-Wl,-rpath,{runpath}", "-Wl,--enable-new-dtags"] if runpath else [])]
    if kind == "library":
        script = target.parent / "map"
        script.write_text("".join(f"{version(soname, n)} {{ global: {letter(soname)}{n}; }};\n" for n in versions))
        words += ["-shared", "-nostdlib", f"-Wl,-soname,{soname}", *([f"-Wl,--version-script={script}"] if versions else [])]
    else:
        source += "int main(void) { return 0; }\n"
    words += [str(build("library", name, [1, 2, 3], [])) for name, _ in needs]
    subprocess.run([*words, "-Wl,--allow-shlib-undefined"], input=source, text=True, check=True, timeout=60)
    return target


def some(chance, items, share=0.5):
    return [item for item in items if chance.random() < share]


def a_library(chance, soname):
    later = LIBRARIES[LIBRARIES.index(soname) + 1:]
    needs = [(name, some(chance, [1, 2, 3], 0.3)) for name in some(chance, later, 0.25)]
    return build("library", soname, chance.choice([[1, 2, 3], [1, 2, 3], [1, 2], [1]]), needs)


def put(system, chance, directory, soname):
    """In one of the ways in which libraries lie in directories."""
    file = a_library(chance, soname)
    levels = ["x86-64-v2", "x86-64-v3", "x86-64-v4"]
    way = chance.random()
    if way < 0.45:
        system.copy(file, f"{directory}/{soname}")
    elif way < 0.75:
        system.copy(file, f"{directory}/{soname}.5")
        system.link(f"{directory}/{soname}", f"{soname}.5")
    elif way < 0.85:
        system.copy(file, f"{directory}/glibc-hwcaps/{chance.choice(levels)}/{soname}")
    elif way < 0.9:
        system.copy(a_library(chance, chance.choice(LIBRARIES)), f"{directory}/{soname}")
    elif way < 0.95:
        system.write(f"{directory}/{soname}", "GROUP ( nothing )\n" * 20)
    else:
        system.link(f"{directory}/{soname}", "/nowhere")


def scatter(system, chance, share):
    for directory in PLACES:
        system.path(directory).mkdir(parents=True, exist_ok=True)
        for soname in some(chance, SCATTERED, share):
            put(system, chance, directory, soname)


def make(system, chance):
    scatter(system, chance, 0.3)
    for name in some(chance, CONFS, 0.6):
        lines = [chance.choice([line, line, line + "/", f"  {line} # here", f"\u201c{line}\u201d"]) for line in some(chance, PLACES, 0.4)]
        system.write(f"{CONFD}/{name}", "".join(line + "\n" for line in lines))
    if chance.random() < 0.3:
        system.write("/etc/ld.so.conf", f"{chance.choice(PLACES)}\ninclude /etc/ld.so.conf.d/*.conf\n{chance.choice(PLACES)}\n")
    for number in range(3):
        needs = [(name, some(chance, [1, 2, 3], 0.4)) for name in some(chance, LIBRARIES, 0.6)]
        runpath = chance.choice([None, None, None, chance.choice(PLACES), f"{CURRENT}/one/lib"])
        system.copy(build("program", f"prog{number}", [], needs, runpath), f"/usr/bin/prog{number}")
    if chance.random() < 0.85:
        system.ldconfig("-X")
    if chance.random() < 0.35:
        scatter(system, chance, 0.1)


def trees_of(system, chance):
    trees = []
    for name in ("one", "two"):
        wanted = chance.choice([["libe.so.7"], some(chance, LIBRARIES, 0.4), some(chance, LIBRARIES, 0.2)])
        trees.append(system.tree(name, *((soname, a_library(chance, soname)) for soname in wanted)))
    system.activate(*trees)
    return trees


def check(seed):
    chance = random.Random(seed)
    system = fresh("here", f"random-{seed}")
    make(system, chance)
    trees = trees_of(system, chance)
    policy = chance.choice(["safe", "all", "all"])
    loads, etc = system.all_loads(), system.etc()
    plan = system.plan(policy, *trees)
    done = system.tool("apply", policy, *trees)
    if plan["refusal"]:
        assert done.returncode == 2 and "would not start" in done.stderr and (system.all_loads(), system.etc()) == (loads, etc), done.stderr
        refused_rightly(system, plan)
    else:
        ok(done)
        check_table(system, plan, loads, system.all_loads())
        check_winners(system, plan)
        ok(system.tool("remove", "none"))
    assert system.etc() == etc
    after = system.all_loads()
    if plan["done"] or plan["refusal"]:
        assert plan["refusal"] or after == loads, "nothing was to be done, and something changed"
    else:
        system.ldconfig("-X")
        assert after == system.all_loads(), "after remove it is not what ldconfig makes of the rest"
    shutil.rmtree(system.top)
    return plan


def refused_rightly(system, plan):
    """Written by hand, the first program that is named really does not start."""
    for entry in plan["entries"]:
        path = system.path(entry["file"])
        path.write_text((path.read_text() if path.exists() else "") + entry["line"] + "\n")
    system.ldconfig("-X")
    broken = [row for row in plan["changes"] if row["missing"] or (row["from"] and not row["to"])]
    programs = {row["program"] for row in broken}
    for program in programs:
        done = system.run(INTERP, program, LD_TRACE_LOADED_OBJECTS="1")
        words = done.stdout + done.stderr
        assert "not found" in words, f"{program} starts: {words[-300:]}"
    for entry in plan["entries"]:
        system.path(entry["file"]).unlink(missing_ok=True)


def seeds():
    given = os.environ.get("LOADER_SEED")
    first = int(given) if given else random.SystemRandom().randrange(10**8)
    return [first] if given else range(first, first + COUNT)


def systems_made_by_chance(_):
    kinds = {"refused": 0, "entries": 0, "changes": 0, "notes": 0}
    for seed in seeds():
        try:
            plan = check(seed)
        except Exception as problem:
            raise AssertionError(f"LOADER_SEED={seed}: {type(problem).__name__}: {problem}") from problem
        kinds["refused"] += plan["refusal"] is not None
        for kind in ("entries", "changes", "notes"):
            kinds[kind] += bool(plan[kind])
    print(f"  {len(seeds())} systems: {kinds}")


CASES.append(("systems made by chance", "here", systems_made_by_chance))
