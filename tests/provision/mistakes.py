# SPDX-License-Identifier: BSD-2-Clause
"""Plans with one mistake each: one line that names file, line and key, exit status 2; wrong calls are 64; nothing is begun."""
from world import PROGRAM, check, fresh, good, start

AUDIT, BENCH = '"audit": {}', '"bench": {}'
PREFIX = '"prefix": "p"'

# (what, line 2, line 3 with the mistake, what the message says)
LINES = [
    ("a misspelt key", AUDIT, '"benhc": {}', 'benhc: unknown key; did you mean "bench"?'),
    ("an unknown key", AUDIT, '"zzzzzzzz": 1', "zzzzzzzz: unknown key; known here: prefix"),
    ("a key of another stage", PREFIX, '"audit": {"suites": ["smoke"]}', "suites: unknown key"),
    ("recipes as text", AUDIT, '"setup": {"recipes": "openssl"}', "recipes: must be an array of text, not text"),
    ("a number among recipes", AUDIT, '"setup": {"recipes": ["openssl", 3]}', "must be text, not a number"),
    ("an unknown recipe", AUDIT, '"setup": {"recipes": ["opensll"]}', 'unknown recipe "opensll"; did you mean "openssl"?'),
    ("an option as a recipe", AUDIT, '"setup": {"recipes": ["--build-as-root"]}', "does not match"),
    ("a version without a recipe", AUDIT, '"setup": {"versions": ["3.5.7"]}', "does not match"),
    ("a version of an unknown recipe", AUDIT, '"setup": {"versions": ["opensl=3.5.7"]}', 'unknown recipe "opensl"'),
    ("an unknown recipe left out", AUDIT, '"setup": {"without": ["ipsec-bm"]}', 'did you mean "ipsec-mb"?'),
    ("no job", AUDIT, '"setup": {"jobs": 0}', "jobs: must be from 1 to 4096, not 0"),
    ("half a job", AUDIT, '"setup": {"jobs": 1.5}', "jobs: must be a whole number"),
    ("an unknown target", AUDIT, '"setup": {"target": "altar"}', 'target: "altar" is not known; did you mean "altra"?'),
    ("a mirror that is not there", AUDIT, '"setup": {"mirrors": ["no-such"]}', "no-such is not there"),
    ("a pack that is not there", AUDIT, '"setup": {"pack": "no.pack"}', "no.pack is not there"),
    ("a pack and recipes", AUDIT, '"setup": {"pack": "plan.json", "recipes": ["openssl"]}', 'recipes: does not go with "pack"'),
    ("a digest that is none", AUDIT, '"setup": {"accept-digests": ["abc"]}', "does not match"),
    ("offline as text", AUDIT, '"setup": {"offline": "yes"}', "offline: must be true or false, not text"),
    ("an empty sysroot", AUDIT, '"setup": {"sysroot": ""}', "sysroot:"),
    ("an unknown role", PREFIX, '"audit": {"role": "ipsce"}', 'did you mean "ipsec"?'),
    ("an unknown severity", PREFIX, '"audit": {"fail-on": "hihg"}', 'did you mean "high"?'),
    ("waivers that are not there", PREFIX, '"audit": {"waivers": "w.json"}', "w.json is not there (paths are relative to the plan)"),
    ("strict as a number", PREFIX, '"audit": {"strict": 1}', "strict: must be true or false, not a number"),
    ("an unknown suite", PREFIX, '"bench": {"suites": ["smoek"]}', 'unknown suite "smoek"; did you mean "smoke"?'),
    ("an own suite that is not there", PREFIX, '"bench": {"suites": ["./own.json"]}', "own.json is not there"),
    ("a baseline that is not there", PREFIX, '"bench": {"baseline": "b.json"}', "b.json is not there"),
    ("no second", PREFIX, '"bench": {"seconds": 0}', "seconds: must be from 1 to 86400, not 0"),
    ("all of it slower", PREFIX, '"bench": {"threshold-percent": 100}', "threshold-percent: must be from 0 to 99"),
    ("no core", PREFIX, '"bench": {"cores": [0]}', "must be from 1 to 8192, not 0"),
    ("an output of nothing", AUDIT, '"outputs": [{"format": "json", "path": "x"}]', 'required key "of" is missing'),
    ("an output without a place", AUDIT, '"outputs": [{"of": "audit", "format": "json"}]', 'required key "path" is missing'),
    ("an output of a stage that is not there", AUDIT, '"outputs": [{"of": "bench", "format": "json", "path": "x"}]',
     'of: the plan has no "bench" to make it of'),
    ("an unknown format", AUDIT, '"outputs": [{"of": "audit", "format": "jsno", "path": "x"}]', 'unknown format "jsno"; did you mean "json"?'),
    ("a file named twice", AUDIT, '"outputs": [{"of": "audit", "format": "json", "path": "x"}, {"of": "audit", "format": "text", "path": "./x"}]',
     "is named twice"),
    ("an output over the waivers", PREFIX, '"audit": {"waivers": "p.w"}, "outputs": [{"of": "audit", "format": "json", "path": "./p.w"}]',
     "p.w is read by this plan"),
    ("an output over the plan", AUDIT, '"outputs": [{"of": "audit", "format": "json", "path": "./plan.json"}]', "plan.json is read by this plan"),
    ("an output that cannot be written", AUDIT, '"outputs": [{"of": "audit", "format": "json", "path": "no/x"}]', "path: cannot be written"),
    ("an output that is a directory", AUDIT, '"outputs": [{"of": "audit", "format": "json", "path": "."}]', "path: cannot be written"),
    ("no time", AUDIT, '"limits": {"all": 0}', "all: must be from 1 to 604800, not 0"),
    ("a limit of what is no stage", AUDIT, '"limits": {"tune": 9}', "tune: unknown key"),
    ("stopping at what is no stage", AUDIT, '"stop-on": ["report"]', "does not match"),
    ("stopping at what is not there", AUDIT, '"stop-on": ["bench"]', 'the plan has no "bench"'),
    ("a state that is no path", AUDIT, '"state": 5', "state: must be text, not a number"),
    ("a key twice", AUDIT, '"audit": {}', "audit"),
    ("false for a stage", AUDIT, '"bench": false', "bench: must be an object, not true or false"),
    ("a comment", AUDIT, '// bench', ""),
]
# (what, the whole file, line, what the message says)
FILES = [
    ("an empty file", "", 1, ""),
    ("an array", "[]", 1, "must be an object, not an array"),
    ("nothing to do", '{"prefix": "p"}', 1, "nothing to do: none of setup, audit and bench is there"),
    ("a comma too many", '{\n "audit": {},\n}\n', 3, ""),
    ("half a file", '{\n "audit": {', 2, ""),
    ("two objects", '{"audit": {}}\n{}', 2, ""),
]
# (what, words, exit status, what the message says)
CALLS = [
    ("no plan", [], 64, "--plan FILE is missing"),
    ("an argument", ["--plan", "plan.json", "more"], 64, "'more' is one argument too many"),
    ("an unknown option", ["--plan", "plan.json", "--offline"], 64, "unknown option '--offline'"),
    ("a progress that is none", ["--plan", "plan.json", "--progress", "fd:x"], 64, "'fd:x' is none of auto, never, fd:N"),
    ("an unknown format", ["--plan", "plan.json", "--output", "xml=x"], 64, "unknown format 'xml'"),
    ("a plan that is not there", ["--plan", "none.json"], 2, "none.json: No such file"),
    ("a plan that is a directory", ["--plan", "."], 2, "is a directory"),
    ("a plan whose results would be the prefix's", ["--plan", "...json"], 2, "...json: is no name for a plan"),
    ("a plan whose results would be of all plans", ["--plan", "..json"], 2, "..json: is no name for a plan"),
    ("a plan without end", ["--plan", "/dev/zero"], 2, "/dev/zero: larger than"),
]


def refused(top, title, result, code, *words):
    lines = result.err.splitlines()
    check(result.code == code, title, "exit status", result.code, "wanted", code, result.err)
    check(len(lines) == 1 and lines[0].startswith("ampere-crypto provision: "), title, result.err)
    for word in words:
        check(word in lines[0], title, "want", word, lines[0])
    check(not result.out and not (top / "p").exists(), title, "something was begun", result.out)


def test_mistakes_in_a_line_of_a_plan():
    top = fresh("mistakes")
    (top / "p.w").write_text("{}")
    for title, before, line, message in LINES:
        (top / "plan.json").write_text(f"{{\n{before},\n{line}\n}}\n")
        if "cannot be written" not in message and "twice" not in title:
            result = start([PROGRAM, "provision", "--plan", "plan.json", "--dry-run"], cwd=top)
            refused(top, title, result, 2, "plan.json:3:", message)
        refused(top, title, start([PROGRAM, "provision", "--plan", "plan.json"], cwd=top), 2, "plan.json:3:", message)


def test_files_that_are_no_plan():
    top = fresh("files")
    for title, text, line, message in FILES:
        (top / "plan.json").write_text(text)
        refused(top, title, start([PROGRAM, "provision", "--plan", "plan.json"], cwd=top), 2, f"plan.json:{line}:", message)


def test_wrong_calls():
    top = fresh("calls")
    for name in ("plan.json", "..json", "...json"):
        (top / name).write_text('{"prefix": "p", "audit": {}}')
    for title, words, code, message in CALLS:
        refused(top, title, start([PROGRAM, "provision", *words], cwd=top), code, message)


def test_a_plan_with_everything_is_taken():
    """So that no mistake above is refused for another reason than its own."""
    top = fresh("everything")
    for name in ("mirror", "sysroot", "recipes"):
        (top / name).mkdir()
    for name in ("w.json", "b.json", "own.json"):
        (top / name).write_text("{}")
    (top / "plan.json").write_text("""{
      "prefix": "p", "state": "s",
      "audit": {"role": "tls", "fail-on": "low", "strict": true, "waivers": "w.json", "only": ["cpu.*"], "skip": ["x y"],
                "profile": "altra", "probe": true},
      "bench": {"suites": ["smoke", "./own.json"], "baseline": "b.json", "threshold-percent": 2.5, "seconds": 9, "strict": true,
                "system": true, "only": ["it's"], "skip": ["*"], "cores": [1, 2]},
      "outputs": [{"of": "audit", "format": "markdown", "path": "x", "append": true}],
      "stop-on": ["audit", "bench"], "limits": {"setup": 1, "audit": 2, "bench": 3, "report": 4, "all": 5}}""")
    lines = good(start([PROGRAM, "provision", "--plan", "plan.json", "-n"], cwd=top)).out.splitlines()
    check(lines == [
        f"ampere-crypto audit --role=tls --fail-on=low --strict --waivers={top}/w.json '--only=cpu.*' '--skip=x y' --profile=altra --probe "
        f"--output=json={top}/s/audit.json --output=markdown={top}/s/audit.markdown",
        f"ampere-crypto bench smoke {top}/./own.json --prefix={top}/p --system --baseline={top}/b.json --threshold=2.5% --seconds=9 --strict "
        f"'--only=it'\\''s' '--skip=*' --cores=1,2 --output=json={top}/s/bench.json"], lines)
    check(not (top / "s").exists() and not (top / "p").exists(), "a dry run wrote something")
