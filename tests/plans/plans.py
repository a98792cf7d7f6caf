# SPDX-License-Identifier: BSD-2-Clause
"""Pages of cases: a world, and what must be true of its plan."""
import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import compilers

TOP = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("CHECK_BUILD", TOP / "build/gcc"))
PROGRAM = Path(os.environ.get("CHECK_PROGRAM", BUILD / "src/cli/ampere-crypto")).resolve()
DUMP = BUILD / "tests/plans/plan-dump"
WORK = Path(os.environ.get("CHECK_WORK", TOP / "build/check/plans")).resolve()
LIMIT_S = 60
PLACEHOLDER = re.compile(r"(?<!\$)\{[a-z][a-z0-9.:-]*\}")
ARM64 = ("altra", "altramax", "ampereone", "ampereone-ac03", "ampereone-ac04")


class Wrong(Exception):
    """Something that is not as the page says."""


def require(condition, *words):
    if not condition:
        raise Wrong(" ".join(str(word) for word in words)[:800])


def compiler_path(world):
    machine = "aarch64-linux-gnu" if world.get("target") in ARM64 else f"{world.get('arch', 'x86_64')}-linux-gnu"
    return compilers.stand_in(WORK / "compilers" / machine / world["compiler"], world["compiler"], machine)


def dump(world):
    """The plan of a world, or its error."""
    asked = {key: value for key, value in world.items() if key != "compiler"}
    asked.setdefault("cc", str(compiler_path(world)))
    if "made" in asked:
        asked["recipes"] = str(make_recipes(asked.pop("made"), asked.pop("place", "made")))
    for state in ("stored", "active"):
        asked[state] = [tree_name(world, entry) for entry in world.get(state, [])]
    done = subprocess.run([DUMP], input=json.dumps(asked).encode(), capture_output=True, timeout=LIMIT_S, check=False)
    require(done.returncode == 0 and not done.stderr, "plan-dump:", done.returncode, done.stderr.decode(errors="replace"))
    return json.loads(done.stdout)


def full_recipe(name, part):
    """The rest of a recipe of which a page only says what matters; versions can be names alone."""
    versions = [version if isinstance(version, dict) else
                {"version": version, "status": "supported",
                 "sources": [{"file": f"{name}-{version}.tar", "url": f"https://example.org/{name}-{version}.tar",
                              "sha256": hashlib.sha256(f"{name} {version}".encode()).hexdigest()}]}
                for version in part.get("versions", ["1.0"])]
    recipe = {"name": name, "summary": "made up", "license": "MIT", "rules": [],
              "steps": [{"name": "make", "phase": "build", "argv": ["make", "-j{jobs}", "CC={cc}", "CFLAGS={cflags}", "PREFIX={prefix}"]}]}
    return {**recipe, **part, "versions": versions}


def make_recipes(parts, place):
    top = WORK / "recipes" / place
    shutil.rmtree(top, ignore_errors=True)
    for name, part in parts.items():
        (top / name).mkdir(parents=True)
        (top / name / "recipe.json").write_text(json.dumps(full_recipe(name, part)))
    return top


def tree_name(world, entry):
    """RECIPE of this world, or of the world changed: {"recipe", "of"}."""
    clean = {key: value for key, value in world.items() if key not in ("stored", "active", "rebuild")}
    recipe, changes = (entry, {}) if isinstance(entry, str) else (entry["recipe"], entry["of"])
    return tree_of(dump({**clean, **changes}), recipe)["name"]


def tree_of(plan, recipe):
    require("error" not in plan, "no plan:", plan.get("error"))
    for tree in plan["trees"]:
        if tree["recipe"] == recipe:
            return tree
    raise Wrong(f"{recipe} is not in the plan")


def texts_of(tree):
    for step in tree["steps"]:
        yield from step["argv"] + step["environment"] + step["lines"]
        yield from (step[key] for key in ("in", "path", "after", "replace", "by", "unless-file") if step[key])
    for proof in tree["proofs"]:
        yield from proof["argv"] + proof["environment"] + proof["has"] + proof["lacks"]
    yield from tree["environment"]


def check_always(world, plan):
    """What holds of every plan, whatever was asked."""
    prefix, placed = world.get("prefix", "/opt/ampere-crypto"), []
    for tree in plan["trees"]:
        recipe, name = tree["recipe"], tree["name"]
        # What has no digest, or is built against something without one, has no key, so it cannot be there.
        keyless = [other for other in tree["depends"] if tree_of(plan, other)["key"] is None]
        require((tree["key"] is None) == bool(tree["unpinned"] or keyless), recipe, "key", tree["key"])
        require(tree["key"] or tree["state"] == "build", recipe, "is there without a key")
        key = "[0-9a-f]{16}" if tree["key"] else "KEY"
        require(re.fullmatch(f"{recipe}-{re.escape(tree['version'])}-{key}", name), "name", name)
        require(tree["path"] == f"{prefix}/store/{name}", "path", tree["path"])
        require(all(other in placed for other in tree["depends"]), recipe, "stands before", tree["depends"])
        require(len(set(tree["depends"])) == len(tree["depends"]), recipe, "depends twice", tree["depends"])
        placed.append(recipe)
        # Archives that are made when asked for have no place in a plan.
        require(tree["sources"] and all(source is None or re.fullmatch("[0-9a-f]{64}|[0-9a-f]{40}", source)
                                        for source in tree["sources"]), recipe, "sources", tree["sources"])
        require((None in tree["sources"]) == bool(tree["unpinned"]), recipe, "is said to be unpinned:", tree["unpinned"])
        for text in texts_of(tree):
            require(not PLACEHOLDER.search(text), recipe, "placeholder left in", text)
            for word in ("=native", "/usr/local", "LD_LIBRARY_PATH", "sudo", "/etc/ld.so.conf", "n1sdp", "graviton"):
                require(word not in text, recipe, "has", word, "in", text)
            if world.get("target") in ("altra", "altramax"):
                require("ampere1" not in text and "eor3" not in text, recipe, "would not run on Altra:", text)
            if world.get("target") == "ampereone-ac03":
                require("ampere1a" not in text and "sm4" not in text, recipe, "would not run on AC03:", text)
        for step in tree["steps"]:
            work = f"{prefix}/work/{name}/"
            require(step["in"].startswith(work), recipe, step["name"], "works in", step["in"])
            require(not step["path"] or step["path"].startswith(work), recipe, step["name"], "touches", step["path"])
            require(not step["argv"] or step["argv"][0] != "ldconfig", recipe, "runs ldconfig")


def fill(text, world, plan):
    """{cc}, {path:RECIPE}, {name:RECIPE}, {work:RECIPE} of a page."""
    text = text.replace("{cc}", str(compiler_path(world)))
    for tree in plan["trees"]:
        text = text.replace(f"{{path:{tree['recipe']}}}", tree["path"]).replace(f"{{name:{tree['recipe']}}}", tree["name"])
        work = f"{world.get('prefix', '/opt/ampere-crypto')}/work/{tree['name']}"
        text = text.replace(f"{{work:{tree['recipe']}}}", work)
    return text


def check_step(tree, name, wanted, filled):
    steps = [step for step in tree["steps"] if step["name"] == name]
    if wanted is None:
        require(not steps, tree["recipe"], "has a step", name)
        return
    require(len(steps) == 1, tree["recipe"], "has", len(steps), "steps", name)
    for key, value in wanted.items():
        what, _, how = key.partition(" ")
        have = steps[0][what]
        if how == "has":
            for text in value:
                require(filled(text) in have, tree["recipe"], name, what, "lacks", filled(text), "in", have)
        elif how == "lacks":
            for text in value:
                require(not any(filled(text) in word for word in have), tree["recipe"], name, what, "has", filled(text), "in", have)
        else:
            require(not how, "no such expectation:", key)
            want = [filled(text) for text in value] if isinstance(value, list) else filled(value)
            require(have == want, tree["recipe"], name, what, "is", have, "not", want)


def check_tree(tree, wanted, filled):
    for key, value in wanted.items():
        if key == "steps":
            for name, step in value.items():
                check_step(tree, name, step, filled)
        elif key == "why":
            require(value in tree["why"], tree["recipe"], "is there because", tree["why"])
        elif key == "unpinned has":
            require(tree["unpinned"] and "\n" not in tree["unpinned"], tree["recipe"], "is not unpinned, in a line")
            require(all(text in tree["unpinned"] for text in value), tree["recipe"], "is unpinned:", tree["unpinned"])
        elif key in ("proofs", "no-proofs"):
            names = [proof["name"] for proof in tree["proofs"]]
            for name in value:
                require((name in names) == (key == "proofs"), tree["recipe"], key, name, "in", names)
        elif key == "proofs equal":
            have = [proof["equals"] for proof in tree["proofs"] if proof["equals"]]
            require(have == value, tree["recipe"], "proofs equal", have)
        else:
            require(key in tree, "no such expectation:", key)
            require(tree[key] == value, tree["recipe"], key, "is", tree[key], "not", value)


def check_expect(world, plan, expect):
    if "error" in expect:
        require("error" in plan, "was planned:", [tree["name"] for tree in plan.get("trees", [])])
        require(plan["exit"] == expect["exit"], "exit", plan["exit"], plan["error"])
        require("\n" not in plan["error"], "more than a line:", plan["error"])
        for text in expect["error"]:
            require(text in plan["error"], "says", repr(plan["error"]), "without", repr(text))
        require(set(expect) == {"error", "exit"}, "what else should be expected of an error?")
        return
    require("error" not in plan, "is refused:", plan.get("error"))
    check_always(world, plan)
    for key, value in expect.items():
        if key == "order":
            order = [tree["recipe"] for tree in plan["trees"]]
            require(order == value, "order", order)
        elif key == "trees":
            for recipe, wanted in value.items():
                check_tree(tree_of(plan, recipe), wanted, lambda text: fill(text, world, plan))
        elif key == "recipes":
            require(sorted(tree["recipe"] for tree in plan["trees"]) == value, "recipes", [tree["recipe"] for tree in plan["trees"]])
        elif key == "notes":
            require(len(plan["notes"]) == len(value) and all(any(text in note for note in plan["notes"]) for text in value),
                    "notes", plan["notes"])
        elif key == "refused":
            require(len(plan["refused"]) == len(value), "refused", plan["refused"])
            for text, have in zip(value, plan["refused"]):
                require(have.startswith(text), "refused", plan["refused"])
        else:
            require(key in plan, "no such expectation:", key)
            require(plan[key] == value, key, "is", plan[key], "not", value)


def run_page(path):
    page = json.loads(path.read_text())
    require(set(page) <= {"what", "world", "expect", "variants"} and page.get("what"), "keys", list(page))
    require(page.get("expect") or page.get("variants"), "expects nothing")
    plan = dump(page["world"])
    check_expect(page["world"], plan, page.get("expect", {}))
    # Pure: nothing but the world decides.
    require(plan == dump(page["world"]), "two plans of one world differ")
    for variant in page.get("variants", []):
        world = {**page["world"], **variant["change"]}
        other = dump(world)
        if "error" not in other:
            check_always(world, other)
        for recipe in variant.get("same", []):
            require(tree_of(plan, recipe)["key"] == tree_of(other, recipe)["key"], variant["change"], "changes the key of", recipe)
        for recipe in variant.get("other", []):
            require(tree_of(plan, recipe)["key"] != tree_of(other, recipe)["key"], variant["change"], "keeps the key of", recipe)
        require(set(variant) <= {"change", "same", "other", "expect"}, "keys of a variant", list(variant))
        require(len(variant) > 1, "a variant that expects nothing")
        if "expect" in variant:
            check_expect(world, other, variant["expect"])
